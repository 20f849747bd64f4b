/** Runs that are over and removed: by the store's clock, and also while somebody asks for something about them. */
import type { PruneOptions, Store } from "@swl/store-provider";
import { afterEach, describe, expect, it } from "vitest";
import { createControl } from "../src/index.js";
import { Retention } from "../src/retention.js";
import { FakeClock, settle } from "./fake-clock.js";
import { completed, core, Lab, oneStep, through } from "./lab.js";

let lab = new Lab();
afterEach(async () => {
  await lab.end();
  lab = new Lab();
});

describe("retention", () => {
  it("goes by the store's clock, however far the host's was set forward [DUR-retention]", async () => {
    const clock = new FakeClock();
    const asked: PruneOptions[] = [];
    const store = through(lab.store(), async (name, call, [options]) => {
      if (name === "now") return 1_000_000;
      if (name !== "prune") return call();
      asked.push(options as PruneOptions);
      return { streams: 0, records: 0, blobs: 0, more: false };
    });
    const retention = new Retention({
      ...{ store, clock, closedRuns: 5_000, random: () => 0.5, log: () => undefined },
      lease: { running: () => true },
    });
    retention.start();
    await clock.advance(600);
    await settle();
    const stopped = retention.stop();
    await clock.advance(60_000);
    await stopped;
    expect(asked.map(({ closedBefore }) => closedBefore)).toEqual([995_000]);
  });
});

describe("starts at the same time", () => {
  it("bring their definition anew where the last run of it was removed [DUR-retention]", async () => {
    const host = await lab.host(() => completed());
    const workflow = oneStep("pure");
    await (await host.start(workflow)).result();
    await lab.store().prune({ closedBefore: Number.MAX_SAFE_INTEGER });
    const runs = await Promise.all([1, 2, 3].map(() => host.start(workflow)));
    for (const run of runs) expect((await run.result()).status).toBe("completed");
  });
});

/** Removes what is over just before anything is appended, or loaded. */
function removing(store: Store, before = "append"): Store {
  return through(store, async (name, call) => {
    if (name === before) await store.prune({ closedBefore: Number.MAX_SAFE_INTEGER });
    return call();
  });
}

describe("a request about a run that is removed meanwhile", () => {
  it("says that there is no such run, of a redrive too [DUR-retention]", async () => {
    const error = { code: "broken", message: "broken", details: null };
    const host = await lab.host(() => ({ kind: "failed", retryable: false, error }));
    const { id } = await host.start(oneStep("unsafe"));
    expect(await host.run(id).result()).toMatchObject({ status: "failed" });
    await lab.end();
    const control = createControl({ store: removing(lab.store()), models: [core] });
    await expect(control.redrive({ run: id, requestId: "r" }, { wait: 0 })).rejects.toMatchObject({
      code: "run.not-found",
    });
  });

  it("says so whoever waits for its result [DUR-retention]", async () => {
    const host = await lab.host(() => completed());
    const { id } = await host.start(oneStep("pure"));
    await host.run(id).result();
    await lab.end();
    const control = createControl({ store: removing(lab.store(), "load"), models: [core] });
    await expect(control.result(id)).rejects.toMatchObject({ code: "run.not-found" });
  });
});
