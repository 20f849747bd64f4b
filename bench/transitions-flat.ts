/**
 * Whether a transition stays what it is while everything around it grows: the definition, the age of the run, the
 * documents in its state. Seconds of CPU; the first subject is the small one, so that the ratio says how many times
 * as much the large one costs.
 */
import { Run, ring } from "./lib/cycles.ts";
import type { Bench, Figures, Subject } from "./lib/harness.ts";
import { bytesEach } from "./lib/memory.ts";
import { tableByHand } from "./lib/table-by-hand.ts";
import { count } from "./lib/text.ts";

const LARGE = 10_000;

function subject(name: string, steps: number, run: () => void): Subject {
  return {
    name,
    unit: "transition",
    run() {
      run();
      return steps;
    },
  };
}

/** Once round, then for ever through the first ten nodes. */
function smallTurns(nodes: number): () => void {
  const run = new Run(ring(nodes)).start();
  for (let step = 0; step < nodes; step++) run.result();
  let at = 0;
  return () => {
    at = (at + 1) % 10;
    run.result(run.position, at === 0 ? "back" : "ok");
  };
}

function times(steps: number, step: () => void): () => void {
  return () => {
    for (let taken = 0; taken < steps; taken++) step();
  };
}

export const transitionsNodes: Bench = {
  name: "transitions-nodes",
  clock: "cpu",
  question: "a cycle of ten nodes in a definition of 10, and in one of 10,000 whose every node has a result",
  async open({ quick }) {
    const steps = quick ? 50_000 : 200_000;
    return [
      subject("10 nodes", steps, times(steps, smallTurns(10))),
      subject("10,000 nodes", steps, times(steps, smallTurns(LARGE))),
    ];
  },
  notes() {
    const bytes = [10, LARGE].map((nodes) => {
      const step = smallTurns(nodes);
      return `${count(bytesEach(300, step))} at ${count(nodes)} nodes`;
    });
    return [`bytes allocated a transition, its event and what the bench does included: ${bytes.join(", ")}`];
  },
};

export const transitionsRing: Bench = {
  name: "transitions-ring",
  clock: "cpu",
  question: "a cycle through 10 nodes and one through 10,000, each node visited again after all the others",
  async open({ quick }) {
    const steps = quick ? 50_000 : 200_000;
    const [small, large] = [new Run(ring(10)).start(), new Run(ring(LARGE)).start()];
    const table = (nodes: number) => tableByHand(nodes, () => undefined);
    const [smallTable, largeTable] = [table(10), table(LARGE)];
    return [
      subject(
        "10 nodes",
        steps,
        times(steps, () => small.result()),
      ),
      subject(
        "10,000 nodes",
        steps,
        times(steps, () => large.result()),
      ),
      subject("table by hand, 10 nodes", steps * 5, () => smallTable(steps * 5)),
      subject("table by hand, 10,000 nodes", steps * 5, () => largeTable(steps * 5)),
    ];
  },
  notes(figures) {
    const [small, large] = figures.slice(2) as [Figures, Figures];
    return [
      `the table by hand, whose memory grows likewise: ${(small.median / large.median).toFixed(2)} times as much`,
    ];
  },
};

export const transitionsVisits: Bench = {
  name: "transitions-visits",
  clock: "cpu",
  question: "the next 1,000 transitions of a run at visit 10, and of one at visit 100,000",
  async open({ quick }) {
    const prepared = ring(10);
    const rounds = quick ? 50 : 200;
    const at = (visit: number): Subject => {
      const before = new Run(prepared).start();
      for (let step = 0; step < visit * 10; step++) before.result();
      const { document } = before;
      return subject(`visit ${count(visit)}`, rounds * 1_000, () => {
        for (let round = 0; round < rounds; round++) {
          const run = new Run(prepared, document);
          for (let step = 0; step < 1_000; step++) run.result();
        }
      });
    };
    return [at(10), at(100_000)];
  },
};
