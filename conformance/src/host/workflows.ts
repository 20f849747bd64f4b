/** The small normalized definitions that the checks of a host run. */
import type { Json, JsonObject } from "@swl/base";

const fast = { maxAttempts: 5, initialDelayMs: 20, backoff: "fixed", maxDelayMs: 20, jitter: "none" };
const slow = { ...fast, initialDelayMs: 700, maxDelayMs: 700 };
const once = { ...fast, maxAttempts: 1 };

function action(effect: string, retry: JsonObject): JsonObject {
  return { effect, outcomes: { ok: {} }, retry, ...(effect === "idempotent" && { onExhausted: "park" }) };
}

function definition(id: string, start: string, nodes: JsonObject, actions: JsonObject): Json {
  return {
    swl: "0.1",
    id,
    requires: ["core"],
    dialects: { numbers: "binary64", expressions: "minimal" },
    start,
    nodes: { ...nodes, done: { kind: "complete", output: { $get: ["from", "output"] } } },
    actions,
    limits: { maxActivations: 100_000, maxInternalTransitions: 1_000 },
  };
}

const call = (name: string, then: string): JsonObject => ({
  kind: "activity",
  action: name,
  input: { $get: ["input"] },
  parameters: null,
  routes: { ok: then },
});

/** One idempotent step. */
export const single = definition(
  "single",
  "work",
  { work: call("work", "done") },
  { work: action("idempotent", fast) },
);

/** One step that must not be repeated blindly. */
export const unsafe = definition(
  "single",
  "charge",
  { charge: call("charge", "done") },
  { charge: action("unsafe", once) },
);

/** One step that must end within 150 ms. */
export const limited = definition(
  "limited",
  "work",
  { work: call("work", "done") },
  { work: { ...action("idempotent", fast), timeouts: { operationMs: 150 } } },
);

/** A repeatable step that is tried again only after 700 ms. */
export const patient = definition(
  "patient",
  "work",
  { work: call("work", "done") },
  { work: action("idempotent", slow) },
);

/** Waits for a decision; the first accepted one counts, and its word is the output. */
export const decision = definition(
  "decision",
  "wait",
  { wait: { kind: "await-signal", signal: "decide", routes: { yes: "done", no: "done" } } },
  {},
);

/** Waits, then works with an output that tells which definition it was. */
export function versioned(word: string): Json {
  const nodes = {
    wait: { kind: "await-signal", signal: "go", routes: { received: "work" } },
    work: { ...call("work", "last"), input: { $literal: word } },
    last: { kind: "complete", output: { $literal: word } },
  };
  const base = definition("versioned", "wait", nodes, { work: action("idempotent", fast) }) as JsonObject;
  const { done: _unused, ...used } = base["nodes"] as JsonObject;
  return { ...base, nodes: used };
}
