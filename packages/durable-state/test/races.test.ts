import { SwlError } from "@swl/base";
import type { Work } from "@swl/store-provider";
import { afterEach, describe, expect, it } from "vitest";
import { createControl } from "../src/index.js";
import { completed, core, Lab, mortal, oneStep, pause, slow, through, until } from "./lab.js";

let lab = new Lab();
afterEach(async () => {
  await lab.end();
  lab = new Lab();
});

const busy = () => ({
  kind: "failed",
  retryable: true,
  error: { code: "busy", message: "try again", details: null },
});
const events = async (run: string): Promise<string[]> =>
  (await lab.store().read(run)).map(
    ({ kind, document }) => (document as { event?: { type: string } }).event?.type ?? kind,
  );

describe("work that is being given back", () => {
  it("does not begin when the store lists it as still held [DUR-dispatch-after-commit]", async () => {
    const first = await lab.host(busy);
    const run = await first.start(oneStep("unsafe", { delay: 100 }));
    await until(() => lab.calls.length === 1);
    await first.close();
    let lost = true;
    let unclaims = 0;
    const store = through(lab.store(), async (name, call) => {
      if (name === "unclaim" && unclaims++ === 0) await pause(300);
      const answer = await call();
      if (name === "claim" && (answer as Work[]).length > 0 && lost) {
        lost = false;
        throw new SwlError("store.unavailable", "The answer was lost.", { details: { retry: "same" } });
      }
      return answer;
    });
    const second = await lab.host(() => completed("second"), { store });
    expect(await second.run(run.id).result({ timeout: 60_000 })).toEqual({
      status: "completed",
      output: "second",
    });
    expect(lab.calls.map((call) => call.attempt)).toEqual([1, 2]);
  });

  it("is waited for by close, so that the next host finds it unclaimed", async () => {
    const first = await lab.host(busy);
    const run = await first.start(oneStep("unsafe", { delay: 100 }));
    await until(() => lab.calls.length === 1);
    await first.close();
    const second = await lab.host(() => completed("second"), {
      store: through(lab.store(), async (name, call) => {
        if (name === "unclaim") await pause(50);
        return call();
      }),
    });
    await until(async () => (await lab.store().load(run.id))!.work[0]?.holder !== undefined, 500);
    await second.close({ drain: 10 });
    const [row] = (await lab.store().load(run.id))!.work;
    expect(row?.holder === undefined || lab.calls.length === 2).toBe(true);
  });
});

describe("two requests under one ID", () => {
  it("that differ are a conflict also when they race [DUR-receipts]", async () => {
    const host = await lab.host(() => new Promise(() => undefined), { store: slow(lab.store(), 5) });
    const run = (await host.start(oneStep("unsafe"))).id;
    const asked = await Promise.allSettled([
      host.control.signal({ run, messageId: "m", name: "x" }),
      host.control.cancel({ run, requestId: "m" }),
    ]);
    expect(asked.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(asked.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "request.conflict" },
    });
  });
});

describe("an attempt that nobody has begun", () => {
  it("is unclaimed for its deadline although this host has just claimed it", async () => {
    const first = await lab.host(() => new Promise(() => undefined), { concurrency: { total: 1 } });
    await first.start(oneStep("unsafe"));
    const queued = await first.start(oneStep("unsafe", { operationMs: 200 }));
    await until(() => lab.calls.length === 1);
    await first.close({ drain: 10 });
    await pause(300);
    const second = await lab.host(() => completed("late"), { concurrency: { total: 1 } });
    expect(await second.run(queued.id).result({ timeout: 60_000 })).toMatchObject({
      status: "failed",
      error: { code: "operation.timeout" },
    });
  });

  it("is canceled by a cancel that waited together with its deadline", async () => {
    const first = await lab.host(() => new Promise(() => undefined), { concurrency: { total: 1 } });
    await first.start(oneStep("unsafe"));
    const queued = await first.start(oneStep("unsafe", { operationMs: 3_000 }));
    await first.close({ drain: 10 });
    await pause(3_100);
    const control = createControl({ store: lab.store(), models: [core] });
    await control.cancel({ run: queued.id, requestId: "c" }, { wait: 0 });
    const second = await lab.host(() => completed("late"), { concurrency: { total: 1 } });
    expect((await second.run(queued.id).result({ timeout: 60_000 })).status).toBe("canceled");
  });
});

describe("a stale notice of a due deadline", () => {
  it("makes no loop and does not hold up what the run does since", async () => {
    let appends = 0;
    let real: unknown;
    const store = through(lab.store(), async (name, call) => {
      if (name === "append") appends++;
      if (name !== "due") return call();
      const answer = await call();
      if ((answer as unknown[]).length > 0) real = answer;
      return real ?? answer;
    });
    const host = await lab.host(() => new Promise(() => undefined), { store });
    const run = await host.start(oneStep("unsafe", { operationMs: 100 }));
    await until(async () => (await host.control.why(run.id)).status === "needs-intervention");
    await host.control.resolve({ run: run.id, requestId: "r", decision: "retry" });
    const before = appends;
    await pause(80);
    expect(appends - before).toBeLessThan(5);
  });
});

describe("the answer to a request", () => {
  it("says that it moved the run although the same commit closed it [INV-answers]", async () => {
    const host = await lab.host(busy);
    const definition = oneStep("unsafe", { delay: 5_000 });
    const runs = await Promise.all(Array.from({ length: 20 }, () => host.start(definition)));
    await until(() => lab.calls.length === 20);
    await pause(50);
    const answers = await Promise.all(runs.map(({ id }) => host.control.cancel({ run: id, requestId: "c" })));
    expect(
      new Set(answers.map((answer) => (answer.kind === "applied" ? answer.effect : answer.kind))),
    ).toEqual(new Set(["moved"]));
  });
});

describe("late words", () => {
  it("of one attempt are all kept: the silence and the answer after it [DUR-late-answer]", async () => {
    const life = mortal(lab.store());
    const first = await lab.host(
      async () => {
        await pause(700);
        return completed("at last");
      },
      { store: life.store, lease: 200 },
    );
    const run = await first.start(oneStep("unsafe", { attemptMs: 300 }));
    await until(() => lab.calls.length === 1);
    life.stall();
    await pause(300);
    const second = await lab.host(() => completed());
    await until(async () => (await second.control.why(run.id)).status === "needs-intervention");
    await second.control.resolve({ run: run.id, requestId: "r", decision: "fail" });
    life.resume();
    const result = async () =>
      (await lab.store().notes(run.id)).some(
        ({ document }) => (document as { type: string }).type === "result",
      );
    expect(await until(result)).toBe(true);
  });

  it("that no document can hold leave word that they came", async () => {
    lab = new Lab({ limits: { documentBytes: 20_000 } });
    const life = mortal(lab.store());
    let answer: (value: unknown) => void = () => undefined;
    const first = await lab.host(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
      { store: life.store, lease: 200 },
    );
    const run = await first.start(oneStep("unsafe"));
    await until(() => lab.calls.length === 1);
    life.stall();
    await pause(300);
    const second = await lab.host(() => completed());
    await until(async () => (await second.control.why(run.id)).status === "needs-intervention");
    await second.control.resolve({ run: run.id, requestId: "r", decision: "fail" });
    life.resume();
    answer(completed("x".repeat(40_000)));
    expect(await until(async () => (await lab.store().notes(run.id)).length === 1)).toBe(true);
    expect((await lab.store().notes(run.id))[0]!.document).toMatchObject({
      type: "unknown",
      reason: "ack-lost",
    });
  });
});

describe("claims", () => {
  it("are no more in all than can begin", async () => {
    const first = await lab.host(busy, { concurrency: { total: 9 } });
    for (const id of ["a", "b", "c", "d", "e"])
      await first.start({ ...oneStep("unsafe", { delay: 100 }), id });
    await until(() => lab.calls.length === 5);
    await first.close();
    await pause(150);
    const taken: number[] = [];
    await lab.host(() => new Promise(() => undefined), {
      concurrency: { total: 1 },
      store: through(lab.store(), async (name, call) => {
        const answer = await call();
        if (name === "claim") taken.push((answer as Work[]).length);
        return answer;
      }),
    });
    await until(() => lab.calls.length === 6);
    expect(Math.max(...taken)).toBe(1);
  });
});

describe("what a host tells", () => {
  it("names failed attempts, parked runs and ends in its log", async () => {
    const said: string[] = [];
    let calls = 0;
    const host = await lab.host(
      () => (calls++ === 0 ? busy() : { kind: "unknown", reason: "crash", message: "gateway down 42" }),
      { log: ({ message, code }) => said.push(`${code ?? ""} ${message}`.trim()) },
    );
    const run = await host.start(oneStep("unsafe", { delay: 20 }));
    await expect(run.result({ timeout: 60_000, whenParked: "throw" })).rejects.toMatchObject({
      code: "run.parked",
    });
    expect(said.some((line) => line.includes("failed: busy try again"))).toBe(true);
    expect(said.some((line) => line.startsWith("run.parked") && line.includes("gateway down 42"))).toBe(true);
    const { blockers } = await host.control.why(run.id);
    expect(blockers[0]!.message).toContain("crash (gateway down 42)");
    await host.control.resolve({ run: run.id, requestId: "r", decision: "complete", outcome: "ok" });
    await run.result({ timeout: 60_000 });
    expect(said.some((line) => line.includes("has completed"))).toBe(true);
  });

  it("does not say that a run is parked once somebody has decided, though no host has heard of it", async () => {
    const host = await lab.host(() => ({ kind: "unknown", reason: "crash", message: "gone" }));
    const run = await host.start(oneStep("unsafe"));
    const parked = { timeout: 60_000, whenParked: "throw" } as const;
    await expect(run.result(parked)).rejects.toMatchObject({ code: "run.parked" });
    await host.close();
    const control = createControl({ store: lab.store(), models: [core] });
    const decision = { run: run.id, requestId: "r", decision: "complete", outcome: "ok" } as const;
    await control.resolve(decision, { wait: 0 });
    await expect(control.result(run.id, { ...parked, timeout: 5 })).rejects.toMatchObject({
      code: "answer.timeout",
    });
  });

  it("says that no host is there, and that the one before is gone", async () => {
    const life = mortal(lab.store());
    const first = await lab.host(() => new Promise(() => undefined), { store: life.store, lease: 200 });
    const run = await first.start(oneStep("unsafe"));
    life.kill();
    await pause(300);
    const control = createControl({ store: lab.store(), models: [core] });
    const { blockers } = await control.why(run.id);
    expect(blockers.at(-1)).toMatchObject({ code: "host.waiting" });
    expect(blockers.at(-1)!.message).toContain("is gone");
    expect(blockers.at(-1)!.message).toContain("No host serves this store now.");
  });

  it("gives a run's history without the values that were passed", async () => {
    const host = await lab.host(() => completed("secret"));
    const run = await host.start(oneStep("pure"), { input: "secret" });
    await run.result({ timeout: 60_000 });
    const history = await host.control.history(run.id);
    expect(history.map(({ kind, event }) => event?.type ?? kind)).toEqual(await events(run.id));
    expect(JSON.stringify(history)).not.toContain("secret");
  });

  it("refuses a start key that no store can keep, and leaves no run", async () => {
    const host = await lab.host(() => completed());
    for (const startKey of ["", "k".repeat(257), "a\0b"]) {
      await expect(host.start(oneStep("pure"), { startKey })).rejects.toMatchObject({
        code: "request.invalid",
      });
    }
    expect((await lab.store().list()).items).toEqual([]);
  });

  it("refuses a signal whose name no definition can wait for", async () => {
    const host = await lab.host(() => completed());
    const run = await host.start(oneStep("pure"));
    await expect(host.control.signal({ run: run.id, messageId: "m", name: "a b" })).rejects.toMatchObject({
      code: "request.invalid",
    });
  });
});
