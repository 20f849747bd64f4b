/**
 * Broken hosts against the mandatory failure tests and the crash points: the ones that only a crash, a race or a
 * repetition betrays. Each is caught by the test that is named for it.
 */
import { crashPoints, crashProblems, crashScenarios, mandatoryChecks } from "@swl/conformance";
import type { AcceptedEvent, ExecutionModel } from "@swl/execution";
import type { Answer, Item } from "@swl/store-provider";
import { describe, expect, it } from "vitest";
import { hostHarness, type Sabotage } from "./host-harness.js";
import {
  acknowledgesEarly,
  forgetful,
  items,
  model,
  newestDefinition,
  steps,
  store,
  tallied,
  without,
} from "./sabotage.js";
import { simulatedMemory } from "./simulated-storage.js";

/** Events that the real model is told, changed on the way. */
function told(
  change: (event: AcceptedEvent, state: unknown, real: ExecutionModel) => AcceptedEvent,
): Sabotage {
  return model((real) => ({
    transition: (prepared, state, event) => real.transition(prepared, state, change(event, state, real)),
  }));
}

const stampOf = ({ id, position, at }: AcceptedEvent) => ({ id, position, at });

/** What nobody knows is taken for a failure that may be tried again. */
const guesses = told((event) => {
  if (event.type !== "unknown") return event;
  const { invocation, attempt } = event;
  const error = { code: "lost", message: "The host is gone.", details: null };
  return { ...stampOf(event), type: "failure", invocation, attempt, retryable: true, error };
});

const ignoresCancel = told((event) =>
  event.type === "cancel"
    ? { ...stampOf(event), type: "signal", messageId: "c", name: "c", payload: null }
    : event,
);

/** Whatever attempt a result is of, it is taken for one of the newest. */
const takesStale = told((event, state, real) => {
  if (event.type !== "result" || state === undefined) return event;
  const open = real.outstanding(state).find((one) => "attempt" in one);
  return open !== undefined && "attempt" in open ? { ...event, attempt: open.attempt } : event;
});

const freshKeys = steps((step) =>
  "error" in step
    ? step
    : {
        ...step,
        commands: step.commands.map((command) =>
          command.kind === "invoke"
            ? { ...command, idempotencyKey: `${command.idempotencyKey}/${command.attempt}` }
            : command,
        ),
      },
);

/** A commit that came too late is taken for one that was accepted. */
const believes = store(async (name, call, given) => {
  const answers = (await call()) as readonly Answer[];
  if (name !== "append") return answers;
  return answers.map((answer, index): Answer => {
    if (answer.kind !== "refused" || answer.failure.kind !== "stale") return answer;
    const { expect: expected, records } = (given[0] as readonly Item[])[index]!;
    const last = Number(expected) + records.length;
    return { kind: "accepted", first: Number(expected) + 1, last, at: Date.now(), repeated: false };
  });
});

const unread = store((name, call) => (name === "unapplied" ? Promise.resolve([]) : call()));

const mandatory: readonly (readonly [string, Sabotage])[] = [
  ["looks for no accepted event after a restart", unread],
  ["begins again what it does not know the end of", guesses],
  ["gives each attempt a key of its own", freshKeys],
  ["takes the result of a stale attempt", takesStale],
  ["takes the end of its lease for a failure", guesses],
  ["takes a stale commit for an accepted one", believes],
  ["lets a completion overtake a cancel", ignoresCancel],
  ["reads running workflows by their newest definition", newestDefinition],
];

const played = tallied("caught by a mandatory failure test", mandatory.length);

describe.concurrent(`a host that fails a mandatory test, of ${mandatory.length}`, () => {
  it("exists for each of them", () => expect(mandatory).toHaveLength(mandatoryChecks.length));

  for (const [index, [name, sabotage]] of mandatory.entries()) {
    const check = mandatoryChecks[index]!;
    it(`is caught when it ${name}: ${check.title} [${check.rule}]`, async () => {
      played.caught(await check.run(hostHarness("broken", sabotage)));
    }, 300_000);
  }
});

const crashing: readonly (readonly [name: string, scenario: string, sabotage: Sabotage])[] = [
  ["begins unsafe work again that it does not know the end of", "a chain of unsafe steps", guesses],
  ["says before the store does that a commit is there", "an update", { store: acknowledgesEarly }],
  ["forgets after a restart what it was asked", "an update", { store: forgetful(() => true) }],
  ["gives each attempt a key of its own", "three branches at once, in a model that is not SWL", freshKeys],
  [
    "owns nothing that it begins",
    "a parked step that somebody resolves",
    items(({ owner: _nobody, ...item }) => item),
  ],
  ["forgets its deadlines", "a timer", items(({ dues: _none, ...item }) => item)],
  ["never asks what became of unknown work", "unknown work that is asked about", without("inspect")],
  ["never asks a provider to stop", "accepted work that is asked to stop", without("cancel-invocation")],
  ["ends a run beside its log", "work that is completed later", items(({ close: _open, ...item }) => item)],
  [
    "looks for nothing that a dead host had",
    "a chain of unsafe steps",
    store((name, call) => (name === "orphaned" ? Promise.resolve([]) : call())),
  ],
  [
    "looks for no work that was given back",
    "retries of a repeatable step",
    store((name, call) => (name === "claim" ? Promise.resolve([]) : call())),
  ],
  [
    "keeps no slots",
    "signals before and while the run waits for them",
    items(({ slots: _lost, ...item }) => item),
  ],
];

const crashed = tallied("caught by the crash points", crashing.length);

describe(`a host that lies when it crashes, of ${crashing.length}`, () => {
  for (const [name, title, sabotage] of crashing) {
    it(`is caught when it ${name}: ${title}`, async () => {
      const scenario = crashScenarios.find((one) => one.title === title)!;
      const points = await crashPoints(hostHarness("sound", {}, simulatedMemory), scenario);
      const broken = hostHarness("broken", sabotage, simulatedMemory);
      let problems: readonly string[] = [];
      for (let index = 0; index < points.length && problems.length === 0; index += 3)
        problems = await crashProblems(broken, scenario, [[points[index]!]]).catch((error) => [
          String(error),
        ]);
      crashed.caught(problems);
    }, 300_000);
  }
});
