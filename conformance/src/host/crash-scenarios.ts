/**
 * The workflows that hosts are crashed in, each with what its provider does and what somebody outside brings. Whoever
 * is outside asks again under the same ID until an answer has come, and decides about parked work by the ledger.
 */
import type { Json, JsonObject } from "@swl/base";
import type {
  ControlAnswer,
  Explanation,
  InspectAnswer,
  Invocation,
  ProviderAnswer,
} from "@swl/invocation-control";
import { forkJoin } from "../models/fork-join.js";
import type { EffectLedger } from "./effect-ledger.js";
import type { HostSetting, HostUnderTest } from "./harness.js";
import { action, call, decision, deferred, definition, fast, once, tracked } from "./workflows.js";

/** What a scenario's provider sees of its world. */
export interface World {
  readonly ledger: EffectLedger;
  /** Fulfilled when the request with this ID has been acknowledged. */
  heard(request: string): Promise<void>;
}

/** What somebody outside sees and can do. */
export interface Outside extends World {
  readonly host: HostUnderTest;
  readonly run: string;
  readonly why: Explanation;
  /** True once the request was acknowledged; else it is made. */
  say(request: string, make: (id: string) => Promise<ControlAnswer>): Promise<boolean>;
}

export interface CrashScenario {
  readonly title: string;
  readonly definition: Json;
  readonly models?: HostSetting["models"];
  /** Hosts that come up at once when one has died; default 1. */
  readonly successors?: number;
  /** True: which effects there are depends on when the host died (a cancel that comes first leaves none). */
  readonly anyEffects?: boolean;
  /** What becomes of an attempt. An effect that it has is written to the ledger by it, at once. */
  answer?(call: Invocation, world: World): ProviderAnswer | Promise<ProviderAnswer>;
  /** Whether the provider can be asked and be told to stop. */
  readonly asked?: boolean;
  outside?(outside: Outside): Promise<unknown>;
}

const done = (outcome = "ok", output: Json = null): ProviderAnswer => ({
  kind: "completed",
  outcome,
  output,
});

/** Completes, with an output that tells which step it was. */
export function completes(of: Invocation, { ledger }: World): ProviderAnswer {
  const answer = done("ok", of.idempotencyKey.slice(of.run.length));
  ledger.write(of, answer);
  return answer;
}

function accepts(of: Invocation, { ledger }: World): ProviderAnswer {
  const answer: ProviderAnswer = { kind: "accepted", handle: `op:${of.activation}` };
  ledger.write(of, answer);
  return answer;
}

/** The effect is there, and its answer is lost on the way. */
function loses(of: Invocation, world: World): ProviderAnswer {
  completes(of, world);
  return { kind: "unknown", reason: "ack-lost" };
}

/** What a provider that can be asked says. */
export function inspected(key: string, { ledger }: World): InspectAnswer {
  const answer = ledger.ofKey(key)?.answer;
  if (answer === undefined) return { kind: "not-found" };
  return answer.kind === "completed" ? answer : { kind: "running" };
}

async function complete({ host, run, ledger, say }: Outside): Promise<unknown> {
  const effect = ledger.all.find(({ answer }) => answer.kind === "accepted");
  if (effect?.answer.kind !== "accepted") return false;
  const { invocation, answer } = effect;
  return say("done", (messageId) =>
    host.complete({ run, messageId, invocation, handle: answer.handle, outcome: "ok", output: "later" }),
  );
}

const waits = (signal: string, then: string): JsonObject => ({
  kind: "await-signal",
  signal,
  routes: { received: then },
});

const stop =
  ({ host, run }: Outside) =>
  (requestId: string) =>
    host.cancel({ run, requestId });

const chain = definition(
  "chain",
  "first",
  { first: call("pay", "second"), second: call("pay", "third"), third: call("pay", "done") },
  { pay: action("unsafe", once) },
);
const single = (effect: string, profiles: readonly string[] = []) =>
  definition(
    "single",
    "work",
    { work: call("work", "done") },
    { work: action(effect, effect === "unsafe" ? once : fast) },
    profiles,
  );
const loop = definition(
  "loop",
  "work",
  {
    work: { ...call("work", "done"), routes: { again: "work", exhausted: "done" }, loopLimits: { again: 2 } },
  },
  { work: { ...action("idempotent", fast), outcomes: { again: {} } } },
);
const signals = definition(
  "signals",
  "work",
  {
    work: call("work", "one"),
    one: waits("next", "two"),
    two: waits("next", "three"),
    three: waits("next", "all"),
    all: {
      kind: "complete",
      output: ["one", "two", "three"].map((node) => ({ $get: ["nodes", node, "output"] })),
    },
  },
  { work: action("idempotent", fast) },
  ["buffered-signals"],
) as JsonObject;
const timer = definition(
  "timer",
  "pause",
  {
    pause: { kind: "await-timer", after: "PT0.3S", routes: { elapsed: "work" } },
    work: call("work", "done"),
  },
  { work: action("idempotent", fast) },
  ["timers"],
);

export const crashScenarios: readonly CrashScenario[] = [
  { title: "a chain of unsafe steps", definition: chain },
  {
    title: "retries of a repeatable step",
    definition: single("idempotent"),
    answer(of, world) {
      if (of.attempt >= 3) return completes(of, world);
      const error = { code: "busy", message: "Try again.", details: null };
      return { kind: "failed", retryable: true, error };
    },
  },
  {
    title: "a loop with a limit",
    definition: loop,
    answer(of, { ledger }) {
      ledger.write(of, done("again", of.activation));
      return done("again", of.activation);
    },
  },
  {
    title: "signals before and while the run waits for them",
    definition: withoutDone(signals),
    async answer(of, world) {
      await world.heard("s1");
      return completes(of, world);
    },
    async outside({ host, run, say, why }) {
      const send = (payload: number) => (messageId: string) =>
        host.signal({ run, messageId, name: "next", payload });
      if (!(await say("s1", send(1))) || why.status !== "waiting") return false;
      return (await say("s2", send(2))) && say("s3", send(3));
    },
  },
  { title: "a timer", definition: timer },
  {
    title: "a cancel while an attempt is under way",
    definition: single("unsafe"),
    anyEffects: true,
    async answer(of, world) {
      const answer = completes(of, world);
      await world.heard("stop");
      return answer;
    },
    async outside(outside) {
      const begun = outside.ledger.all.length > 0 || outside.why.status === "needs-intervention";
      return begun && outside.say("stop", stop(outside));
    },
  },
  { title: "a parked step that somebody resolves", definition: single("unsafe"), answer: loses },
  {
    title: "work that is completed later",
    definition: deferred("unsafe"),
    answer: accepts,
    outside: complete,
  },
  {
    title: "unknown work that is asked about",
    definition: withRetry(deferred("reconcilable")),
    answer: loses,
    asked: true,
  },
  {
    title: "accepted work that is asked to stop",
    definition: deferred("unsafe", true),
    anyEffects: true,
    asked: true,
    answer: accepts,
    async outside(outside) {
      const { ledger, why } = outside;
      if (ledger.all.length === 0 || !(await outside.say("stop", stop(outside)))) return false;
      return (ledger.stops.length > 0 || why.status === "needs-intervention") && complete(outside);
    },
  },
  {
    title: "an update",
    definition: tracked,
    async outside({ host, run, say, why }) {
      if (why.status !== "waiting") return false;
      return say("u1", (requestId) =>
        host.update({ run, requestId, name: "decide", outcome: "yes", payload: "updated" }),
      );
    },
  },
  {
    title: "three branches at once, in a model that is not SWL",
    definition: { model: "fork-join", id: "three", rounds: 2 },
    models: [forkJoin],
    async outside({ host, run, say, why }) {
      if (why.blockers[0]?.kind !== "signal") return false;
      return say("go", (messageId) => host.signal({ run, messageId, name: "go", payload: true }));
    },
  },
  {
    title: "a decision and a step that two hosts take over",
    definition: definition(
      "shared",
      "pay",
      {
        pay: call("pay", "wait"),
        wait: { ...(decisionNode() as JsonObject), routes: { yes: "work", no: "work" } },
        work: call("work", "done"),
      },
      { pay: action("unsafe", once), work: action("idempotent", fast) },
    ),
    successors: 2,
    async outside({ host, run, say, why }) {
      if (why.status !== "waiting") return false;
      return say("m1", (messageId) =>
        host.signal({ run, messageId, name: "decide", outcome: "yes", payload: 1 }),
      );
    },
  },
];

function decisionNode(): Json {
  return ((decision as JsonObject)["nodes"] as JsonObject)["wait"] ?? null;
}

function withoutDone(given: JsonObject): Json {
  const { done: _unused, ...nodes } = given["nodes"] as JsonObject;
  return { ...given, nodes };
}

/** What nobody had begun is begun again. */
function withRetry(given: Json): Json {
  const { work } = (given as JsonObject)["actions"] as JsonObject;
  return { ...(given as JsonObject), actions: { work: { ...(work as JsonObject), retry: fast } } };
}
