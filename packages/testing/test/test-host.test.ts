import { core } from "@swl/execution";
import { describe, expect, it } from "vitest";
import {
  completed,
  createTestHost,
  failed,
  later,
  type Script,
  SimulatedClock,
  scripted,
  silence,
  unknown,
} from "../src/index.js";
import { approving, charging, delaying } from "./workflows.js";

const hostOf = (script: Script = {}) => {
  const provider = scripted(script);
  return createTestHost({ models: [core], bindings: provider }).then((host) => ({ host, provider }));
};

describe("a test host", () => {
  it("runs a workflow to its end", async () => {
    const { host, provider } = await hostOf({ charge: completed("paid", { receipt: 7 }) });
    await using _ = host;
    const run = await host.start(charging("unsafe"));
    expect(await run.output()).toEqual({ receipt: 7 });
    expect(await run.path()).toEqual(["charge -paid-> done"]);
    expect(provider.callsOf("charge").map(({ attempt }) => attempt)).toEqual([1]);
  });

  it("skips the delays between attempts", async () => {
    const busy = failed("busy", { retryable: true });
    const { host, provider } = await hostOf({ charge: [busy, busy, busy, completed("paid")] });
    await using _ = host;
    const begun = host.clock.now();
    const run = await host.start(charging("idempotent"));
    expect(await run.result()).toEqual({ status: "completed", output: null });
    expect(provider.calls).toHaveLength(4);
    expect(host.clock.now() - begun).toBe(1_000 + 2_000 + 4_000);
  });

  it.each(["P25D", "P365D", "P5000D"])("passes a delay of %s at once", async (delay) => {
    const { host } = await hostOf();
    await using _ = host;
    const run = await host.start(delaying(delay));
    expect(await run.status()).toBe("waiting");
    expect(await run.result()).toEqual({ status: "completed", output: null });
    expect(host.log.filter(({ level }) => level !== "info")).toEqual([]);
  });

  it("keeps a run waiting until the very millisecond", async () => {
    const { host } = await hostOf();
    await using _ = host;
    const run = await host.start(delaying("PT1H"));
    await host.advance(3_599_999);
    expect(await run.status()).toBe("waiting");
    await host.advance(1);
    expect(await run.status()).toBe("completed");
  });

  it("takes signals, and deadlines when none comes", async () => {
    const { host } = await hostOf();
    await using _ = host;
    const [asked, silent] = [await host.start(approving), await host.start(approving)];
    expect(await asked.signal("approval", { outcome: "yes" })).toMatchObject({
      kind: "applied",
      effect: "moved",
    });
    expect(await asked.result()).toMatchObject({ status: "completed" });
    expect(await silent.result()).toMatchObject({ status: "failed", error: { code: "not.approved" } });
  });

  it("stops an attempt at its time", async () => {
    const { host, provider } = await hostOf({ charge: [silence(), completed("paid")] });
    await using _ = host;
    const run = await host.start(charging("idempotent", { attemptMs: 5_000 }));
    expect(await run.result()).toMatchObject({ status: "completed" });
    expect(provider.calls.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  it("says what a run waits for that nothing will bring", async () => {
    const { host } = await hostOf({ charge: unknown() });
    await using _ = host;
    const run = await host.start(charging("unsafe"));
    await expect(run.result()).rejects.toMatchObject({ code: "answer.timeout" });
    expect(await run.status()).toBe("needs-intervention");
    await run.resolve({ decision: "complete", outcome: "paid", output: "seen" });
    expect(await run.output()).toBe("seen");
  });

  it("says how a run ended that did not complete", async () => {
    const { host } = await hostOf({ charge: completed("declined") });
    await using _ = host;
    const run = await host.start(charging("unsafe"));
    await expect(run.output()).rejects.toMatchObject({ code: "run.not-completed" });
  });

  it("reports a call that the script has no reply for", async () => {
    const { host } = await hostOf({ charge: [] });
    await using _ = host;
    const run = await host.start(charging("unsafe"));
    expect(await run.result()).toMatchObject({ status: "failed", error: { code: "script.used-up" } });
  });
});

describe("a crash of a test host", () => {
  it.each([
    ["idempotent", "completed", 2],
    ["unsafe", "needs-intervention", 1],
  ] as const)("during an attempt that is %s leaves the run %s", async (effect, status, calls) => {
    const { host, provider } = await hostOf({ charge: [silence(), completed("paid")] });
    await using _ = host;
    const run = await host.start(charging(effect));
    await host.crash();
    await run.result().catch(() => undefined);
    expect(await run.status()).toBe(status);
    expect(provider.calls).toHaveLength(calls);
  });

  it("loses no time that a run waits for", async () => {
    const { host } = await hostOf();
    await using _ = host;
    const run = await host.start(delaying("P1D"));
    await host.crash();
    await host.crash();
    await host.advance(86_400_000);
    expect(await run.status()).toBe("completed");
  });

  it("drops what an attempt of the dead host answers later", async () => {
    const clock = new SimulatedClock();
    const late = later(clock, 1_000, completed("paid", "old"));
    const provider = scripted({ charge: [late, completed("paid", "new")] });
    const host = await createTestHost({ models: [core], bindings: provider, clock });
    await using _ = host;
    const run = await host.start(charging("idempotent"));
    await host.crash();
    expect(await run.output()).toBe("new");
  });
});

describe("a simulated clock", () => {
  it("knows no part of a millisecond, as stores do not", async () => {
    const clock = new SimulatedClock(1_000);
    clock.after(2.5, () => undefined);
    expect(clock.next).toBe(1_003);
    await clock.jump(1_003);
    expect(clock.now()).toBe(1_003);
  });
});
