/**
 * The in-process provider: actions are functions of the host's own process. It isolates them from the run's data
 * (every call gets its own copy, every result is checked and copied) and never rejects. What it cannot do is stop a
 * function that ignores its signal: the host's grace decides then. Spec: INV-in-process.
 */
import { type Json, SwlError, setOwn, toJson } from "@swl/base";
import { type LogEntry, tell } from "../log-entry.js";
import type { Invocation, Provider, ProviderAnswer } from "../provider.js";
import { keepable } from "../reading/text.js";
import type { ActionContext, ActionFunction } from "./action.js";
import { answerOfResult, answerOfThrown } from "./answer.js";
import { Calls, inspected, type OperationFunctions } from "./operations.js";
import type { FunctionsOf } from "./typed.js";

/** A function with what it declares about itself. */
export interface ActionBinding extends OperationFunctions {
  readonly run: ActionFunction;
  /** `explicit`: the effect cannot happen before the function calls `context.begin()`. */
  readonly begins?: "explicit";
}

export interface ActionFunctions {
  readonly [action: string]: ActionFunction | ActionBinding;
}

export interface InProcessOptions {
  /** Default `in-process`; pinned with the run. */
  readonly id?: string;
  /** Gets what actions log; default: nowhere. What it throws is dropped. */
  readonly log?: (entry: LogEntry) => void;
}

/**
 * A provider of functions by action name. Throws `binding.invalid` naming every entry that is neither a function nor
 * `{ run, begins?, inspect?, cancel? }`. The table is read once: later changes of it have no effect. With a workflow of `defineWorkflow`
 * named, `inProcess<typeof order>({ … })`, the functions are held to its types.
 */
export function inProcess<Workflow = unknown>(
  functions: FunctionsOf<NoInfer<Workflow>>,
  options: InProcessOptions = {},
): Provider {
  const bindings = readBindings(functions as ActionFunctions);
  const log = options.log ?? (() => {});
  const calls = new Calls();
  return {
    id: options.id ?? "in-process",
    has: (action) => bindings.has(action),
    names: [...bindings.keys()],
    // A call of this process can always be told to stop.
    can: (action) => ["accept", "cancel", ...(bindings.get(action)?.inspect ? (["inspect"] as const) : [])],
    async invoke(invocation, contract, options): Promise<ProviderAnswer> {
      const binding = bindings.get(invocation.action);
      if (binding === undefined) return notBound(invocation.action);
      const { signal, end: over } = calls.begin(invocation, options.signal);
      const context = new Context(invocation, signal, log);
      const end = () => ({
        action: invocation.action,
        effect: contract.effect,
        untouched: binding.begins === "explicit" && !context.begun,
        signal,
      });
      try {
        const run = binding.run;
        return answerOfResult(await run(copy(invocation.input), context), end());
      } catch (thrown) {
        return answerOfThrown(thrown, end());
      } finally {
        over();
      }
    },
    inspect: (operation, { signal }) => inspected(bindings.get(operation.action) ?? {}, operation, signal),
    cancel: (operation, { signal }) => calls.cancel(bindings.get(operation.action) ?? {}, operation, signal),
  };
}

class Context implements ActionContext {
  readonly run: string;
  readonly invocation: string;
  readonly activation: string;
  readonly action: string;
  readonly attempt: number;
  readonly idempotencyKey: string;
  readonly traceparent?: string;
  readonly parameters: Json;
  readonly signal: AbortSignal;
  readonly begin: () => void;
  readonly log: (message: string, data?: unknown) => void;
  #begun = false;

  constructor(invocation: Invocation, signal: AbortSignal, log: (entry: LogEntry) => void) {
    this.run = invocation.run;
    this.invocation = invocation.invocation;
    this.activation = invocation.activation;
    this.action = invocation.action;
    this.attempt = invocation.attempt;
    this.idempotencyKey = invocation.idempotencyKey;
    if (invocation.traceparent !== undefined) this.traceparent = invocation.traceparent;
    this.parameters = copy(invocation.parameters);
    this.signal = signal;
    // Own functions, so that an action may take its context apart.
    this.begin = () => {
      this.#begun = true;
    };
    this.log = (message, data = null) => writeLog(log, invocation, message, data);
  }

  get begun(): boolean {
    return this.#begun;
  }
}

function writeLog(log: (entry: LogEntry) => void, of: Invocation, message: string, data: unknown): void {
  const json = toJson(data);
  tell(log, of, keepable(message), json.ok ? json.value : null);
}

function readBindings(functions: ActionFunctions): ReadonlyMap<string, ActionBinding> {
  const bindings = new Map<string, ActionBinding>();
  const faults: string[] = [];
  for (const [action, given] of Object.entries(functions) as readonly (readonly [string, unknown])[]) {
    const binding = typeof given === "function" ? { run: given } : given;
    if (isBinding(binding)) bindings.set(action, { ...binding });
    else faults.push(action);
  }
  if (faults.length > 0) {
    throw new SwlError(
      "binding.invalid",
      `bound to neither a function nor { run, begins?: "explicit", inspect?, cancel? }: ${faults.join(", ")}`,
      { details: { actions: faults } },
    );
  }
  return bindings;
}

function isBinding(value: unknown): value is ActionBinding {
  if (typeof value !== "object" || value === null) return false;
  const { run, begins, inspect, cancel } = value as { readonly [member: string]: unknown };
  const optional = [inspect, cancel].every((one) => one === undefined || typeof one === "function");
  return typeof run === "function" && optional && (begins === undefined || begins === "explicit");
}

function notBound(action: string): ProviderAnswer {
  const message = keepable(`no function is bound to action ${action}`);
  return { kind: "failed", error: { code: "binding.missing", message, details: null }, retryable: false };
}

/** A copy of JSON that nobody else holds. */
function copy(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copy);
  const fresh: { [key: string]: Json } = {};
  for (const key of Object.keys(value)) setOwn(fresh, key, copy((value as { [key: string]: Json })[key]!));
  return fresh;
}
