/**
 * Pure transitions per second of CPU time: a cycle of ten activities, against the same cycle as an xstate machine and
 * against a table written by hand, the limit. Measured twice: with the changes of each step taken as data, and with
 * what a host writes of them made as JSON text.
 */
import { Run, ring } from "./lib/cycles.ts";
import type { Bench, Subject } from "./lib/harness.ts";
import { stateMachine } from "./lib/state-machine.ts";
import { tableByHand } from "./lib/table-by-hand.ts";

const NODES = 10;

interface Changes {
  readonly head: unknown;
  readonly slots: ReadonlyMap<string, unknown>;
}

/** What a store is given of a step: the head, and a document for each slot that was written. */
function stored({ head, slots }: Changes): number {
  let characters = JSON.stringify(head).length;
  for (const [key, document] of slots) characters += key.length + JSON.stringify(document).length;
  return characters;
}

/** Ours, xstate and the table; each takes more steps the faster it is, so that a round is long enough to be timed. */
function subjects(quick: boolean, takesText: boolean): [Subject, Subject, Subject] {
  const prepared = ring(NODES);
  const steps = quick ? 100_000 : 300_000;
  let seen = 0;
  const take = (changes: Changes) => {
    seen += takesText ? stored(changes) : changes.slots.size;
  };
  const machine = stateMachine(NODES, (persisted) => {
    seen += takesText ? JSON.stringify(persisted()).length : 1;
  });
  const table = tableByHand(NODES, (step) => take(step.changes));
  const counted = (name: string, total: number, run: () => void): Subject => ({
    name,
    unit: "transition",
    run() {
      seen = 0;
      run();
      if (seen < total - 1) throw new Error("a step was not taken");
      return total;
    },
  });
  return [
    counted("@swl/execution", steps, () => {
      const run = new Run(prepared).start();
      for (let step = 1; step < steps; step++) take(run.result().changes);
    }),
    counted("xstate 5, transition()", steps / 10, () => machine(steps / 10)),
    counted("table by hand, same data a step", steps * 2, () => table(steps * 2)),
  ];
}

export const transitions: Bench = {
  name: "transitions",
  clock: "cpu",
  question: "pure transitions of a 10-state cycle, changes taken as data",
  async open({ quick }) {
    return subjects(quick, false);
  },
};

export const storedTransitions: Bench = {
  name: "transitions-stored",
  clock: "cpu",
  question:
    "the same with JSON text made of each step: ours and the table of the head and the slots written, xstate of its persisted snapshot",
  async open({ quick }) {
    return subjects(quick, true);
  },
};
