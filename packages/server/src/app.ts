/**
 * The server without a socket: requests in, answers out. Every request passes the same checks in the same order (stopping,
 * host, origin and path; route and method; rate; bearer; parameters; body) before its handler sees it, and whatever is
 * thrown is answered as a problem. Spec: INV-http-routes, INV-http-guard, INV-http-access.
 */
import { isSwlError, SwlError } from "@swl/base";
import { verifyCallback } from "@swl/invocation-control/tokens";
import { type Context, Hono } from "hono";
import { anonymous, authorizeFor, type Principal, requireScope, Tokens } from "./access.js";
import { checked, readBody } from "./body.js";
import type { Call, Handler, HeaderSource, NodeBindings, Reply, ServerCore } from "./call.js";
import { bodies, queries } from "./contracts/requests.js";
import { preflight, withCors } from "./cors.js";
import { guard } from "./guard.js";
import { handlers } from "./handlers/table.js";
import { methodsOf } from "./methods.js";
import { openApi } from "./openapi.js";
import { type CheckedOptions, checkedOptions, type ServerOptions } from "./options.js";
import { keyOf, queryOf, segment, waitOf } from "./parameters.js";
import { problemReply } from "./problem.js";
import { Buckets } from "./rate.js";
import { type Operation, operations, type Route, routes } from "./routes.js";
import { ListFeed } from "./streams/list-events.js";
import { Streams } from "./streams/streams.js";
import { addressedTo, goneSignal, headersOf, written } from "./wire.js";

export interface App {
  /** `bindings`: what a Node adapter hands on beside the request. */
  fetch(request: Request, bindings?: NodeBindings): Response | Promise<Response>;
  /** Ends event streams and refuses what comes after. Twice is once. */
  close(): void;
}

export interface AppOptions extends ServerOptions {
  /** True when it is reached through a loopback address only; default true. */
  readonly loopback?: boolean;
}

interface Environment {
  Bindings: NodeBindings;
}

/** Throws `server.option-invalid`; `binding.invalid` for unusable callback keys; `server.open-address` when it is open to others and was given no tokens. */
export function createApp(given: AppOptions): App {
  return new HonoApp(given);
}

type Rights = Pick<Call, "control" | "may">;

class HonoApp implements App {
  readonly #options: CheckedOptions;
  readonly #loopback: boolean;
  readonly #tokens: Tokens;
  readonly #core: ServerCore;
  readonly #rate: Buckets;
  readonly #failures: Buckets;
  readonly #hono = new Hono<Environment>();
  readonly #rights = new WeakMap<Principal, Rights>();
  #closed = false;

  constructor(given: AppOptions) {
    this.#options = checkedOptions(given);
    const { tokens, control, work, hints, callbackKeys, limits } = this.#options;
    this.#loopback = given.loopback ?? true;
    this.#tokens = new Tokens(tokens);
    // Unusable keys are refused before anything is answered, not with the first callback.
    verifyCallback("", callbackKeys, 0);
    if (this.#tokens.none && !this.#loopback) {
      throw new SwlError("server.open-address", "A server that others can reach needs tokens.", {
        hint: "give it tokens, or listen on a loopback address",
      });
    }
    this.#core = {
      control,
      work,
      hints: hints && ((listener) => hints.watch(listener)),
      callbackKeys,
      streams: new Streams(limits.streams),
      document: openApi(),
      now: () => Date.now(),
    };
    this.#rate = new Buckets(limits.rate, () => performance.now());
    this.#failures = new Buckets(limits.failures, () => performance.now());
    this.#register();
  }

  fetch(request: Request, bindings: NodeBindings = {}): Response | Promise<Response> {
    return this.#hono.fetch(request, bindings);
  }

  close(): void {
    this.#closed = true;
    this.#core.streams.close();
  }

  #register(): void {
    const feed = new ListFeed(this.#core);
    const table = handlers(() => feed);
    for (const operation of operations) {
      const { method, path } = routes[operation];
      this.#hono.on(method, path, (context) => this.#answer(context, operation, table[operation]));
    }
    this.#hono.all("*", (context) => this.#unrouted(context));
    this.#hono.onError((error, context) =>
      written(this.#failed(error, headersOf(context.req.raw, context.env), context), context.env),
    );
  }

  async #answer(context: Context<Environment>, operation: Operation, handler: Handler): Promise<Response> {
    const { req, env } = context;
    const headers = headersOf(req.raw, env);
    try {
      const reply = await handler(await this.#call(context, operation, headers));
      return written(withCors(reply, headers, this.#options.allowedOrigins), env);
    } catch (error) {
      return written(this.#failed(error, headers, context), env);
    }
  }

  async #call(context: Context<Environment>, operation: Operation, headers: HeaderSource): Promise<Call> {
    const { req, env } = context;
    const route = routes[operation];
    this.#admit(headers, context);
    const principal = this.#principal(route, headers, env.incoming?.socket.remoteAddress ?? "unknown");
    const query = Object.hasOwn(queries, operation) ? queries[operation as keyof typeof queries] : undefined;
    let gone: AbortSignal | undefined;
    return {
      operation,
      core: this.#core,
      principal,
      ...this.#rightsOf(principal),
      headers,
      parameters: parametersOf(context, route),
      query: queryOf(req.url, query) as object,
      body: await this.#body(context, operation, headers),
      key: route.keyed ? keyOf(headers) : undefined,
      wait: route.waits ? waitOf(headers) : 0,
      get gone() {
        gone ??= goneSignal(env);
        return gone;
      },
      bare: req.raw.method === "HEAD",
    };
  }

  /** Made once for each principal. */
  #rightsOf(principal: Principal): Rights {
    let rights = this.#rights.get(principal);
    if (rights === undefined) {
      const may = authorizeFor(principal, this.#options.authorize);
      rights = { may, control: this.#core.control.as(may) };
      this.#rights.set(principal, rights);
    }
    return rights;
  }

  #admit(headers: HeaderSource, { req, env }: Context<Environment>): void {
    if (this.#closed) throw new SwlError("server.stopping", "The server is stopping.");
    const { allowedHosts, allowedOrigins } = this.#options;
    const options = { loopback: this.#loopback, allowedHosts, allowedOrigins };
    guard(headers, addressedTo(req.raw, env), pathOf(req.url), options);
  }

  #principal({ scope }: Route, headers: HeaderSource, address: string): Principal {
    if (scope === "none" || scope === "callback") {
      this.#limit(`address ${address}`);
      if (scope === "callback") this.#refuseFailing(address);
      return anonymous;
    }
    if (this.#tokens.none) {
      this.#limit(`address ${address}`);
      requireScope(anonymous, scope);
      return anonymous;
    }
    this.#refuseFailing(address);
    const principal = this.#tokens.principalOf(headers.get("authorization") ?? undefined, Date.now());
    this.#limit(`bearer ${principal.id}`);
    requireScope(principal, scope);
    return principal;
  }

  #limit(name: string): void {
    if (!this.#rate.take(name))
      throw new SwlError("server.too-many", "Too many requests; ask again in a second.");
  }

  /** Somebody who guesses tokens is not even heard any more. */
  #refuseFailing(address: string): void {
    if (this.#failures.empty(address)) {
      throw new SwlError(
        "server.too-many",
        "Too many requests of this address were refused for their token.",
      );
    }
  }

  async #body(context: Context<Environment>, operation: Operation, headers: HeaderSource): Promise<object> {
    if (!Object.hasOwn(bodies, operation)) return {};
    const schema = bodies[operation as keyof typeof bodies];
    const { raw } = context.req;
    const { incoming } = context.env;
    const empty =
      incoming === undefined
        ? raw.body === null
        : !headers.has("transfer-encoding") && (headers.get("content-length") ?? "0") === "0";
    if (empty && !headers.has("content-type")) return checked(schema, {}, "body") as object;
    const body = await readBody(raw, headers, incoming, this.#options.limits.bodyBytes);
    return checked(schema, body, "body") as object;
  }

  #unrouted(context: Context<Environment>): Response {
    const { req, env } = context;
    const headers = headersOf(req.raw, env);
    try {
      this.#admit(headers, context);
      const allowed = methodsOf(pathOf(req.url));
      if (allowed.length === 0) throw new SwlError("server.route-unknown", "There is no such route.");
      if (req.raw.method === "OPTIONS") {
        return written(preflight(headers, allowed, this.#options.allowedOrigins), env);
      }
      const refused = new SwlError("server.method-refused", `This route takes ${allowed.join(", ")}.`);
      return written(problemReply(refused, { allow: allowed.join(", ") }), env);
    } catch (error) {
      return written(this.#failed(error, headers, context), env);
    }
  }

  #failed(error: unknown, headers: HeaderSource, context: Context<Environment>): Reply {
    const code = isSwlError(error) ? error.code : "server.internal";
    if (code === "server.unauthenticated" || code === "token.invalid") {
      this.#failures.take(context.env.incoming?.socket.remoteAddress ?? "unknown");
    }
    if (!isSwlError(error) || problemless.has(code)) {
      const message = error instanceof Error ? error.message : "what was thrown is no error";
      this.#options.log({ level: "error", code, message });
    }
    return withCors(problemReply(error), headers, this.#options.allowedOrigins);
  }
}

/** Worth a line in the log: the operator's, not the caller's. */
const problemless: ReadonlySet<string> = new Set([
  "server.internal",
  "store.corrupt",
  "store.unavailable",
  "store.unknown-commit",
  "store.incompatible",
]);

function pathOf(url: string): string {
  const rest = url.replace(/^[a-z]+:\/\/[^/?#]*/i, "");
  const path = rest.split(/[?#]/, 1)[0]!;
  return path === "" ? "/" : path;
}

function parametersOf(context: Context<Environment>, route: Route): { readonly [name: string]: string } {
  const found: { [name: string]: string } = {};
  for (const [, name] of route.path.matchAll(/:(\w+)/g)) {
    found[name!] = segment(name!, context.req.param(name!) ?? "");
  }
  return found;
}
