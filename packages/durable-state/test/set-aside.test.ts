/** Runs that are held, released and terminated while an attempt is under way. */
import { defineWorkflow } from "@swl/definition";
import type { Store } from "@swl/store-provider";
import { afterEach, describe, expect, it } from "vitest";
import { createControl } from "../src/index.js";
import { completed, core, Lab, oneStep, pause, through, until } from "./lab.js";

let lab = new Lab();
afterEach(async () => {
  await lab.end();
  lab = new Lab();
});

/** Sets a run aside as a host does that cannot go on with it. */
async function hold(store: Store, run: string): Promise<void> {
  const held = await until(async () => {
    const { position } = (await store.head(run))!;
    const document = { hold: "quarantine", code: "host.quarantined", message: "for this test" };
    const [answer] = await store.append([
      {
        stream: run,
        commit: `hold-${position}`,
        expect: position,
        stamp: Date.now(),
        records: [{ kind: "hold", document }],
        hold: "quarantine",
      },
    ]);
    return answer?.kind === "accepted";
  });
  expect(held).toBe(true);
}

function later() {
  const waiting: ((answer: unknown) => void)[] = [];
  return {
    answer: (value: unknown) => waiting.shift()?.(value),
    script: () => new Promise<unknown>((resolve) => waiting.push(resolve)),
  };
}

/** The run goes on after its only attempt, and waits. */
function thenWaits() {
  return defineWorkflow({
    id: "then-waits",
    start: "work",
    actions: { work: { effect: "unsafe", outcomes: { ok: {} } } },
    nodes: {
      work: { kind: "activity", action: "work", routes: { ok: "wait" } },
      wait: { kind: "await-signal", signal: "go", routes: { on: "done" } },
      done: { kind: "complete", output: { $get: ["input"] } },
    },
  });
}

const busy = { kind: "failed", retryable: true, error: { code: "busy", message: "busy", details: null } };

async function eventsOf(run: string): Promise<readonly string[]> {
  const records = await lab.store().read(run);
  return records.flatMap(({ document }) => {
    const { event } = document as { readonly event?: { readonly type: string; readonly id: string } };
    return event === undefined ? [] : [`${event.type} ${event.id.startsWith("note:") ? "kept" : "new"}`];
  });
}

describe("release", () => {
  it("settles the claimed work of an attempt that answered while the run was held [DUR-release]", async () => {
    const { answer, script } = later();
    const host = await lab.host((call) => (call.attempt === 1 ? busy : script()));
    const { id } = await host.start(oneStep("idempotent", { delay: 5 }));
    expect(await until(() => lab.calls.length === 2)).toBe(true);
    await hold(lab.store(), id);
    answer(completed("meanwhile"));
    expect(await until(async () => (await lab.store().notes(id)).length === 1)).toBe(true);
    expect((await lab.store().load(id))?.work.length).toBe(1);
    await host.control.release({ run: id, requestId: "r" });
    expect(await host.run(id).result({ timeout: 60_000 })).toEqual({
      status: "completed",
      output: "meanwhile",
    });
    expect(lab.calls.length).toBe(2);
    expect(await eventsOf(id)).toEqual(["start new", "failure new", "result kept"]);
  });

  it("begins no attempt again of which nobody knew while the run was held [DUR-release]", async () => {
    const { answer, script } = later();
    const host = await lab.host((call) => (call.attempt === 1 ? busy : script()));
    const { id } = await host.start(oneStep("unsafe"));
    await until(() => lab.calls.length === 1);
    expect(await host.run(id).result({ timeout: 60_000 })).toMatchObject({ status: "failed" });
    const held = await host.start(oneStep("unsafe", { delay: 5 }));
    expect(await until(() => lab.calls.length === 3)).toBe(true);
    await hold(lab.store(), held.id);
    answer({ kind: "unknown", reason: "crash" });
    expect(await until(async () => (await lab.store().notes(held.id)).length === 1)).toBe(true);
    await host.control.release({ run: held.id, requestId: "r" });
    expect(await until(async () => (await host.control.why(held.id)).status === "needs-intervention")).toBe(
      true,
    );
    await pause(100);
    expect(lab.calls.length).toBe(3);
    expect((await lab.store().load(held.id))?.work).toEqual([]);
  });

  it("takes in what was kept once, however often the run is held again [DUR-release]", async () => {
    const { answer, script } = later();
    const host = await lab.host((call) => (call.attempt === 1 ? script() : new Promise(() => undefined)));
    const { id } = await host.start(oneStep("idempotent", { delay: 5 }));
    await until(() => lab.calls.length === 1);
    await hold(lab.store(), id);
    answer(busy);
    expect(await until(async () => (await lab.store().notes(id)).length === 1)).toBe(true);
    await host.control.release({ run: id, requestId: "r1" });
    expect(await until(() => lab.calls.length === 2)).toBe(true);
    await hold(lab.store(), id);
    await host.control.release({ run: id, requestId: "r2" });
    await pause(100);
    expect(await eventsOf(id)).toEqual(["start new", "failure kept"]);
  });

  it("brings what was just being kept when the hold was lifted, once [DUR-release]", async () => {
    const { answer, script } = later();
    let lift: (() => Promise<unknown>) | undefined;
    const store = through(lab.store(), async (name, call) => {
      const said = await call();
      if (name === "note") await lift?.();
      return said;
    });
    const host = await lab.host(() => script(), { store });
    const { id } = await host.start(oneStep("unsafe"));
    await until(() => lab.calls.length === 1);
    await hold(lab.store(), id);
    const control = createControl({ store: lab.store(), models: [core] });
    lift = () => control.release({ run: id, requestId: "r" }, { wait: 0 });
    answer(completed("once"));
    expect(await host.run(id).result({ timeout: 4_000 })).toEqual({ status: "completed", output: "once" });
    expect(await eventsOf(id)).toEqual(["start new", "result kept"]);
  });

  it("drops its own word when another host has taken in what was kept of it [DUR-release]", async () => {
    const { answer, script } = later();
    let lift: (() => Promise<unknown>) | undefined;
    const store = through(lab.store(), async (name, call) => {
      const said = await call();
      if (name === "note") await lift?.();
      return said;
    });
    const host = await lab.host(() => script(), { store });
    const { id } = await host.start(thenWaits());
    await until(() => lab.calls.length === 1);
    await hold(lab.store(), id);
    const other = await lab.host(() => script());
    lift = async () => {
      await other.control.release({ run: id, requestId: "r" }, { wait: 0 });
      await until(async () => (await eventsOf(id)).includes("result kept"));
    };
    answer(completed());
    expect(await until(async () => (await eventsOf(id)).includes("result kept"))).toBe(true);
    const go = { run: id, messageId: "m", name: "go", outcome: "on", payload: null };
    await host.control.signal(go);
    expect((await host.run(id).result({ timeout: 4_000 })).status).toBe("completed");
    expect(await eventsOf(id)).toEqual(["start new", "result kept", "signal new"]);
  });

  it("applies what was accepted meanwhile, and what is running goes on [DUR-release]", async () => {
    const { answer, script } = later();
    const host = await lab.host(() => script());
    const { id } = await host.start(oneStep("unsafe"));
    await until(() => lab.calls.length === 1);
    await hold(lab.store(), id);
    expect(await host.control.cancel({ run: id, requestId: "c" }, { wait: 0 })).toMatchObject({
      kind: "accepted",
    });
    await host.control.release({ run: id, requestId: "r" });
    expect(await until(async () => (await host.control.status(id)).view?.status === "canceling")).toBe(true);
    answer(completed("done all the same"));
    expect(await host.run(id).result({ timeout: 60_000 })).toMatchObject({ status: "canceled" });
  });
});

describe("terminate", () => {
  it("tells what is under way to stop, and keeps its answer beside the log [DUR-terminate]", async () => {
    const host = await lab.host(
      (_call, signal) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve(completed("stopped")))),
      { grace: 1_000 },
    );
    const { id } = await host.start(oneStep("unsafe"));
    await until(() => lab.calls.length === 1);
    expect(await host.control.terminate({ run: id, requestId: "t", reason: "stuck" })).toMatchObject({
      kind: "finished",
      result: { status: "canceled", error: { code: "run.terminated" } },
    });
    expect(await until(async () => (await lab.store().notes(id)).length === 1)).toBe(true);
    expect(await host.control.status(id)).toMatchObject({
      status: "canceled",
      terminated: { reason: "stuck" },
      view: { status: "canceled", outstanding: [{ kind: "invoke", attempt: 1 }] },
    });
    const [listed] = (await host.control.list({ status: "canceled" })).items;
    expect(listed).toMatchObject({ run: id, closed: true });
  });

  it("ends a run whose definition nobody here has [DUR-terminate]", async () => {
    const host = await lab.host(() => new Promise(() => undefined));
    const { id } = await host.start(oneStep("unsafe"));
    await lab.end();
    const foreign = { ...(await import("./lab.js")).core, id: "another.model" };
    const other = await lab.host(() => null, { models: [foreign] });
    await other.control.terminate({ run: id, requestId: "t" });
    expect(await other.run(id).result({ timeout: 60_000 })).toMatchObject({ status: "canceled" });
  });
});
