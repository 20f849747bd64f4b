/**
 * The provider of actions that are requests to a server. It tells what it knows: nothing left, a server's word, or that
 * nobody knows. Requests of actions that may not be repeated get a connection of their own, because one that was kept
 * may be closed by the server at the very moment of sending. Spec: INV-call-request, INV-call-sent, INV-call-status.
 */
import { type ActionSettings, type KindContext, openKind, type ProviderKind } from "../bindings/kind.js";
import type { Environment, Secrets } from "../bindings/secrets.js";
import { type LogEntry, tell } from "../log-entry.js";
import type {
  AskOptions,
  CancelAnswer,
  InspectAnswer,
  Invocation,
  InvokeOptions,
  Operation,
  Provider,
  ProviderAbility,
  ProviderAnswer,
} from "../provider.js";
import { failed, mayRepeat } from "../reading/ending.js";
import { inspectionOf } from "../reading/operation-document.js";
import { type CallbackGrant, signCallback } from "../tokens/callback-token.js";
import type { HttpBinding } from "./binding.js";
import { type Agents, agentsOf, type Lookup, systemLookup } from "./connection.js";
import type { Exchange } from "./exchange.js";
import { type HttpAction, readHttp } from "./plan.js";
import { type Asked, type Outgoing, prepare, send } from "./request.js";
import { answerOfResponse, at, bodyOf } from "./status.js";

export interface HttpOptions {
  /** Default `http`; pinned with the run. */
  readonly id?: string;
  /** Default `process.env`. Only what bindings name is taken of it; proxies are not. */
  readonly environment?: Environment;
  readonly log?: (entry: LogEntry) => void;
  /** Signs the tokens of bindings that name a callback without a key. */
  readonly sign?: (grant: CallbackGrant) => string;
  /** Finds every address of a name; default: the system. What it finds is judged all the same. */
  readonly lookup?: Lookup;
}

/** A provider of requests by action name. Throws `binding.invalid` or `binding.secret-missing` with every finding. */
export function http(
  bindings: { readonly [action: string]: HttpBinding },
  options: HttpOptions = {},
): Provider {
  const { sign, lookup, ...common } = options;
  return openKind(httpKindWith({ sign, lookup }), bindings, { environment: process.env, ...common });
}

interface Extras {
  readonly sign: HttpOptions["sign"] | undefined;
  readonly lookup: Lookup | undefined;
}

function httpKindWith({ sign, lookup = systemLookup }: Extras): ProviderKind {
  return {
    name: "http",
    open(actions: ActionSettings, context: KindContext): Provider | undefined {
      const served = new Map<string, Served>();
      for (const [action, settings] of actions) {
        const plan = readHttp(settings);
        settings.done();
        if (plan?.callback !== undefined && plan.callback.key === undefined && sign === undefined) {
          settings.fault("callback: a key is missing", "callback");
        }
        if (plan !== undefined) served.set(action, { plan, ...agents(plan, lookup) });
      }
      return served.size === actions.size ? new HttpProvider(served, context, sign) : undefined;
    },
  };
}

/** The kind `http` of a bindings document. */
export const httpKind: ProviderKind = httpKindWith({ sign: undefined, lookup: undefined });

interface Served {
  readonly plan: HttpAction;
  readonly kept: Agents;
  readonly fresh: Agents;
}

function agents(plan: HttpAction, lookup: Lookup): Pick<Served, "kept" | "fresh"> {
  const { allowed, connectMs } = plan;
  const ca = plan.ca?.reveal();
  const options = { allowed, connectMs, lookup, ...(ca !== undefined && { ca }) };
  return { kept: agentsOf(options, true), fresh: agentsOf(options, false) };
}

class HttpProvider implements Provider {
  readonly id: string;
  readonly #actions: ReadonlyMap<string, Served>;
  readonly #context: KindContext;
  readonly #sign: HttpOptions["sign"] | undefined;

  constructor(
    actions: ReadonlyMap<string, Served>,
    context: KindContext,
    sign: HttpOptions["sign"] | undefined,
  ) {
    this.id = context.id;
    this.#actions = actions;
    this.#context = context;
    this.#sign = sign;
  }

  has(action: string): boolean {
    return this.#actions.has(action);
  }

  can(action: string): readonly ProviderAbility[] {
    const plan = this.#actions.get(action)?.plan;
    if (plan === undefined) return [];
    const abilities: ProviderAbility[] = ["accept"];
    if (plan.inspect !== undefined) abilities.push("inspect");
    if (plan.cancel !== undefined) abilities.push("cancel");
    return abilities;
  }

  async invoke(
    invocation: Invocation,
    { effect }: { readonly effect: string },
    options: InvokeOptions,
  ): Promise<ProviderAnswer> {
    const { action, input, parameters } = invocation;
    const served = this.#actions.get(action);
    if (served === undefined)
      return failed("binding.missing", `no server is bound to action ${action}`, false);
    const { plan } = served;
    const { callback, secrets } = this.#callback(plan, invocation);
    const asked: Asked = { ...invocation, ...(callback && { callback }) };
    const prepared = prepare(plan, asked, { body: { template: plan.body, input, parameters } });
    if (!prepared.ok) {
      const message = secrets.scrub(`the request of action ${action} cannot be made: ${prepared.why}`);
      return failed("provider.request-invalid", message, false);
    }
    const result = await this.#send(prepared.outgoing, served, effect, options.signal);
    if (result.kind === "response") {
      const call = { action, effect, secrets, now: Date.now() };
      return secrets.scrubbed(answerOfResponse(result, plan, call));
    }
    tell(this.#context.log, invocation, "the request had no response", {
      kind: result.kind,
      errno: result.errno,
    });
    if (result.kind === "lost") {
      const message = `the connection to the server of action ${action} was lost after the request may have left: ${result.errno}`;
      return { kind: "unknown", reason: result.reason, message };
    }
    if (result.refused) {
      const message = `the server of action ${action} has an address that the binding does not allow`;
      return failed("provider.address-refused", message, false);
    }
    const message = `the server of action ${action} was not reached, and the request did not leave: ${result.errno}`;
    return failed("provider.unreachable", message, true, { errno: result.errno });
  }

  async inspect(operation: Operation, { signal }: AskOptions): Promise<InspectAnswer> {
    const served = this.#actions.get(operation.action);
    const inspect = served?.plan.inspect;
    if (served === undefined || inspect === undefined) {
      return { kind: "unknown", message: "its binding says no way to ask" };
    }
    const prepared = prepare(inspect, operation, {});
    if (!prepared.ok) return { kind: "unknown", message: `the question cannot be asked: ${prepared.why}` };
    const result = await this.#send(prepared.outgoing, served, "read-only", signal);
    if (result.kind !== "response") return { kind: "unavailable", message: `no response: ${result.errno}` };
    const { status } = result;
    const { secrets } = this.#context;
    if (inspect.notFound.includes(status)) return { kind: "not-found" };
    if (status < 200 || status > 299) return { kind: "unavailable", message: `status ${status}` };
    const body = bodyOf(result, served.plan, { secrets });
    const theirs = at(body, inspect.status);
    const word = (typeof theirs === "string" ? inspect.words.get(theirs) : undefined) ?? theirs;
    return secrets.scrubbed(
      inspectionOf({
        status: word,
        outcome: at(body, inspect.outcome),
        output: at(body, inspect.output),
        error: at(body, inspect.error),
      }),
    );
  }

  async cancel(operation: Operation, { signal }: AskOptions): Promise<CancelAnswer> {
    const served = this.#actions.get(operation.action);
    const cancel = served?.plan.cancel;
    if (served === undefined || cancel === undefined) return { kind: "unsupported" };
    const prepared = prepare(cancel, operation, {});
    if (!prepared.ok) return { kind: "unsupported" };
    const result = await this.#send(prepared.outgoing, served, "idempotent", signal);
    if (result.kind !== "response") return { kind: "unavailable", message: `no response: ${result.errno}` };
    const { status } = result;
    if (status >= 200 && status < 300) return { kind: "acknowledged" };
    const later = status >= 500 || status === 408 || status === 425 || status === 429 || status === 401;
    return later && status !== 501
      ? { kind: "unavailable", message: `status ${status}` }
      : { kind: "unsupported" };
  }

  #send(outgoing: Outgoing, served: Served, effect: string, signal: AbortSignal): Promise<Exchange> {
    const agents = mayRepeat(effect) ? served.kept : served.fresh;
    return send(outgoing, served.plan, agents, signal);
  }

  /** The token is known to this call alone, and kept out of its answer. */
  #callback(
    plan: HttpAction,
    { run, invocation, attempt }: Invocation,
  ): { readonly callback?: Asked["callback"]; readonly secrets: Secrets } {
    const { secrets } = this.#context;
    if (plan.callback === undefined) return { secrets };
    const { url, key, ttlMs } = plan.callback;
    const grant = { run, invocation, attempt, expires: Date.now() + ttlMs };
    const token = key === undefined ? this.#sign!(grant) : signCallback(grant, key);
    return { callback: { url, token }, secrets: secrets.including("callback token", token) };
  }
}
