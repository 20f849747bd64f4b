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

describe("the admission of requests", () => {
  it("takes up 64 a turn of the event loop, in their order, and the first ones at once", async () => {
    const admission = new Admission();
    const admitted: number[] = [];
    const waits = Array.from({ length: 200 }, (_, n) => {
      const wait = admission.enter();
      if (wait === undefined) admitted.push(n);
      else void wait.then(() => admitted.push(n));
      return wait;
    });
    const seen = [admitted.length];
    while (admitted.length < 200) {
      await turn();
      seen.push(admitted.length);
    }
    expect(seen.slice(0, 2)).toEqual([64, 128]);
    expect(seen.every((count, index) => index === 0 || count - seen[index - 1]! <= 64)).toBe(true);
    await Promise.all(waits);
    expect(admitted).toEqual(Array.from({ length: 200 }, (_, n) => n));
    await turn();
    await turn();
    expect(admission.enter()).toBeUndefined();
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
