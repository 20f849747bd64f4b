/**
 * The promises of the language in every state that small definitions can be brought into, whatever arrives in whatever
 * order. The number of states stands in the title of each test and is part of what it claims.
 */
import type { Json } from "@swl/base";
import { describe, expect, it } from "vitest";
import { core } from "../src/index.js";
import { type Bounds, explore, type Taken } from "./explore.js";
import { activity, contract, definition, done, prepared } from "./helpers.js";

const full = Boolean(process.env["SWL_FULL"]);
const retry = { maxAttempts: 2, initialDelayMs: 10, backoff: "fixed", maxDelayMs: 10, jitter: "none" };
const stop = { kind: "fail", error: { code: "order.stopped", message: "stopped", details: null } };
const approve = { kind: "await-signal", signal: "approval", routes: { approved: "done", rework: "work" } };

function single(effect: string): Json {
  const nodes = { work: activity({ ok: "done", rejected: "stop" }), done, stop };
  return definition(nodes, { work: contract(effect, { retry, timeouts: { operationMs: 1_000 } }) });
}

/** A loop through a person, with everything that ends it. */
function loop(effect: string, maxActivations: number, profiles: readonly string[] = []): Json {
  const timed = profiles.includes("timers");
  const routes = { ok: "approve", rejected: "work", failed: "pause", exhausted: "stop" };
  return definition(
    {
      work: activity(routes, { loopLimits: { rejected: 1 } }),
      approve: { ...approve, ...(timed && { deadline: { after: "PT1S", outcome: "rework" } }) },
      pause: timed
        ? { kind: "await-timer", after: "PT1S", routes: { elapsed: "work" } }
        : { kind: "await-signal", signal: "receipt", routes: { approved: "work" } },
      done,
      stop,
    },
    { work: contract(effect, { retry }) },
    { requires: ["core", ...profiles], limits: { maxActivations, maxInternalTransitions: 100 } },
  );
}

interface Space {
  readonly of: string;
  readonly definition: Json;
  readonly bounds: Bounds;
  /** How many there are. */
  readonly states: number;
}

const one: Bounds = { states: 1_000_000, evidence: 1, retries: 1, kept: 1 };
const unheard: Bounds = { ...one, evidence: 0 };

/** All their states, every day. */
const spaces: readonly Space[] = [
  { of: "one unsafe call with a deadline", definition: single("unsafe"), bounds: one, states: 869 },
  { of: "one idempotent call with a deadline", definition: single("idempotent"), bounds: one, states: 737 },
  { of: "one pure call with a deadline", definition: single("pure"), bounds: one, states: 177 },
  { of: "a loop of unsafe calls", definition: loop("unsafe", 3), bounds: unheard, states: 8_185 },
  {
    of: "a loop of pure calls with kept signals",
    definition: loop("pure", 3, ["buffered-signals"]),
    bounds: unheard,
    states: 4_469,
  },
  {
    of: "a loop of read-only calls with kept signals and times",
    definition: loop("read-only", 3, ["timers", "buffered-signals"]),
    bounds: unheard,
    states: 3_050,
  },
];

/** As many of their states as there is time for. */
const vast: readonly Space[] = [
  {
    of: "a loop of unsafe calls with late words, kept signals and times",
    definition: loop("unsafe", 5, ["timers", "buffered-signals"]),
    bounds: { states: 1_000_000, evidence: 2, retries: 2, kept: 2 },
    states: 1_000_000,
  },
];

/** What holds for every transition, whatever led to the state. */
function promised(compiled: ReturnType<typeof prepared>) {
  return ({ before, event, step }: Taken): void => {
    const { state, commands, changes, effect } = step;
    const closed = before !== undefined && core.disposition(before).kind === "closed";
    if (closed && (state !== before || commands.length > 0)) throw broken("a closed run moves", event);
    for (const command of commands) {
      if (command.kind !== "invoke" || command.attempt === 1) continue;
      const call = before?.head.call;
      const allowed = (call?.attempts ?? 0) > (call?.attempt ?? 0) || event.type === "resolve";
      if (command.attempt !== (call?.attempt ?? 0) + 1 || !allowed)
        throw broken("one attempt too many", event);
      const { effect: kind } = compiled.requirements.actions[0]!;
      if (kind === "unsafe" && event.type !== "failure" && event.type !== "resolve")
        throw broken("unsafe work is repeated without a word", event);
      if (before?.head.cancel) throw broken("work is authorized after a cancellation", event);
    }
    const disposition = core.disposition(state);
    if (disposition.kind !== "closed" && disposition.blockers.length === 0)
      throw broken("waits for nothing", event);
    if (disposition.kind !== "open" && core.outstanding(state).length > 0)
      throw broken("is out while it stands", event);
    if (effect.kind === "none" && commands.length > 0) throw broken("authorizes without an effect", event);
    const again = core.transition(compiled, state, event);
    if (
      "error" in again ||
      again.commands.length > 0 ||
      again.effect.kind !== "none" ||
      again.state !== state
    )
      throw broken("the same event again moves it", event);
    const document = core.toJSON(state);
    const slots: { [key: string]: Json } = { ...(before === undefined ? {} : core.toJSON(before).slots) };
    for (const [key, value] of changes.slots) {
      if (value === undefined) delete slots[key];
      else slots[key] = value;
    }
    const folded = Object.keys(slots).every((key) => slots[key] === document.slots[key]);
    if (
      !folded ||
      Object.keys(slots).length !== Object.keys(document.slots).length ||
      changes.head !== document.head
    )
      throw broken("the changes do not fold to the state", event);
    core.view(compiled, state);
  };
}

function broken(what: string, event: unknown): Error {
  return new TypeError(`${what}: ${JSON.stringify(event)}`);
}

describe("every interleaving of what may arrive", () => {
  const titled = (space: Space) => [space.states.toLocaleString("en"), space.of, space] as const;

  it.each(spaces.map(titled))(
    "keeps every promise in the %s states of %s [EXE-transition EXE-attempts EXE-unknown EXE-state]",
    (_, __, { definition: source, bounds, states }) => {
      const explored = explore(source, bounds, promised(prepared(source)));
      expect([explored.states, explored.complete]).toEqual([states, true]);
    },
  );

  it.runIf(full).each(vast.map(titled))(
    "keeps every promise in the first %s states of %s [EXE-transition EXE-attempts EXE-unknown EXE-state]",
    (_, __, { definition: source, bounds, states }) => {
      expect(explore(source, bounds, promised(prepared(source))).states).toBeGreaterThanOrEqual(states);
    },
    3_600_000,
  );
});

describe("the search itself", () => {
  it("finds an engine that breaks a promise in a single state", () => {
    const source = single("unsafe");
    const kept = promised(prepared(source));
    const found = () =>
      explore(source, one, (taken) => {
        const parked = taken.before?.head.call?.parked?.reason === "contract-violated";
        const repeated = taken.step.commands.map((command) => ({ ...command, attempt: 9 }));
        kept(
          parked
            ? { ...taken, step: { ...taken.step, commands: repeated as typeof taken.step.commands } }
            : taken,
        );
      });
    expect(found).toThrow(/one attempt too many/);
  });
});
