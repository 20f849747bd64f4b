/**
 * Transitions of a run whose state holds 64 KiB: the run's input and the results of ten nodes. Each event brings a
 * result of 5 KiB that nobody has seen before, and the next input is made of the run's input and that result.
 */
import { Run, ring } from "./lib/cycles.ts";
import type { Bench, Subject } from "./lib/harness.ts";
import { count } from "./lib/text.ts";

const input = { order: { $get: ["input"] }, before: { $get: ["from"] } };

/** About so many bytes of JSON: lines of an order. */
function lines(bytes: number): string {
  const all = [];
  for (let line = 0; JSON.stringify(all).length < bytes; line++) {
    all.push({
      line,
      article: `A-${line}`,
      amount: line % 7,
      price: 1_299,
      text: "as ordered, in one parcel",
    });
  }
  return JSON.stringify({ lines: all });
}

const wall: number[] = [];
let size = 0;

function largeRun(steps: number): Subject {
  const text = lines(5_000);
  const run = new Run(ring(10, input)).start(JSON.parse(lines(15_000)));
  for (let step = 0; step < 20; step++) run.result(JSON.parse(text));
  size = JSON.stringify(run.document).length;
  return {
    name: "64 KiB",
    unit: "transition",
    run() {
      for (let step = 0; step < steps; step++) {
        const output: unknown = JSON.parse(text);
        const began = performance.now();
        run.result(output);
        wall.push(performance.now() - began);
      }
      return steps;
    },
  };
}

function reading(steps: number): Subject {
  const text = lines(5_000);
  return {
    name: "JSON.parse of 5 KiB and two looks at the clock alone",
    unit: "transition",
    run() {
      for (let step = 0; step < steps; step++) {
        JSON.parse(text);
        performance.now();
        performance.now();
      }
      return steps;
    },
  };
}

/** Milliseconds below which so large a part of the values lies. */
function quantile(values: readonly number[], part: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(4);
}

export const transitionsLarge: Bench = {
  name: "transitions-large",
  clock: "cpu",
  question: "transitions with 64 KiB of state and 5 KiB a result, against what the loop around them does",
  async open({ quick }) {
    const steps = quick ? 5_000 : 20_000;
    return [largeRun(steps), reading(steps)];
  },
  notes() {
    const told = [0.5, 0.99, 0.999].map((part) => quantile(wall, part));
    return [
      `state: ${count(size)} bytes of JSON`,
      `each by the wall, the machine's other work included: median ${told[0]} ms, p99 ${told[1]}, p99.9 ${told[2]} (${count(wall.length)} transitions)`,
    ];
  },
};
