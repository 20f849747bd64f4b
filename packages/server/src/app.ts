/**
 * The server without a socket: requests in, answers out. Every request passes the same checks in the same order (stopping,
 * host, origin and path; route and method; rate; bearer; parameters; body) before its handler sees it, and whatever is
 * thrown is answered as a problem. Spec: INV-http-routes, INV-http-guard, INV-http-access.
 */
import { isSwlError, SwlError } from "@swl/base";
import { type Context, Hono } from "hono";
import { anonymous, authorizeFor, type Principal, requireScope, Tokens } from "./access.js";
import { checked, readBody } from "./body.js";
import type { Handler, NodeBindings, ServerCore } from "./call.js";
import { bodies, queries } from "./contracts/requests.js";
import { corsHeaders, preflight } from "./cors.js";
import { guard } from "./guard.js";
import { handlers } from "./handlers/table.js";
import { methodsOf } from "./methods.js";
import { openApi } from "./openapi.js";
import { type CheckedOptions, checkedOptions, type ServerOptions } from "./options.js";
import { keyOf, queryOf, segment, waitOf } from "./parameters.js";
import { problemResponse } from "./problem.js";
import { Buckets } from "./rate.js";
import { type Operation, operations, type Route, routes } from "./routes.js";
import { ListFeed } from "./streams/list-events.js";
import { Streams } from "./streams/streams.js";

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

/** Throws `server.option-invalid`; `server.open-address` when it is open to others and was given no tokens. */
export function createApp(given: AppOptions): App {
  return new HonoApp(given);
}

class HonoApp implements App {
  readonly #options: CheckedOptions;
  readonly #loopback: boolean;
  readonly #tokens: Tokens;
  readonly #core: ServerCore;
  readonly #rate: Buckets;
  readonly #failures: Buckets;
  readonly #hono = new Hono<Environment>();
  #closed = false;

  constructor(given: AppOptions) {
    this.#options = checkedOptions(given);
    const { tokens, control, work, hints, callbackKeys, limits } = this.#options;
    this.#loopback = given.loopback ?? true;
    this.#tokens = new Tokens(tokens);
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
    this.#hono.onError((error, context) => this.#failed(error, context.req.raw.headers));
  }

  async #answer(context: Context<Environment>, operation: Operation, handler: Handler): Promise<Response> {
    const { raw } = context.req;
    const { headers } = raw;
    const route = routes[operation];
    try {
      this.#admit(headers, context.req.url);
      const address = context.env.incoming?.socket.remoteAddress ?? "unknown";
      const principal = this.#principal(route, headers, address);
      const response = await handler({
        operation,
        core: this.#core,
        principal,
        control: this.#core.control.as(authorizeFor(principal, this.#options.authorize)),
        headers,
        parameters: parametersOf(context, route),
        query: queryOf(
          context.req.url,
          Object.hasOwn(queries, operation) ? queries[operation as keyof typeof queries] : undefined,
        ),
        body: await this.#body(context, operation),
        key: route.keyed ? keyOf(headers) : undefined,
        wait: route.waits ? waitOf(headers) : 0,
        gone: goneSignal(context),
        bare: raw.method === "HEAD",
      });
      return corsHeaders(response, headers, this.#options.allowedOrigins);
    } catch (error) {
      return this.#failed(error, headers, context);
    }
  }

  #admit(headers: Headers, url: string): void {
    if (this.#closed) throw new SwlError("server.stopping", "The server is stopping.");
    const { allowedHosts, allowedOrigins } = this.#options;
    guard(headers, pathOf(url), { loopback: this.#loopback, allowedHosts, allowedOrigins });
  }

  #principal({ scope }: Route, headers: Headers, address: string): Principal {
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

  async #body(context: Context<Environment>, operation: Operation): Promise<object> {
    if (!Object.hasOwn(bodies, operation)) return {};
    const schema = bodies[operation as keyof typeof bodies];
    const { raw } = context.req;
    const { headers } = raw;
    const incoming = context.env.incoming;
    const empty =
      incoming === undefined
        ? raw.body === null
        : !headers.has("transfer-encoding") && (headers.get("content-length") ?? "0") === "0";
    if (empty && !headers.has("content-type")) return checked(schema, {}, "body") as object;
    return checked(schema, await readBody(raw, incoming, this.#options.limits.bodyBytes), "body") as object;
  }

  #unrouted(context: Context<Environment>): Response {
    const { headers, method } = context.req.raw;
    try {
      this.#admit(headers, context.req.url);
      const allowed = methodsOf(pathOf(context.req.url));
      if (allowed.length === 0) throw new SwlError("server.route-unknown", "There is no such route.");
      if (method === "OPTIONS") return preflight(headers, allowed, this.#options.allowedOrigins);
      const refused = new SwlError("server.method-refused", `This route takes ${allowed.join(", ")}.`);
      return problemResponse(refused, { allow: allowed.join(", ") });
    } catch (error) {
      return this.#failed(error, headers, context);
    }
  }

  #failed(error: unknown, headers: Headers, context?: Context<Environment>): Response {
    const code = isSwlError(error) ? error.code : "server.internal";
    if (code === "server.unauthenticated" || code === "token.invalid") {
      this.#failures.take(context?.env.incoming?.socket.remoteAddress ?? "unknown");
    }
    if (!isSwlError(error) || problemless.has(code)) {
      const message = error instanceof Error ? error.message : "what was thrown is no error";
      this.#options.log({ level: "error", code, message });
    }
    return corsHeaders(problemResponse(error), headers, this.#options.allowedOrigins);
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

/** Made only for what may wait; everything else is over before anybody could leave. */
function goneSignal({ env }: Context<Environment>): AbortSignal {
  const { outgoing } = env;
  if (outgoing === undefined) return never;
  const controller = new AbortController();
  outgoing.once("close", () => controller.abort());
  return controller.signal;
}

const never = new AbortController().signal;
