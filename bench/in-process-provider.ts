/**
 * What the in-process provider adds to a function of the host's own process: copies of input and parameters, a context
 * with its signal, the check and the copy of the result. Against awaiting the very same function, seconds of CPU.
 */
import type { Json } from "@swl/base";
import { type ActionResult, inProcess } from "@swl/invocation-control/in-process";
import type { Bench, Subject } from "./lib/harness.ts";
import { count } from "./lib/text.ts";

const input: Json = { order: { id: "o-1", lines: [1, 2, 3] }, customer: "c-7" };
const work = async (given: unknown): Promise<ActionResult> => ({
  outcome: "ok",
  output: (given as { readonly order: { readonly id: string } }).order.id,
});

const call = {
  run: "run-1",
  invocation: "run-1/act#1",
  activation: "act#1",
  action: "act",
  attempt: 1,
  input,
  parameters: null,
  idempotencyKey: "run-1/act/1",
};

/** What the overhead of a call must stay under, in nanoseconds: the figure that the project sets itself. */
const limit = 5_000;

function provided(times: number): Subject {
  const provider = inProcess({ act: work });
  const { signal } = new AbortController();
  return {
    name: "inProcess",
    unit: "call",
    async run() {
      for (let time = 0; time < times; time++) {
        const answer = await provider.invoke(call, { effect: "idempotent" }, { signal });
        if (answer.kind !== "completed") throw new Error("a call did not complete");
      }
      return times;
    },
  };
}

function bare(times: number): Subject {
  return {
    name: "the function alone",
    unit: "call",
    async run() {
      for (let time = 0; time < times; time++) {
        if ((await work(input)).outcome !== "ok") throw new Error("a call did not complete");
      }
      return times;
    },
  };
}

export const inProcessProvider: Bench = {
  name: "in-process-provider",
  clock: "cpu",
  question: "calls of a function through the in-process provider, against awaiting the function itself",
  async open({ quick }) {
    const times = quick ? 50_000 : 200_000;
    return [provided(times), bare(times)];
  },
  notes([ours, theirs]) {
    const each = (figures: typeof ours): number => 1e9 / (figures?.median ?? Number.NaN);
    const overhead = each(ours) - each(theirs);
    const said = overhead <= limit ? "under" : "over";
    return [
      `${count(overhead)} ns of overhead a call: ${said} the ${count(limit)} that the project allows itself`,
    ];
  },
};
