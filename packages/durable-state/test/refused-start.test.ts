/** A start that is refused, for whatever reason: it leaves no run, its key is free, and no slot is held for it. */
import { defineWorkflow } from "@swl/definition";
import { afterEach, describe, expect, it } from "vitest";
import { completed, Lab, through } from "./lab.js";

let lab = new Lab();
afterEach(async () => {
  await lab.end();
  lab = new Lab();
});

const numbered = defineWorkflow({
  id: "numbered",
  start: "work",
  inputSchema: { type: "array", items: { type: "string" } },
  actions: { work: { effect: "pure", outcomes: { ok: {} } } },
  nodes: {
    work: { kind: "activity", action: "work", input: { $get: ["input"] }, routes: { ok: "done" } },
    done: { kind: "complete", output: null },
  },
} as never);

const given = (input: unknown, startKey?: string) => ({ input, ...(startKey && { startKey }) }) as never;

describe("a refused start", () => {
  it("for its input leaves its key free, and asks the store for no run [DUR-start-key]", async () => {
    const asked: string[] = [];
    const store = through(lab.store(), (name, call) => {
      if (name !== "due") asked.push(name);
      return call();
    });
    const host = await lab.host(() => completed(), {
      store,
      poll: 60_000,
      idlePoll: 60_000,
      concurrency: { total: 1 },
    });
    asked.length = 0;
    for (let n = 0; n < 3; n++) {
      await expect(host.start(numbered, given([n], "k"))).rejects.toMatchObject({ code: "input.invalid" });
    }
    expect(asked.filter((name) => name === "load" || name === "append")).toEqual([]);
    const run = await host.start(numbered, given(["x"], "k"));
    expect(await run.result({ timeout: 60_000 })).toMatchObject({ status: "completed" });
    expect((await lab.store().list()).items.filter(({ stream }) => stream.startsWith("run-"))).toHaveLength(
      1,
    );
  });

  it("by the store holds no slot [DUR-concurrency]", async () => {
    lab = new Lab({ limits: { documentBytes: 20_000 } });
    const host = await lab.host(() => completed(), {
      poll: 60_000,
      idlePoll: 60_000,
      concurrency: { total: 1 },
    });
    for (let n = 0; n < 3; n++) {
      const large = host.start(numbered, given(["x".repeat(30_000)]));
      await expect(large).rejects.toMatchObject({ code: "store.quota" });
    }
    const run = await host.start(numbered, given(["x"]));
    expect(await run.result({ timeout: 60_000 })).toMatchObject({ status: "completed" });
  });
});
