import { SwlError } from "@swl/base";
import { afterEach, describe, expect, it } from "vitest";
import { completed, Lab, mortal, oneStep, pause, slow, through, until } from "./lab.js";

let lab = new Lab();
afterEach(async () => {
  await lab.end();
  lab = new Lab();
});

describe("a settlement", () => {
  it("that arrives while another commit of its run is in flight is kept [DUR-acknowledged-kept]", async () => {
    const host = await lab.host(
      async () => {
        await pause(30);
        return completed();
      },
      { store: slow(lab.store(), 5) },
    );
    const definition = oneStep("unsafe");
    const runs = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const run = await host.start(definition, { input: index });
        await pause(index % 30);
        await host.control.signal({ run: run.id, messageId: "stray", name: "nobody-waits" }, { wait: 0 });
        return run;
      }),
    );
    const results = await Promise.all(runs.map((run) => run.result({ timeout: 60_000 })));
    expect(new Set(results.map((result) => result.status))).toEqual(new Set(["completed"]));
  });

  it("after attemptMs and grace is evidence, and is adopted", async () => {
    let answer: (value: unknown) => void = () => undefined;
    const host = await lab.host(() => new Promise((resolve) => (answer = resolve)));
    const run = await host.start(oneStep("unsafe", { attemptMs: 20 }));
    expect(await until(async () => (await host.control.why(run.id)).status === "needs-intervention")).toBe(
      true,
    );
    answer(completed("paid"));
    expect(await run.result({ timeout: 60_000 })).toEqual({ status: "completed", output: "paid" });
  });

  it("of a closed run survives a store that fails once [DUR-late-answer]", async () => {
    let failures = 0;
    const life = mortal(lab.store());
    let answerLate: (value: unknown) => void = () => undefined;
    const flaky = through(life.store, (name, call) => {
      if (name !== "note" || failures++ > 0) return call();
      return Promise.reject(new SwlError("store.unavailable", "away", { details: { retry: "same" } }));
    });
    const first = await lab.host(
      () =>
        new Promise((resolve) => {
          answerLate = resolve;
        }),
      { store: flaky, lease: 200 },
    );
    const run = await first.start(oneStep("unsafe"));
    await until(() => lab.calls.length === 1);
    life.stall();
    await pause(400);
    const second = await lab.host(() => completed());
    await until(async () => (await second.control.why(run.id)).status === "needs-intervention");
    await second.control.resolve({ run: run.id, requestId: "r", decision: "fail" });
    life.resume();
    answerLate(completed("late"));
    expect(await until(async () => (await lab.store().notes(run.id)).length === 1)).toBe(true);
  });

  it("that no document can hold becomes unknown where it may have had an effect", async () => {
    lab = new Lab({ limits: { documentBytes: 20_000 } });
    const host = await lab.host(() => completed("x".repeat(30_000)));
    const run = await host.start(oneStep("unsafe"));
    expect(await until(async () => (await host.control.why(run.id)).status === "needs-intervention")).toBe(
      true,
    );
    const { blockers } = await host.control.why(run.id);
    expect(blockers[0]).toMatchObject({ kind: "intervention", reason: "unknown-result" });
  });

  it("that no document can hold fails the run where it had none", async () => {
    lab = new Lab({ limits: { documentBytes: 20_000 } });
    const host = await lab.host(() => completed("x".repeat(30_000)));
    const run = await host.start(oneStep("read-only"));
    expect(await run.result({ timeout: 60_000 })).toMatchObject({
      status: "failed",
      error: { code: "output.invalid" },
    });
  });

  it("that fits while what follows from it does not is kept, and the run is set aside [DUR-quarantine]", async () => {
    lab = new Lab({ limits: { documentBytes: 20_000 } });
    let appends = 0;
    const host = await lab.host(() => completed("x".repeat(12_000)), {
      store: through(lab.store(), (name, call) => {
        if (name === "append") appends++;
        return call();
      }),
    });
    const run = await host.start(oneStep("unsafe"));
    expect(await until(async () => (await host.control.why(run.id)).status === "quarantined")).toBe(true);
    expect(await until(async () => (await lab.store().notes(run.id)).length === 1)).toBe(true);
    expect(await host.control.why(run.id)).toMatchObject({ blockers: [{ code: "host.quarantined" }] });
    const before = appends;
    await pause(200);
    expect(appends).toBe(before);
  });
});

describe("a provider that breaks its contract", () => {
  const answers = [
    undefined,
    null,
    "x",
    { kind: "weird" },
    { kind: "failed" },
    { kind: "completed", outcome: 5 },
    { kind: "accepted" },
  ];
  for (const answer of answers) {
    it(`with ${JSON.stringify(answer) ?? "undefined"} parks an unsafe action and fails a pure one`, async () => {
      const host = await lab.host(() => answer);
      const unsafe = await host.start(oneStep("unsafe"));
      const pure = await host.start(oneStep("pure"));
      expect(await pure.result({ timeout: 60_000 })).toMatchObject({
        status: "failed",
        error: { code: "provider.result-invalid" },
      });
      expect(
        await until(async () => (await host.control.why(unsafe.id)).status === "needs-intervention"),
      ).toBe(true);
    });
  }

  it("by throwing when it is asked what it has is taken as not serving it", async () => {
    const host = await lab.host(() => completed(), {
      bindings: {
        id: "lab",
        has: () => {
          throw new Error("has");
        },
        invoke: async () => completed(),
      },
    });
    await expect(host.start(oneStep("pure"))).rejects.toThrow();
  });
});
