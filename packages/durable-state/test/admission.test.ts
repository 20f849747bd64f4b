/** A crowd of requests in one process: the event loop goes on turning while it is served. */
import { afterEach, describe, expect, it } from "vitest";
import { Admission } from "../src/admission.js";
import { createControl } from "../src/index.js";
import { completed, core, Lab, oneStep } from "./lab.js";

const labs: Lab[] = [];
afterEach(async () => {
  for (const lab of labs.splice(0)) await lab.end();
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

type Gate = Pick<Admission, "enter">;

/** How many of 200 had been taken up when a turn of the event loop was over, turn by turn, and in which order. */
async function crowd(gate: Gate): Promise<{ readonly seen: readonly number[]; readonly order: number[] }> {
  const order: number[] = [];
  const waits = Array.from({ length: 200 }, (_, n) => {
    const wait = gate.enter();
    if (wait === undefined) order.push(n);
    else void wait.then(() => order.push(n));
    return wait;
  });
  const seen = [order.length];
  while (order.length < 200) {
    await turn();
    seen.push(order.length);
  }
  await Promise.all(waits);
  return { seen, order };
}

/** Problems, in words. */
function problems({ seen, order }: Awaited<ReturnType<typeof crowd>>): readonly string[] {
  const most = Math.max(...seen.map((count, index) => count - (seen[index - 1] ?? 0)));
  const inOrder = order.every((n, index) => n === index);
  return [...(most > 64 ? [`${most} in one turn`] : []), ...(inOrder ? [] : ["out of order"])];
}

describe("the admission of requests", () => {
  it("takes up 64 a turn of the event loop, in their order, and the first ones at once [DUR-admission]", async () => {
    const admission = new Admission();
    const taken = await crowd(admission);
    expect(problems(taken)).toEqual([]);
    expect(taken.seen.slice(0, 2)).toEqual([64, 128]);
    await turn();
    await turn();
    expect(admission.enter()).toBeUndefined();
  });

  it("would be noticed where it takes up all that comes, or the last ones first [DUR-admission]", async () => {
    expect(problems(await crowd({ enter: () => undefined }))).toEqual(["200 in one turn"]);
    const stack: (() => void)[] = [];
    const backwards: Gate = {
      enter: () => new Promise((resolve) => stack.push(resolve)),
    };
    const taking = setInterval(() => {
      for (let taken = 0; taken < 64; taken++) stack.pop()?.();
    }, 1);
    expect(problems(await crowd(backwards))).toEqual(["out of order"]);
    clearInterval(taking);
  });

  it("lets a lease be renewed while more is asked at once than a process can answer in a lease", async () => {
    const lab = new Lab();
    labs.push(lab);
    const host = await lab.host(() => completed());
    const starts = Array.from({ length: 500 }, () =>
      host.control.start({ definition: oneStep("pure") as never }),
    );
    let answered = 0;
    for (const start of starts) void start.then(() => answered++);
    const between: number[] = [];
    while (answered < starts.length) {
      await turn();
      between.push(answered);
    }
    expect(between.filter((count) => count > 0 && count < starts.length).length).toBeGreaterThan(3);
    const runs = (await Promise.all(starts)).map(({ run }) => run);
    const control = createControl({ store: lab.store(), models: [core] });
    let canceled = 0;
    const cancels = runs.map(async (run) => {
      await control.cancel({ run, requestId: "c" }, { wait: 0 });
      canceled++;
    });
    await turn();
    expect(canceled).toBeLessThan(runs.length);
    await Promise.all(cancels);
  });
});
