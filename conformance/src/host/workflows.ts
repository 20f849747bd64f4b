/** The small normalized definitions that the checks of a host run. */
import type { Json, JsonObject } from "@swl/base";

/** Tried five times, 20 ms apart. */
export const fast = { maxAttempts: 5, initialDelayMs: 20, backoff: "fixed", maxDelayMs: 20, jitter: "none" };
const slow = { ...fast, initialDelayMs: 3_600_000, maxDelayMs: 3_600_000 };
export const once = { ...fast, maxAttempts: 1 };

export function action(effect: string, retry: JsonObject): JsonObject {
  return { effect, outcomes: { ok: {} }, retry, ...(effect === "idempotent" && { onExhausted: "park" }) };
}

export function definition(
  id: string,
  start: string,
  nodes: JsonObject,
  actions: JsonObject,
  profiles: readonly string[] = [],
): Json {
  return {
    swl: "0.1",
    id,
    requires: ["core", ...profiles],
    dialects: { numbers: "binary64", expressions: "minimal" },
    start,
    nodes: { ...nodes, done: { kind: "complete", output: { $get: ["from", "output"] } } },
    actions,
    limits: { maxActivations: 100_000, maxInternalTransitions: 1_000 },
  };
}

export const call = (name: string, then: string): JsonObject => ({
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

/** So many steps, one after another. */
export function again(count: number): Json {
  const step = (index: number) => call("work", index === count ? "done" : `step${index + 1}`);
  const steps = Array.from({ length: count }, (_, index) => [`step${index + 1}`, step(index + 1)] as const);
  return definition("again", "step1", Object.fromEntries(steps), { work: action("idempotent", fast) });
}

/** A repeatable step that is tried again only after an hour. */
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

/** Waits for a decision that may come as an update. */
export const tracked: Json = { ...(decision as JsonObject), requires: ["core", "tracked-updates"] };

/** One step whose provider may accept it and complete it later. `requestable`: it may be asked to stop. */
export function deferred(effect: string, requestable = false): Json {
  const contract = {
    ...action(effect, once),
    deferred: true,
    ...(requestable && { cancellation: "requestable" }),
  };
  const profiles = [
    ...(requestable ? ["cancellation-acks"] : []),
    "deferred-actions",
    ...(effect === "reconcilable" ? ["reconciliation"] : []),
  ];
  return definition("deferred", "work", { work: call("work", "done") }, { work: contract }, profiles);
}

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

/** One step after another, each with what the run takes. */
export const twoSteps = definition(
  "two-steps",
  "first",
  { first: call("first", "second"), second: call("second", "done") },
  { first: action("idempotent", once), second: action("idempotent", once) },
);

/** Marks a part of what the run takes, of what the step takes and gives, and of what the signal brings. */
export const marked: Json = {
  ...(definition(
    "marked",
    "work",
    {
      work: call("work", "wait"),
      wait: {
        kind: "await-signal",
        signal: "decide",
        sensitive: { payloads: { yes: ["/pin"] } },
        routes: { yes: "both", no: "done" },
      },
      both: {
        kind: "complete",
        output: { work: { $get: ["nodes", "work", "output"] }, wait: { $get: ["nodes", "wait", "output"] } },
      },
    },
    {
      work: {
        ...action("unsafe", once),
        sensitive: { input: ["/card"], outputs: { ok: ["/secret"] } },
      },
    },
  ) as JsonObject),
  sensitive: { input: ["/card"] },
};
