import { defineWorkflow } from "@swl/definition";
import { core } from "@swl/execution";
import { type ProviderAnswer, remoteWorkers, type SettlementAnswer } from "@swl/invocation-control";
import { inProcess, ok } from "@swl/invocation-control/in-process";
import { createMemoryBacking, openMemoryStore } from "@swl/store-memory";
import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../src/clock.js";
import { createHost, createRemoteWork, type Host, type HostOptions } from "../src/index.js";

type Effect = "pure" | "idempotent" | "unsafe";

/** Two activities of workers that pull, with one of the host's own between them. */
function workflow(effect: Effect, attemptMs?: number) {
  const far = { effect, outcomes: { ok: {} }, ...(attemptMs !== undefined && { timeouts: { attemptMs } }) };
  return defineWorkflow({
    id: "far",
    start: "first",
    actions: { far, near: { effect: "pure", outcomes: { ok: {} } } },
    nodes: {
      first: { kind: "activity", action: "far", input: { $get: ["input"] }, routes: { ok: "between" } },
      between: { kind: "activity", action: "near", routes: { ok: "second" } },
      second: { kind: "activity", action: "far", routes: { ok: "done" } },
      done: { kind: "complete", output: { $get: ["from", "output"] } },
    },
  } as never);
}

const done = (output: string): ProviderAnswer => ({ kind: "completed", outcome: "ok", output });

let hosts: Host[] = [];
afterEach(async () => {
  for (const host of hosts) await host.close({ drain: 0 });
  hosts = [];
});

async function open(options: Partial<HostOptions> = {}) {
  let ahead = 0;
  const backing = createMemoryBacking();
  const store = openMemoryStore({ backing, clock: () => Date.now() + ahead });
  const host = await createHost({
    store,
    models: [core],
    bindings: [remoteWorkers({ actions: ["far"] }), inProcess({ near: () => ok(null) })],
    poll: 5,
    clock: systemClock,
    ...options,
  });
  hosts.push(host);
  const { adoptEvidence = true } = options;
  const work = createRemoteWork({ store, models: [core], poll: 5, adoptEvidence });
  const claim = async (worker = "w1") => {
    const [task] = await work.claim({ worker, actions: ["far"], wait: 10_000 });
    return task!;
  };
  const settle = async (worker: string, task: { run: string; task: string }, answer: ProviderAnswer) =>
    (await work.settle(worker, [{ run: task.run, task: task.task, answer }]))[0]!;
  return { store, host, work, claim, settle, pass: (milliseconds: number) => (ahead += milliseconds) };
}

async function statusBecomes(host: Host, run: string, wanted: string): Promise<void> {
  for (;;) {
    if ((await host.control.status(run)).status === wanted) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("work that is pulled", () => {
  it("is never begun or claimed by a host, and a run of it ends [INV-worker-queue]", async () => {
    const { host, claim, settle } = await open();
    const run = await host.start(workflow("unsafe"), { input: { order: 7 } });
    await statusBecomes(host, run.id, "running");
    const first = await claim();
    expect(first).toMatchObject({
      run: run.id,
      action: "far",
      attempt: 1,
      input: { order: 7 },
      effect: "unsafe",
      lease: 30_000,
    });
    expect(await settle("w1", first, done("a"))).toMatchObject({ kind: "applied", repeated: false });
    const second = await claim();
    expect(second.idempotencyKey).not.toBe(first.idempotencyKey);
    await settle("w1", second, done("b"));
    expect(await run.result()).toEqual({ status: "completed", output: "b" });
  });

  it("wakes a claim that waits, and ends the wait when it is aborted [INV-worker-queue]", async () => {
    const { host, work, claim } = await open();
    const waiting = claim();
    await host.start(workflow("pure"));
    expect((await waiting).attempt).toBe(1);
    const leaving = new AbortController();
    const idle = work.claim({ worker: "w2", actions: ["far"], wait: 60_000 }, { signal: leaving.signal });
    leaving.abort();
    expect(await idle).toEqual([]);
    const closing = work.claim({ worker: "w2", actions: ["far"], wait: 60_000 });
    work.close();
    expect(await closing).toEqual([]);
  });

  it("is handed to one worker at a time, and to the next when it is released [INV-worker-lease]", async () => {
    const { host, work, claim, settle } = await open();
    await host.start(workflow("unsafe"));
    const task = await claim("w1");
    expect(await work.claim({ worker: "w2", actions: ["far"] })).toEqual([]);
    expect(await settle("w2", task, done("x"))).toMatchObject({ kind: "refused", code: "store.lease-lost" });
    await work.release("w1", [task.task]);
    expect((await claim("w2")).task).toBe(task.task);
    expect(await settle("w1", task, done("x"))).toMatchObject({ kind: "refused", code: "store.lease-lost" });
    expect(await settle("w2", task, done("y"))).toMatchObject({ kind: "applied" });
  });
});

describe("a claim", () => {
  it("is kept by heartbeats and found again by its name after a restart [INV-worker-lease]", async () => {
    const { host, store, work, claim, settle, pass } = await open();
    const run = await host.start(workflow("unsafe"));
    const task = await claim("w1");
    for (let beat = 0; beat < 3; beat++) {
      pass(20_000);
      expect(await work.heartbeat({ worker: "w1", tasks: [task.task, "none"] })).toEqual({
        held: [task.task],
        lost: ["none"],
        stop: [],
      });
    }
    const after = createRemoteWork({ store, models: [core] });
    const { lease: _lease, ...same } = task;
    expect(await after.held("w1")).toMatchObject([same]);
    expect(await after.held("w2")).toEqual([]);
    expect(await settle("w1", task, done("a"))).toMatchObject({ kind: "applied" });
    expect((await host.control.status(run.id)).closed).toBe(false);
  });

  it("that ran out is unknown, repeated where the effect class allows it [INV-worker-lease]", async () => {
    const { host, work, claim, settle, pass } = await open();
    await host.start(workflow("idempotent"));
    const task = await claim("w1");
    pass(31_000);
    expect(await work.heartbeat({ worker: "w1", tasks: [task.task] })).toMatchObject({ lost: [task.task] });
    for (;;) {
      const path = await host.control.history(task.run);
      if (path.some(({ event }) => event?.reason === "lease-lost")) break;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    pass(61_000);
    const second = await claim("w2");
    expect(second).toMatchObject({ attempt: 2, idempotencyKey: task.idempotencyKey });
    expect(await settle("w1", task, done("late"))).toMatchObject({ kind: "evidence" });
    expect(await settle("w2", second, done("a"))).toMatchObject({ kind: "applied" });
  });

  it("is not renewed beyond the time of its attempt [INV-worker-lease]", async () => {
    const { host, store, work, claim } = await open();
    await host.start(workflow("unsafe", 50));
    const task = await claim("w1");
    expect(task.attemptMs).toBe(50);
    expect(task.lease).toBeLessThanOrEqual(2_050);
    const short = createRemoteWork({ store, models: [core], grace: 0 });
    expect((await short.held("w1"))[0]?.lease).toBeLessThanOrEqual(50);
    expect((await work.heartbeat({ worker: "w1", tasks: [task.task] })).held).toEqual([task.task]);
  });

  it("says that nobody wants the attempt any more when its run is canceled [INV-worker-lease]", async () => {
    const { host, work, claim } = await open();
    const run = await host.start(workflow("unsafe"));
    const task = await claim("w1");
    await host.control.cancel({ run: run.id, requestId: "c1" });
    expect(await work.heartbeat({ worker: "w1", tasks: [task.task] })).toEqual({
      held: [task.task],
      lost: [],
      stop: [task.task],
    });
    await work.release("w1", [task.task]);
    expect(await run.result()).toEqual({ status: "canceled" });
  });
});

describe("a settlement", () => {
  it("has its first answer when it is repeated, and conflicts with another [INV-worker-settlement]", async () => {
    const { host, claim, settle } = await open();
    await host.start(workflow("unsafe"));
    const task = await claim();
    const first = await settle("w1", task, done("a"));
    expect(await settle("w1", task, done("a"))).toEqual({ ...first, repeated: true });
    expect(await settle("w1", task, done("b"))).toMatchObject({ kind: "refused", code: "request.conflict" });
  });

  it("that is sent twice at once has one answer, through two servers too [INV-worker-settlement]", async () => {
    const { host, store, work, claim, settle } = await open();
    await host.start(workflow("unsafe"));
    const task = await claim();
    let other: SettlementAnswer | undefined;
    // The receipts have been asked for, and the other one is settled before the run is read.
    const late: typeof store = Object.assign(Object.create(store) as typeof store, {
      load: async (stream: string) => {
        other ??= await settle("w1", task, done("a"));
        return store.load(stream);
      },
    });
    for (const twin of [createRemoteWork({ store: late, models: [core] }), work]) {
      const [answer] = await twin.settle("w1", [{ run: task.run, task: task.task, answer: done("a") }]);
      expect(other).toMatchObject({ kind: "applied", repeated: false });
      expect(answer).toEqual({ ...other, repeated: true });
    }
    const events = (await host.control.history(task.run)).map(({ event }) => event);
    expect(events.filter((event) => event?.invocation === task.invocation).length).toBe(1);
  });

  it("that meets another of the same attempt is refused, and the others are settled [INV-worker-settlement]", async () => {
    const { host, work, claim } = await open();
    await host.start(workflow("unsafe"));
    await host.start(workflow("unsafe"));
    const [one, two] = [await claim(), await claim()];
    const settlements = [
      { run: one.run, task: one.task, answer: done("a") },
      { run: one.run, task: one.task, answer: done("b") },
      { run: two.run, task: two.task, answer: done("c") },
    ];
    const answers = await work.settle("w1", settlements);
    expect(answers.map(({ kind }) => kind).sort()).toEqual(["applied", "applied", "refused"]);
    expect(answers[2]).toMatchObject({ kind: "applied" });
    expect(answers.find(({ kind }) => kind === "refused")).toMatchObject({ code: "request.conflict" });
  });

  it("keeps no frames of a stack, and no endless message [INV-nothing-leaks]", async () => {
    const { host, store, claim, settle } = await open();
    const message = `${"x".repeat(500)}\n    at work (/srv/secret.js:1:1)\n${"y".repeat(5_000)}`;
    const answers: ProviderAnswer[] = [
      { kind: "unknown", reason: "crash", message },
      { kind: "failed", retryable: false, error: { code: "far.broke", message, details: null } },
    ];
    for (const answer of answers) {
      const run = await host.start(workflow("unsafe"));
      expect(await settle("w1", await claim(), answer)).toMatchObject({ kind: "applied" });
      const log = JSON.stringify(await store.read(run.id));
      expect(log).toContain("xxx");
      expect(log).not.toContain("secret.js");
      expect(log.split("y").length).toBeLessThan(1_100);
    }
  });

  it("is not in the way of a request about the run, whatever its ID, nor the other way round [INV-worker-settlement]", async () => {
    const { host, claim, settle } = await open();
    const run = await host.start(workflow("unsafe"));
    const task = await claim();
    const words = { run: run.id, name: "go" };
    for (const kind of ["applied", "evidence"]) {
      const messageId = `${kind}:${task.task}`;
      await host.control.signal({ ...words, messageId }, { wait: 0 }).catch(() => undefined);
      await host.control.cancel({ run: run.id, requestId: messageId }, { wait: 0 }).catch(() => undefined);
    }
    expect(await settle("w1", task, done("a"))).toMatchObject({ kind: "applied", repeated: false });
  });

  it("after the expiry was committed is evidence and moves nothing [INV-worker-settlement]", async () => {
    const { host, claim, settle, pass } = await open({ adoptEvidence: false });
    const run = await host.start(workflow("unsafe"));
    const task = await claim();
    pass(31_000);
    await statusBecomes(host, run.id, "needs-intervention");
    const position = (await host.control.status(run.id)).position;
    const late = await settle("w1", task, done("late"));
    expect(late).toMatchObject({ kind: "evidence", repeated: false });
    expect((late as { position?: number }).position).toBeGreaterThan(position);
    expect(await settle("w1", task, done("late"))).toEqual({ ...late, repeated: true });
  });

  it("of no attempt of the run, or of no run, is refused by name [INV-worker-settlement]", async () => {
    const { host, claim, settle } = await open();
    await host.start(workflow("unsafe"));
    const { run } = await claim();
    for (const task of ["", "x", `${run}/first#1`, `${run}/first#1:0`, "other/first#1:1"]) {
      expect(await settle("w1", { run, task }, done("a"))).toMatchObject({ code: "request.invalid" });
    }
    const nowhere = { run: "run-none", task: "run-none/first#1:1" };
    expect(await settle("w1", nowhere, done("a"))).toMatchObject({ code: "run.not-found" });
  });

  it("that is none of the four answers is a broken provider's [INV-four-answers]", async () => {
    const { host, claim, settle } = await open({ adoptEvidence: false });
    const run = await host.start(workflow("unsafe"));
    const answer = { kind: "completed", outcome: 7 } as unknown as ProviderAnswer;
    expect(await settle("w1", await claim(), answer)).toMatchObject({ kind: "applied" });
    await statusBecomes(host, run.id, "needs-intervention");
  });

  it("of a run that has ended is kept beside its log [INV-worker-settlement]", async () => {
    const { host, store, claim, settle } = await open();
    const run = await host.start(workflow("unsafe"));
    const task = await claim();
    await host.control.terminate({ run: run.id, requestId: "t" });
    expect(await settle("w1", task, done("late"))).toEqual({
      kind: "evidence",
      task: task.task,
      repeated: false,
    });
    expect(await store.notes(run.id)).toMatchObject([{ event: `settlement:${task.task}:result` }]);
  });

  it("of a worker that never had the attempt is no evidence [INV-worker-settlement]", async () => {
    const { host, store, claim, settle, pass } = await open({ adoptEvidence: false });
    const run = await host.start(workflow("unsafe"));
    const task = await claim("w1");
    pass(31_000);
    await statusBecomes(host, run.id, "needs-intervention");
    const { position } = await host.control.status(run.id);
    expect(await settle("w2", task, done("forged"))).toMatchObject({ code: "store.lease-lost" });
    const other = { run: run.id, task: task.task.replace(/1$/, "2") };
    expect(await settle("w1", other, done("forged"))).toMatchObject({ code: "store.lease-lost" });
    expect((await host.control.status(run.id)).position).toBe(position);
    expect(await store.notes(run.id)).toEqual([]);
  });
});

describe("a broken part", () => {
  it("is caught when a host begins what workers pull [INV-worker-queue]", async () => {
    const { remote: _remote, ...provider } = remoteWorkers({ actions: ["far"] });
    const { host, work } = await open({ bindings: [provider, inProcess({ near: () => ok(null) })] });
    const run = await host.start(workflow("pure"));
    expect(await work.claim({ worker: "w1", actions: ["far"], wait: 50 })).toEqual([]);
    for (;;) {
      const log = await host.control.history(run.id);
      if (log.some(({ event }) => event?.code === "binding.invalid")) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });

  it("is caught when the store renews what has run out [INV-worker-lease]", async () => {
    const { host, store, claim, pass } = await open({ lease: 3_600_000 });
    await host.start(workflow("unsafe"));
    const task = await claim();
    pass(31_000);
    const generous: typeof store = Object.assign(Object.create(store) as typeof store, {
      renewWork: async (_holder: string, tasks: readonly string[]) => tasks,
      held: async (holder: string) => store.held(holder),
    });
    const beat = (of: typeof store) =>
      createRemoteWork({ store: of, models: [core] }).heartbeat({ worker: "w1", tasks: [task.task] });
    expect((await beat(store)).lost).toEqual([task.task]);
    expect((await beat(generous)).held).toEqual([task.task]);
  });

  it("is caught when the store forgets receipts [INV-worker-settlement]", async () => {
    const { host, store } = await open();
    const forgetful: typeof store = Object.assign(Object.create(store) as typeof store, {
      receipt: async () => undefined,
      append: (items: Parameters<typeof store.append>[0]) =>
        store.append(items.map(({ receipts: _receipts, ...item }) => item)),
    });
    const twice = async (of: typeof store) => {
      await host.start(workflow("unsafe"));
      const work = createRemoteWork({ store: of, models: [core], poll: 5 });
      const [task] = await work.claim({ worker: "w1", actions: ["far"], wait: 10_000 });
      const settlement = { run: task!.run, task: task!.task, answer: done("a") };
      await work.settle("w1", [settlement]);
      return (await work.settle("w1", [settlement]))[0];
    };
    expect(await twice(store)).toMatchObject({ kind: "applied", repeated: true });
    expect(await twice(forgetful)).not.toMatchObject({ kind: "applied", repeated: true });
  });
});

describe("a request", () => {
  it("with wrong names or numbers is refused before the store is asked", async () => {
    const { work } = await open();
    const refusals = [
      work.claim({ worker: "", actions: ["far"] }),
      work.claim({ worker: "a b", actions: ["far"] }),
      work.claim({ worker: "w", actions: [] }),
      work.claim({ worker: "w", actions: ["far"], limit: 0 }),
      work.claim({ worker: "w", actions: ["far"], lease: 1 }),
      work.claim({ worker: "w", actions: ["far"], wait: 60_001 }),
      work.heartbeat({ worker: "é", tasks: [] }),
      work.settle("x".repeat(129), []),
    ];
    for (const refusal of refusals) await expect(refusal).rejects.toMatchObject({ code: "request.invalid" });
  });
});
