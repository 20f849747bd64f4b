/** Small definitions and a run that feeds itself events: what the tests of this package share. */
import type { Json } from "@swl/base";
import type { CoreState } from "../src/draft.js";
import { core } from "../src/index.js";
import type { EventBody, Transition } from "../src/model.js";
import type { CorePrepared } from "../src/prepared.js";

type Fields = { readonly [key: string]: Json };

export function contract(effect: string, more: Fields = {}): Fields {
  const retry = {
    maxAttempts: 3,
    initialDelayMs: 1_000,
    backoff: "exponential",
    maxDelayMs: 60_000,
    jitter: "none",
  };
  return { effect, outcomes: { ok: {}, rejected: {} }, retry, ...more };
}

export function activity(routes: Fields, more: Fields = {}): Fields {
  return { kind: "activity", action: "work", input: { $get: ["input"] }, parameters: null, routes, ...more };
}

export const done: Fields = { kind: "complete", output: { $get: ["from", "output"] } };

export function definition(nodes: Fields, actions: Fields, more: Fields = {}): Fields {
  return {
    swl: "0.1",
    id: "sample",
    requires: ["core"],
    dialects: {
      expressions: "minimal",
      numbers: "binary64",
      schema: "https://json-schema.org/draft/2020-12/schema",
    },
    start: Object.keys(nodes)[0] as string,
    nodes,
    actions,
    limits: { maxActivations: 100_000, maxInternalTransitions: 1_000 },
    ...more,
  };
}

/** work → done, with a failed route to `repaired` when asked for. */
export function one(effect: string, more: Fields = {}, routes: Fields = {}): Fields {
  const nodes = { work: activity({ ok: "done", rejected: "done", ...routes }), done };
  return definition(nodes, { work: contract(effect, more) });
}

export function prepared(source: Json): CorePrepared {
  const made = core.prepare(source);
  if (!made.ok) throw new TypeError(made.findings.map((finding) => finding.message).join("\n"));
  return made.value;
}

export type Step = Exclude<Transition<CoreState>, { readonly error: unknown }>;

export class Run {
  readonly prepared: CorePrepared;
  state: CoreState | undefined;
  position = 0;

  constructor(source: Json) {
    this.prepared = prepared(source);
  }

  /** Applies the next event; fails when it is impossible. */
  send(body: EventBody, at?: number): Step {
    const step = this.attempt(body, at);
    if ("error" in step) throw new TypeError(step.error.message);
    return step;
  }

  attempt(body: EventBody, at = this.position * 1_000): Transition<CoreState> {
    this.position += 1;
    const stamp = { id: `e${this.position}`, position: this.position, at };
    const step = core.transition(this.prepared, this.state, { ...stamp, ...body });
    if (!("error" in step)) this.state = step.state;
    return step;
  }

  get view() {
    return core.view(this.prepared, this.state as CoreState);
  }

  get disposition() {
    return core.disposition(this.state as CoreState);
  }
}

export const start = (input: Json = { order: 1 }): EventBody => ({ type: "start", run: "r1", input });

export function result(at: string, attempt = 1, outcome = "ok", output: Json = null): EventBody {
  return { type: "result", invocation: `r1/${at}`, attempt, outcome, output };
}

export function failure(at: string, attempt = 1, retryable = true): EventBody {
  const error = { code: "card.busy", message: "busy", details: null };
  return { type: "failure", invocation: `r1/${at}`, attempt, error, retryable };
}

export function unknown(at: string, attempt = 1): EventBody {
  return { type: "unknown", invocation: `r1/${at}`, attempt, reason: "crash" };
}

export function withdrawn(at: string, attempt = 1): EventBody {
  return { type: "withdrawn", invocation: `r1/${at}`, attempt };
}

export function signal(name: string, outcome?: string, payload: Json = null): EventBody {
  return { type: "signal", messageId: "m1", name, ...(outcome !== undefined && { outcome }), payload };
}

export function update(name: string, outcome?: string, payload: Json = null): EventBody {
  return { type: "update", requestId: "u1", name, ...(outcome !== undefined && { outcome }), payload };
}

export function deadline(kind: "operation" | "await" | "timer", at: string, generation = 1): EventBody {
  return { type: "deadline", kind, key: `${kind}:${at}`, generation };
}

export const cancel: EventBody = { type: "cancel", requestId: "c1" };

export function accepted(at: string, attempt = 1, handle = "op-1"): EventBody {
  return { type: "accepted", invocation: `r1/${at}`, attempt, handle };
}

type Reported = Extract<EventBody, { readonly type: "completion" }>["result"];

/** With a handle of `null` it names none. */
export function completion(
  at: string,
  handle: string | null = "op-1",
  result: Reported = { outcome: "ok", output: null },
): EventBody {
  const named = handle === null ? {} : { handle };
  return { type: "completion", invocation: `r1/${at}`, ...named, messageId: "m1", result };
}

type Inspected = Extract<EventBody, { readonly type: "inspected" }>;

export function inspected(at: string, attempt: number, status: Inspected["status"]): EventBody {
  const told: { readonly [status: string]: Partial<Inspected> } = {
    completed: { result: { outcome: "ok", output: null } },
    failed: { result: { error: { code: "card.stolen", message: "stolen", details: null } } },
  };
  return { type: "inspected", invocation: `r1/${at}`, attempt, status, ...told[status] };
}

export function resolve(
  at: string,
  decision: "complete" | "fail" | "retry" | "reattach",
  more: object = {},
): EventBody {
  return { type: "resolve", requestId: "q1", invocation: `r1/${at}`, decision, ...more };
}

/** Throws on any later write, anywhere inside. */
export function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) frozen(inner);
  }
  return value;
}
