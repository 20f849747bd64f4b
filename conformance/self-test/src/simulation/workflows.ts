/** The small normalized definitions that simulated hosts run: one of each way in which a run can wait or repeat. */
import type { Json, JsonObject } from "@swl/base";

export const workflowNames = [
  "chain",
  "loop",
  "unsafe",
  "signal",
  "timer",
  "inspected",
  "deferred",
  "update",
  "buffered",
  "stopped",
  "waits",
  "classes",
  "fork",
  "far",
  "near",
  "classes_far",
  "flawed",
  "failing",
] as const;

export type WorkflowName = (typeof workflowNames)[number];

export const effectClasses = ["pure", "read-only", "idempotent", "reconcilable", "unsafe"] as const;

export type Effect = (typeof effectClasses)[number];

/** The effect class of an action is the first part of its name. */
export const effectOf = (action: string): Effect => {
  const [word = ""] = action.split("_");
  if (word === "readonly") return "read-only";
  return effectClasses.find((effect) => effect === word) ?? "idempotent";
};

const retry = { maxAttempts: 12, initialDelayMs: 40, backoff: "fixed", maxDelayMs: 40, jitter: "none" };

function action(name: string, more: JsonObject = {}): JsonObject {
  const effect = effectOf(name);
  return {
    effect,
    outcomes: { ok: {} },
    retry,
    ...(effect === "idempotent" && { onExhausted: "park" }),
    ...more,
  };
}

const call = (name: string, then: string, routes: JsonObject = {}): JsonObject => ({
  kind: "activity",
  action: name,
  input: { $get: ["input"] },
  parameters: null,
  routes: { ok: then, ...routes },
});

function definition(
  id: WorkflowName,
  nodes: JsonObject,
  actions: JsonObject,
  profiles: readonly string[] = [],
): Json {
  return {
    swl: "0.1",
    id,
    requires: ["core", ...profiles].sort(),
    dialects: { numbers: "binary64", expressions: "minimal" },
    start: Object.keys(nodes)[0]!,
    nodes: { done: { kind: "complete", output: { $get: ["from", "output"] } }, ...nodes },
    actions,
    limits: {
      maxActivations: 1_000,
      maxInternalTransitions: 100,
      ...(profiles.includes("buffered-signals") && { maxBufferedSignals: 8 }),
    },
  };
}

const wait = (routes: JsonObject): JsonObject => ({ kind: "await-signal", signal: "go", routes });

const definitions: { readonly [name in WorkflowName]: () => Json } = {
  chain: () =>
    definition(
      "chain",
      { a: call("work", "b"), b: call("pure_work", "c"), c: call("readonly_work", "done") },
      { work: action("work"), pure_work: action("pure_work"), readonly_work: action("readonly_work") },
    ),
  loop: () =>
    definition(
      "loop",
      { a: call("work_again", "done", { again: "a" }) },
      { work_again: action("work_again", { outcomes: { ok: {}, again: {} } }) },
    ),
  unsafe: () =>
    definition(
      "unsafe",
      { a: call("unsafe_charge", "b"), b: call("work", "c"), c: call("unsafe_charge", "done") },
      { unsafe_charge: action("unsafe_charge"), work: action("work") },
    ),
  signal: () =>
    definition("signal", { a: wait({ received: "b" }), b: call("work", "done") }, { work: action("work") }),
  timer: () =>
    definition(
      "timer",
      {
        a: { kind: "await-timer", after: { $literal: "PT1.2S" }, routes: { elapsed: "b" } },
        b: call("unsafe_charge", "c"),
        c: {
          ...wait({ received: "done", late: "done" }),
          deadline: { after: { $literal: "PT0.7S" }, outcome: "late" },
        },
      },
      { unsafe_charge: action("unsafe_charge") },
      ["timers"],
    ),
  inspected: () =>
    definition(
      "inspected",
      { a: call("reconcilable_ship", "b"), b: call("work", "done") },
      { reconcilable_ship: action("reconcilable_ship"), work: action("work") },
      ["reconciliation"],
    ),
  deferred: () =>
    definition(
      "deferred",
      { a: call("unsafe_later", "b"), b: call("work_later", "done") },
      {
        unsafe_later: action("unsafe_later", { deferred: true }),
        work_later: action("work_later", { deferred: true }),
      },
      ["deferred-actions"],
    ),
  update: () =>
    definition(
      "update",
      { a: wait({ received: "b" }), b: call("unsafe_charge", "done") },
      { unsafe_charge: action("unsafe_charge") },
      ["tracked-updates"],
    ),
  buffered: () =>
    definition(
      "buffered",
      {
        a: wait({ received: "b" }),
        b: call("work", "c"),
        c: wait({ received: "d" }),
        d: wait({ received: "done" }),
        done: {
          kind: "complete",
          output: Object.fromEntries(
            ["a", "c", "d"].map((node) => [node, { $get: ["nodes", node, "output"] }]),
          ),
        },
      },
      { work: action("work") },
      ["buffered-signals"],
    ),
  // Its work may be told to stop, and has little time.
  stopped: () =>
    definition(
      "stopped",
      { a: call("unsafe_later", "b"), b: call("work", "done") },
      {
        unsafe_later: action("unsafe_later", { deferred: true, cancellation: "requestable" }),
        work: action("work", { timeouts: { attemptMs: 400 } }),
      },
      ["cancellation-acks", "deferred-actions"],
    ),
  waits: () =>
    definition("waits", { a: call("work", "b"), b: wait({ received: "done" }) }, { work: action("work") }),
  classes: () =>
    definition(
      "classes",
      {
        a: call("pure_work", "b"),
        b: call("readonly_work", "c"),
        c: call("work", "d"),
        d: call("reconcilable_ship", "e"),
        e: call("unsafe_charge", "done"),
      },
      Object.fromEntries(
        ["pure_work", "readonly_work", "work", "reconcilable_ship", "unsafe_charge"].map((name) => [
          name,
          action(name),
        ]),
      ),
      ["reconciliation"],
    ),
  // What ends in `_far` is pulled by workers.
  far: () =>
    definition(
      "far",
      { a: call("unsafe_far", "b"), b: call("work_far", "c"), c: call("unsafe_far", "done") },
      {
        unsafe_far: action("unsafe_far"),
        work_far: action("work_far", { timeouts: { attemptMs: 3_000 } }),
      },
    ),
  near: () =>
    definition(
      "near",
      {
        a: call("unsafe_charge", "b"),
        b: call("work_far", "c"),
        c: call("work", "d"),
        d: call("unsafe_far", "done"),
      },
      Object.fromEntries(
        ["unsafe_charge", "work_far", "work", "unsafe_far"].map((name) => [name, action(name)]),
      ),
    ),
  classes_far: () =>
    definition(
      "classes_far",
      { a: call("pure_far", "b"), b: call("readonly_far", "c"), c: call("work_far", "done") },
      Object.fromEntries(["pure_far", "readonly_far", "work_far"].map((name) => [name, action(name)])),
    ),
  // The engine fails when the first has its answer, or at a state in which the run stands on `flaw`.
  flawed: () =>
    definition(
      "flawed",
      { a: call("unsafe_charge", "flaw"), flaw: wait({ received: "b" }), b: call("work", "done") },
      { unsafe_charge: action("unsafe_charge"), work: action("work") },
      ["buffered-signals"],
    ),
  // What ends in `_fails` fails for good until it has been repaired.
  failing: () =>
    definition(
      "failing",
      { a: call("unsafe_charge", "b"), b: call("work_fails", "c"), c: call("work", "done") },
      {
        unsafe_charge: action("unsafe_charge"),
        work_fails: action("work_fails"),
        work: action("work"),
      },
    ),
  fork: () => ({ model: "fork-join", id: "fork", rounds: 2 }),
};

/** A new object each time: a host freezes what it is given. */
export const definitionOf = (name: WorkflowName): Json => definitions[name]();
