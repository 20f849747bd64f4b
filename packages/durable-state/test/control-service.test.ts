/** The operations of the control plane over a real store, with and without a host that serves. */
import type { Json } from "@swl/base";
import { defineWorkflow } from "@swl/definition";
import type { ControlAnswer } from "@swl/invocation-control";
import { afterEach, describe, expect, it } from "vitest";
import { createControl } from "../src/index.js";
import { completed, core, Lab, oneStep, until } from "./lab.js";

const labs: Lab[] = [];

afterEach(async () => {
  for (const lab of labs.splice(0)) await lab.end();
});

function lab(): Lab {
  const made = new Lab();
  labs.push(made);
  return made;
}

const controlOf = (of: Lab) => createControl({ store: of.store(), models: [core], poll: 5 });
const definition = withInput(oneStep("pure"));

/** The step takes what the run takes. */
function withInput(given: unknown): Json {
  const whole = given as { readonly nodes: { readonly work: object } };
  const work = { ...whole.nodes.work, input: { $get: ["input"] } };
  return { ...whole, nodes: { ...whole.nodes, work } } as unknown as Json;
}

/** Charges, asks for approval, works; fails where the last step fails. */
const steps = defineWorkflow({
  id: "steps",
  start: "first",
  actions: { work: { effect: "pure", outcomes: { ok: {} }, retry: { maxAttempts: 1 } as never } },
  nodes: {
    first: { kind: "activity", action: "work", input: "first", routes: { ok: "ask" } },
    ask: { kind: "await-signal", signal: "go", routes: { yes: "second" } },
    second: {
      kind: "activity",
      action: "work",
      input: { $get: ["nodes", "ask", "output"] },
      routes: { ok: "done" },
    },
    done: { kind: "complete", output: { $get: ["from", "output"] } },
  },
}) as unknown as Json;

function runOf(answer: ControlAnswer): string {
  expect(answer.kind).not.toBe("refused");
  return answer.run;
}

describe("start", () => {
  it("creates a run without any host, which the host that comes serves and binds [INV-start]", async () => {
    const world = lab();
    const control = controlOf(world);
    const started = await control.start({ definition, input: 7, startKey: "k" });
    expect(started).toMatchObject({ kind: "accepted", position: 1, repeated: false, requestId: "k" });
    const run = runOf(started);
    expect(await control.why(run)).toMatchObject({
      status: "created",
      summary: "The run is created and waits for a host that serves work.",
    });
    const again = await control.start({ definition, input: 7, startKey: "k" });
    expect(again).toMatchObject({ kind: "accepted", run, repeated: true });
    await expect(control.start({ definition, input: 8, startKey: "k" })).rejects.toMatchObject({
      code: "request.conflict",
      message: `Start key "k" was used before with other content: run ${run} has it.`,
      details: { run },
      hint: expect.stringContaining("a new run needs a new start key"),
    });
    await world.host((call) => completed(call.input));
    expect(await control.result(run, { timeout: 60_000 })).toEqual({ status: "completed", output: 7 });
  });

  it("is left to others by a host that lacks a binding, and can be canceled there [DUR-created-runs]", async () => {
    const world = lab();
    const said: string[] = [];
    const host = await world.host(() => completed(), {
      bindings: { id: "none", has: () => false, invoke: async () => completed() },
      log: ({ code = "", message }) => said.push(`${code} ${message}`),
    });
    const run = runOf(await host.control.start({ definition }));
    expect(await until(() => said.some((line) => line.startsWith("binding.missing")))).toBe(true);
    expect((await host.control.status(run)).status).toBe("created");
    expect(await host.control.cancel({ run, requestId: "c" })).toMatchObject({
      kind: "applied",
      effect: "moved",
    });
    expect(await host.control.result(run)).toMatchObject({ status: "canceled" });
  });

  it("takes the newest revision of a name and records it [INV-publish]", async () => {
    const world = lab();
    const control = controlOf(world);
    await expect(control.start({ name: "one" })).rejects.toMatchObject({ code: "name.not-found" });
    const first = await control.publish({ definition, requestId: "p1" });
    expect(first).toMatchObject({ kind: "applied", name: "one", revision: 1, repeated: false });
    const run = runOf(await control.start({ name: "one", startKey: "n" }));
    const other = oneStep("idempotent") as unknown as Json;
    expect(await control.publish({ definition: other, requestId: "p2" })).toMatchObject({ revision: 2 });
    expect(await control.publish({ definition, requestId: "p1" })).toMatchObject({
      revision: 1,
      repeated: true,
    });
    await expect(control.publish({ definition, requestId: "p2" })).rejects.toMatchObject({
      code: "request.conflict",
    });
    expect(await control.start({ name: "one", startKey: "n" })).toMatchObject({ run, repeated: true });
    const later = runOf(await control.start({ name: "one" }));
    expect(await control.status(run)).toMatchObject({ published: { name: "one", revision: 1 } });
    expect(await control.status(later)).toMatchObject({ published: { name: "one", revision: 2 } });
    expect((await control.list()).items.map((item) => item.run).sort()).toEqual([run, later].sort());
    await expect(control.status("publication:one")).rejects.toMatchObject({ code: "run.not-found" });
    const host = await world.host(() => completed("x"));
    expect(await host.control.result(run, { timeout: 60_000 })).toMatchObject({ output: "x" });
  });

  it("refuses what is invalid before a run exists [INV-start]", async () => {
    const control = controlOf(lab());
    await expect(control.start({})).rejects.toMatchObject({ code: "request.invalid" });
    await expect(control.start({ definition, name: "one" })).rejects.toMatchObject({
      code: "request.invalid",
    });
    await expect(control.start({ definition: { swl: "0.1" } })).rejects.toMatchObject({
      code: "definition.invalid",
    });
    await expect(control.start({ definition, startKey: "" })).rejects.toMatchObject({
      code: "request.invalid",
    });
    expect((await control.list()).items).toEqual([]);
  });

  it("waits until the run has finished when asked to [INV-answers]", async () => {
    const host = await lab().host(() => completed("out"));
    const answer = await host.control.start({ definition }, { wait: 60_000, until: "finished" });
    expect(answer).toMatchObject({ kind: "finished", result: { status: "completed", output: "out" } });
  });
});

describe("redrive", () => {
  it("goes on from before the activation that failed, under a new run [INV-redrive]", async () => {
    const world = lab();
    let broken = true;
    const host = await world.host((call) =>
      call.input !== "first" && broken
        ? { kind: "failed", retryable: false, error: { code: "shop.shut", message: "shut", details: null } }
        : completed(call.input),
    );
    const { control } = host;
    const { id: run } = await host.start(steps as never);
    expect(await control.redrive({ run, requestId: "r0" })).toMatchObject({
      kind: "refused",
      code: "run.not-failed",
    });
    await until(async () => (await control.why(run)).status === "waiting");
    await control.signal({ run, messageId: "s", name: "go", payload: { amount: 5 } });
    expect(await control.result(run, { timeout: 60_000 })).toMatchObject({ status: "failed" });
    const before = await world.store().read(run);
    const dry = await control.dryRun("redrive", { run, requestId: "r1" });
    expect(dry).toMatchObject({ effect: "moved", before: "failed", after: "running" });
    expect(dry.commands).toMatchObject([{ kind: "invoke", input: { amount: 5 } }]);
    broken = false;
    const answer = await control.redrive({ run, requestId: "r1" }, { wait: 60_000, until: "finished" });
    expect(answer).toMatchObject({
      kind: "finished",
      result: { status: "completed", output: { amount: 5 } },
    });
    expect(answer.run).not.toBe(run);
    expect(await control.redrive({ run, requestId: "r1" })).toMatchObject({
      run: answer.run,
      repeated: true,
    });
    expect(world.calls.map((call) => call.idempotencyKey)).toEqual([
      `${run}/first/1`,
      `${run}/second/1`,
      `${answer.run}/second/1`,
    ]);
    expect(await world.store().read(run)).toEqual(before);
    expect(await control.status(run)).toMatchObject({ redrives: [answer.run] });
    expect(await control.status(answer.run)).toMatchObject({ redriveOf: { run, activation: "second#1" } });
    expect(await control.verify(answer.run)).toMatchObject({ differing: [] });
  });

  it("of a redriven run that failed again goes on from there [INV-redrive]", async () => {
    const world = lab();
    let left = 2;
    const host = await world.host((call) =>
      call.input !== "first" && left-- > 0
        ? { kind: "failed", retryable: false, error: { code: "shop.shut", message: "shut", details: null } }
        : completed("fine"),
    );
    const { control } = host;
    const { id } = await host.start(steps as never);
    await until(async () => (await control.why(id)).status === "waiting");
    await control.signal({ run: id, messageId: "s", name: "go" });
    await control.result(id, { timeout: 60_000 });
    const wait = { wait: 60_000, until: "finished" } as const;
    const second = await control.redrive({ run: id, requestId: "r" }, wait);
    expect(second).toMatchObject({ kind: "finished", result: { status: "failed" } });
    const third = await control.redrive({ run: second.run, requestId: "r" }, wait);
    expect(third).toMatchObject({ kind: "finished", result: { status: "completed", output: "fine" } });
    expect(await control.verify(third.run)).toMatchObject({ differing: [] });
  });
});

describe("verify", () => {
  it("folds the log to the state at any position and compares what was stored [INV-verify]", async () => {
    const world = lab();
    const host = await world.host(() => completed());
    const { id } = await host.start(steps as never);
    await until(async () => (await host.control.why(id)).status === "waiting");
    await host.control.signal({ run: id, messageId: "s", name: "go" });
    await host.control.result(id, { timeout: 60_000 });
    const whole = await host.control.verify(id);
    expect(whole).toMatchObject({ differing: [], view: { status: "completed" } });
    expect(whole.compared).toBeGreaterThan(3);
    const early = await host.control.verify(id, { position: 2 });
    expect(early).toMatchObject({ position: 2, view: { positions: [{ node: "first" }] } });
  });
});

describe("terminate and release", () => {
  it("ends a run at once and says so in its status [DUR-terminate]", async () => {
    const world = lab();
    const host = await world.host(() => new Promise(() => undefined));
    const { id: run } = await host.start(definition as never);
    const request = { run, requestId: "t", reason: "broken", by: "ann" };
    expect(await host.control.dryRun("terminate", request)).toMatchObject({
      effect: "moved",
      after: "canceled",
    });
    const answer = await host.control.terminate(request);
    expect(answer).toMatchObject({ kind: "finished", result: { error: { code: "run.terminated" } } });
    expect(await host.control.terminate(request)).toMatchObject({ kind: "finished", repeated: true });
    expect(await host.control.status(run)).toMatchObject({
      status: "canceled",
      terminated: { reason: "broken", by: "ann" },
      view: { outstanding: [{ action: "work" }] },
    });
    expect(await host.control.why(run)).toMatchObject({ status: "canceled", blockers: [] });
    expect((await host.control.list({ status: "canceled" })).items).toMatchObject([{ run }]);
    expect(await host.control.release({ run, requestId: "x" })).toMatchObject({ code: "event.too-late" });
  });

  it("releases nothing that is not held [DUR-release]", async () => {
    const host = await lab().host(() => new Promise(() => undefined));
    const { id: run } = await host.start(definition as never);
    expect(await host.control.release({ run, requestId: "x" })).toMatchObject({
      kind: "refused",
      code: "run.not-held",
    });
  });
});

describe("bulk", () => {
  it("looks first, then gives every run a receipt of its own, and resumes [INV-bulk]", async () => {
    const world = lab();
    const host = await world.host((call) =>
      call.input === "unknown" ? { kind: "unknown", reason: "crash" } : completed(),
    );
    const unsafe = withInput(oneStep("unsafe"));
    const runs = [];
    for (let count = 0; count < 3; count++)
      runs.push((await host.start(unsafe as never, { input: "unknown" as never })).id);
    const parked = () => host.control.list({ status: "needs-intervention" });
    expect(await until(async () => (await parked()).items.length === 3)).toBe(true);
    const request = {
      operation: "resolve",
      requestId: "all",
      filter: { workflow: "one", action: "work", reason: "unknown-result" },
      decision: { decision: "complete", outcome: "ok", output: "by hand" },
    } as const;
    const looked = await host.control.bulk(request);
    expect(looked.items.map(({ answer }) => answer)).toMatchObject(
      runs.map(() => ({ kind: "dry-run", effect: "moved" })),
    );
    expect((await parked()).items.length).toBe(3);
    expect((await host.control.bulk({ ...request, filter: { action: "other" } })).items).toEqual([]);
    expect((await host.control.bulk({ ...request, filter: { olderThan: 3_600_000 } })).items).toEqual([]);
    const first = await host.control.bulk({ ...request, apply: true, limit: 2 });
    expect(first).toMatchObject({ looked: 2, items: [{ answer: { kind: "accepted" } }, {}] });
    await host.control.bulk({
      ...request,
      apply: true,
      limit: 2,
      ...(first.next !== undefined && { after: first.next }),
    });
    for (const run of runs)
      expect(await host.control.result(run, { timeout: 60_000 })).toEqual({
        status: "completed",
        output: "by hand",
      });
  });
});

describe("bulk, where one run is in the way", () => {
  it("answers for that run and goes on with the others [INV-bulk]", async () => {
    const world = lab();
    const control = controlOf(world);
    const runs = [];
    for (let count = 0; count < 3; count++) runs.push(runOf(await control.start({ definition: steps })));
    await control.cancel({ run: runs[1]!, requestId: "all", reason: "by itself" }, { wait: 0 });
    const request = { operation: "cancel", requestId: "all", filter: {}, reason: "in bulk" } as const;
    const { items } = await control.bulk({ ...request, apply: true });
    expect(items.map(({ run, answer }) => [run, answer.kind, "code" in answer && answer.code])).toEqual([
      [runs[2], "accepted", false],
      [runs[1], "refused", "request.conflict"],
      [runs[0], "accepted", false],
    ]);
  });
});

describe("a list", () => {
  it("goes on from no place that no list has said [INV-operations]", async () => {
    const control = controlOf(lab());
    await control.start({ definition });
    for (const after of ["x", "-1", "1.5"]) {
      const wrong = { code: "request.invalid" };
      await expect(control.list({ after })).rejects.toMatchObject(wrong);
      const request = { operation: "cancel", requestId: "b", filter: {}, after } as const;
      await expect(control.bulk(request)).rejects.toMatchObject(wrong);
    }
  });
});

describe("request IDs", () => {
  it("of starts and publications are met by no run, whatever it is called [INV-operations]", async () => {
    const control = controlOf(lab());
    await control.start({ definition, startKey: "k" });
    await control.publish({ definition, name: "one", requestId: "k" });
    for (const run of ["start", "publish:one", "publication:one", "none"]) {
      const missing = { code: "run.not-found" };
      await expect(control.cancel({ run, requestId: "k" })).rejects.toMatchObject(missing);
      await expect(control.redrive({ run, requestId: "k" })).rejects.toMatchObject(missing);
      await expect(control.terminate({ run, requestId: "k" })).rejects.toMatchObject(missing);
      await expect(control.dryRun("cancel", { run, requestId: "k" })).rejects.toMatchObject(missing);
      for (const read of ["status", "why", "history", "path", "definition", "verify", "result"] as const)
        await expect(control[read](run)).rejects.toMatchObject(missing);
    }
  });
});

describe("authorization", () => {
  it("is asked before anything is read out, and for every operation [INV-authorization]", async () => {
    const world = lab();
    const host = await world.host(() => completed());
    const { id: run } = await host.start(steps as never);
    const asked: string[] = [];
    const nobody = host.control.as(({ operation, run: of = "" }) => {
      asked.push(`${operation} ${of}`);
      return false;
    });
    const denied = { kind: "refused", code: "request.unauthorized" };
    for (const of of [run, "no-such-run"]) {
      expect(await nobody.signal({ run: of, messageId: "m", name: "go" })).toMatchObject(denied);
      expect(await nobody.cancel({ run: of, requestId: "m" })).toMatchObject(denied);
      expect(await nobody.terminate({ run: of, requestId: "m" })).toMatchObject(denied);
      expect(await nobody.redrive({ run: of, requestId: "m" })).toMatchObject(denied);
      await expect(nobody.status(of)).rejects.toMatchObject({ code: "request.unauthorized" });
      await expect(nobody.history(of)).rejects.toMatchObject({ code: "request.unauthorized" });
      expect(await nobody.dryRun("cancel", { run: of, requestId: "m" })).toMatchObject({
        effect: "refused",
        code: "request.unauthorized",
      });
    }
    await expect(nobody.list()).rejects.toMatchObject({ code: "request.unauthorized" });
    expect(await nobody.start({ definition })).toMatchObject(denied);
    expect(asked).toContain(`signal ${run}`);
    const reader = host.control.as(({ reveal, run: of }) => !reveal && of !== run);
    expect((await reader.list()).items).toEqual([]);
  });
});
