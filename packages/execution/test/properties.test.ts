/**
 * Random histories against random small definitions. A generator that knows the run picks events that a host, a sender
 * or a confused peer could append; impossible ones are answered and skipped, as a host would quarantine them.
 */
import type { Json } from "@swl/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CoreState } from "../src/draft.js";
import { core } from "../src/index.js";
import type { Command, EventBody, StateDocument } from "../src/model.js";
import { executedProfiles } from "../src/profiles.js";
import {
  activity,
  cancel,
  contract,
  deadline,
  definition,
  done,
  failure,
  Run,
  resolve,
  result,
  type Step,
  signal,
  start,
  unknown,
  update,
  withdrawn,
} from "./helpers.js";
import {
  checkOperations,
  type Declared,
  declared,
  members,
  operationEvent,
  operationKinds,
} from "./operation-histories.js";

const effects = ["pure", "read-only", "idempotent", "unsafe", "reconcilable"] as const;
type Effect = (typeof effects)[number];

interface Shape {
  readonly effect: Effect;
  readonly maxAttempts: number;
  readonly failed: boolean;
  readonly deadline: boolean;
  /** The deadline of the waiter comes from data that is no time. */
  readonly timeless: boolean;
  readonly operation: Declared;
}

const shape: fc.Arbitrary<Shape> = fc.record({
  effect: fc.constantFrom(...effects),
  maxAttempts: fc.integer({ min: 1, max: 3 }),
  failed: fc.boolean(),
  deadline: fc.boolean(),
  timeless: fc.constantFrom(false, false, false, true),
  operation: declared,
});

const requires = executedProfiles;
const capacity = 2;

function sample({ effect, maxAttempts, failed, deadline, timeless, operation }: Shape) {
  const retry = { maxAttempts, initialDelayMs: 10, backoff: "exponential", maxDelayMs: 100, jitter: "full" };
  const routes = { ok: "approve", rejected: "pick", exhausted: "stop", ...(failed && { failed: "approve" }) };
  const odd = { "==": [{ "%": [{ var: "nodes.work.visit" }, 2] }, 1] };
  const after = timeless ? { $get: ["input"] } : "PT5S";
  return definition(
    {
      work: activity(routes, { loopLimits: { rejected: 1 } }),
      pick: {
        kind: "choice",
        cases: [{ when: odd, outcome: "odd" }],
        otherwise: "even",
        routes: { odd: "pause", even: "work" },
      },
      pause: { kind: "await-timer", after: "PT1S", routes: { elapsed: "work" } },
      approve: {
        kind: "await-signal",
        signal: "approval",
        deadline: { after, outcome: "expired" },
        routes: {
          approved: "done",
          rework: "work",
          expired: "confirm",
          ...(failed && { failed: "confirm" }),
        },
      },
      confirm: { kind: "await-signal", signal: "receipt", routes: { approved: "done", received: "work" } },
      done,
      stop: { kind: "fail", error: { code: "order.stopped", message: "stopped", details: null } },
    },
    {
      work: contract(effect, {
        retry,
        ...members(operation),
        ...(deadline && { timeouts: { operationMs: 1_000 } }),
      }),
    },
    { requires, limits: { maxActivations: 12, maxInternalTransitions: 100, maxBufferedSignals: capacity } },
  );
}

/** Which event, of which visit and attempt counted back from the newest, and which variant of it. */
const choice = fc.record({
  kind: fc.constantFrom(
    "result",
    "result",
    "result",
    "failure",
    "unknown",
    "withdrawn",
    ...operationKinds,
    "signal",
    "signal",
    "signal",
    "update",
    "fire",
    "fire",
    "cancel",
    "resolve",
    "deadline",
  ),
  back: fc.constantFrom(0, 0, 0, 0, 1),
  older: fc.constantFrom(0, 0, 0, 0, 1),
  variant: fc.nat({ max: 5 }),
  again: fc.boolean(),
});
type Choice = typeof choice extends fc.Arbitrary<infer T> ? T : never;

function body(run: Run, { kind, back, older, variant }: Choice): EventBody {
  const { head, slots } = run.state as CoreState;
  const visits = (slots.get("node:work") as { readonly visits?: number } | undefined)?.visits ?? 1;
  const at = `work#${Math.max(1, visits - back)}`;
  const attempt = Math.max(1, (head.call?.attempt ?? 1) - older);
  switch (kind) {
    case "result":
      return result(at, attempt, ["ok", "rejected", "rejected", "odd"][variant % 4]);
    case "failure":
      return failure(at, attempt, variant % 2 === 0);
    case "unknown":
      return unknown(at, attempt);
    case "withdrawn":
      return withdrawn(at, attempt);
    case "signal":
      return signal(...message(variant), run.position);
    case "update":
      return update(...message(variant), run.position);
    case "fire": {
      const node = head.wait?.signal === null || variant === 0 ? "pause" : "approve";
      const visit = (slots.get(`node:${node}`) as { readonly visits?: number } | undefined)?.visits ?? 1;
      const kind = (node === "pause") === (variant !== 1) ? "timer" : "await";
      return deadline(kind, `${node}#${Math.max(1, visit - back)}`, 1 + older);
    }
    case "cancel":
      return variant < 2 ? cancel : { type: "signal", messageId: "m", name: "other", payload: null };
    case "resolve": {
      const evidence = head.call?.evidence.at(-1)?.position ?? head.last;
      return resolve(at, (["complete", "fail", "retry", "reattach"] as const)[variant % 4]!, {
        outcome: "ok",
        ...(variant > 3 && { fromEvidence: evidence }),
      });
    }
    case "deadline":
      return {
        type: "deadline",
        kind: "operation",
        key: `operation:${at}`,
        generation: head.call?.generation ?? 1,
        unclaimed: variant % 2 === 0,
      };
    default:
      return operationEvent(kind, at, attempt, variant);
  }
}

/** Name and outcome of a signal or an update: usable ones, others, and a name that nobody waits for. */
function message(variant: number): [name: string, outcome: string | undefined] {
  const messages: readonly [string, string | undefined][] = [
    ["other", "approved"],
    ["approval", undefined],
    ["approval", "approved"],
    ["approval", "rework"],
    ["receipt", undefined],
    ["receipt", "odd"],
  ];
  return [...messages[variant]!];
}

interface Witness {
  readonly run: Run;
  readonly shape: Shape;
  readonly folded: Map<string, unknown>;
  head: unknown;
  readonly invokes: Map<string, number[]>;
  readonly retries: Map<string, number>;
  readonly unknowns: Map<string, number>;
  /** Payloads of the signals kept, by name, oldest first. */
  readonly kept: Map<string, Json[]>;
  /** Deadlines of waiters and timers that are armed, with their instants. */
  readonly armed: Map<string, number>;
  /** Activations that have been left. */
  readonly left: Set<string>;
  time: number;
}

function play(shape: Shape, choices: readonly Choice[]): Witness {
  const run = new Run(sample(shape));
  const witness: Witness = {
    run,
    shape,
    folded: new Map(),
    head: null,
    invokes: new Map(),
    retries: new Map(),
    unknowns: new Map(),
    kept: new Map(),
    armed: new Map(),
    left: new Set(),
    time: 0,
  };
  apply(witness, start(), false);
  for (const chosen of choices) apply(witness, body(run, chosen), chosen.again);
  return witness;
}

function apply(witness: Witness, event: EventBody, again: boolean): void {
  const { run } = witness;
  const before = run.state;
  const text = before && JSON.stringify(core.toJSON(before));
  const open = before?.head.call;
  const step = run.attempt(event, (run.position * 7_919) % 10_000);
  if (before !== undefined) expect(JSON.stringify(core.toJSON(before))).toBe(text);
  if ("error" in step) return;
  for (const [key, value] of step.changes.slots) {
    if (value === undefined) witness.folded.delete(key);
    else witness.folded.set(key, value);
  }
  witness.head = step.changes.head;
  if (before !== undefined && core.disposition(before).kind === "closed") {
    expect(JSON.stringify(core.toJSON(step.state))).toBe(text);
    expect(step.commands).toEqual([]);
  }
  if (event.type === "resolve" && event.decision === "retry" && step.effect.kind === "applied" && open) {
    witness.retries.set(open.invocation, (witness.retries.get(open.invocation) ?? 0) + 1);
  }
  if (event.type === "unknown" && step.effect.kind === "applied") {
    witness.unknowns.set(event.invocation, (witness.unknowns.get(event.invocation) ?? 0) + 1);
  }
  step.commands.forEach((command) => {
    authorized(witness, command);
  });
  buffered(witness, event, step);
  timed(witness, event, step);
  checkOperations(witness.left, witness.shape.effect, before, event, step);
  expect(step.state.head.time).toBeGreaterThanOrEqual(witness.time);
  witness.time = step.state.head.time;
  standing(step.state);
  if (again) duplicate(run, step.state, event);
}

function authorized({ invokes, retries, shape, unknowns }: Witness, command: Command): void {
  if (command.kind !== "invoke") return;
  const attempts = invokes.get(command.invocation) ?? [];
  const allowed = shape.maxAttempts + (retries.get(command.invocation) ?? 0);
  attempts.push(command.attempt);
  invokes.set(command.invocation, attempts);
  expect(attempts).toEqual(attempts.map((_, index) => index + 1));
  expect(attempts.length).toBeLessThanOrEqual(allowed);
  // Unsafe work of which nobody knows the result is tried again only by a decision, one attempt each; or its operation
  // is told to have failed.
  if (shape.effect === "unsafe" && !shape.operation.deferred) {
    expect(retries.get(command.invocation) ?? 0).toBeGreaterThanOrEqual(
      unknowns.get(command.invocation) ?? 0,
    );
  }
}

/** Signals leave in the order in which they came, each once; one that a waiter took is what the waiter recorded. */
function buffered({ run, kept }: Witness, event: EventBody, step: Step): void {
  if (step.effect.kind === "buffered") {
    expect(event.type).toBe("signal");
    const { name, payload } = event as Extract<EventBody, { readonly type: "signal" }>;
    kept.set(name, [...(kept.get(name) ?? []), payload]);
  }
  for (const [node, name] of [
    ["approve", "approval"],
    ["confirm", "receipt"],
  ] as const) {
    const gone = [...step.changes.slots].filter(
      ([key, value]) => key.startsWith(`signal:${name}#`) && value === undefined,
    );
    const taken = (kept.get(name) ?? []).splice(0, gone.length);
    expect(taken).toHaveLength(gone.length);
    const left = step.edges.some((edge) => edge.node === node && edge.route !== "failed");
    const byItself = event.type !== "signal" && event.type !== "update" && event.type !== "deadline";
    const record = step.state.slots.get(`node:${node}`) as { readonly output: Json } | undefined;
    if (left && byItself) expect(record?.output).toEqual(taken.at(-1));
  }
  const counts = [...kept].filter(([, list]) => list.length > 0).map(([name, { length }]) => [name, length]);
  const { buffer = [] } = core.view(run.prepared, step.state);
  expect(buffer.map(({ signal, count }) => [signal, count])).toEqual(counts.sort());
  expect(buffer.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(capacity);
}

/** What fires was armed and fires once; what is armed can be read from the state. */
function timed({ armed }: Witness, event: EventBody, step: Step): void {
  if (event.type === "deadline" && event.kind !== "operation") {
    expect(step.effect.kind === "applied").toBe(armed.has(event.key) && event.generation === 1);
    if (step.effect.kind === "applied") armed.delete(event.key);
    else expect([step.edges, step.commands]).toEqual([[], []]);
  }
  for (const command of step.commands) {
    if (command.kind === "clear-deadline") armed.delete(command.key);
    if (command.kind === "set-deadline" && command.deadline !== "operation")
      armed.set(command.key, command.at);
  }
  expect(armed.size).toBeLessThanOrEqual(1);
  const outstanding = core
    .outstanding(step.state)
    .flatMap((one) => (one.kind === "deadline" && one.deadline !== "operation" ? [[one.key, one.at]] : []));
  expect(outstanding).toEqual([...armed]);
}

/** Every state that is not closed waits for something, and survives its portable form. */
function standing(state: CoreState): void {
  const disposition = core.disposition(state);
  if (disposition.kind !== "closed") expect(disposition.blockers.length).toBeGreaterThan(0);
  if (disposition.kind !== "open") expect(core.outstanding(state)).toEqual([]);
  const document = core.toJSON(state);
  const read = core.fromJSON(JSON.parse(JSON.stringify(document)) as StateDocument);
  expect(core.toJSON(read)).toEqual(document);
}

function duplicate(run: Run, state: CoreState, event: EventBody): void {
  const position = run.position;
  const step = core.transition(run.prepared, state, { id: "again", position, at: 1, ...event });
  if ("error" in step) throw new TypeError(step.error.message);
  expect(step.state).toBe(state);
  expect(step.commands).toEqual([]);
  expect(step.effect.kind).toBe("none");
}

describe("random histories", () => {
  it("never break what the language promises [EXE-transition EXE-attempts EXE-unknown EXE-buffer EXE-stale-deadline EXE-completion EXE-reconcile]", () => {
    fc.assert(
      fc.property(shape, fc.array(choice, { maxLength: 30, size: "max" }), (shape, choices) => {
        const { run, folded, head } = play(shape, choices);
        const document = core.toJSON(run.state as CoreState);
        expect(head).toEqual(document.head);
        expect(Object.fromEntries(folded)).toEqual(document.slots);
        core.view(run.prepared, run.state as CoreState);
      }),
      { numRuns: 400 },
    );
  });

  it("lead to the same state when the state is read back before every event [EXE-state]", () => {
    fc.assert(
      fc.property(shape, fc.array(choice, { maxLength: 20, size: "max" }), (shape, choices) => {
        const kept = new Run(sample(shape));
        const reread = new Run(sample(shape));
        for (const run of [kept, reread]) run.send(start());
        for (const chosen of choices) {
          const event = body(kept, chosen);
          const document = JSON.stringify(core.toJSON(reread.state as CoreState));
          reread.state = core.fromJSON(JSON.parse(document) as StateDocument);
          expect(reread.attempt(event)).toEqual(kept.attempt(event));
        }
      }),
      { numRuns: 150 },
    );
  });
});
