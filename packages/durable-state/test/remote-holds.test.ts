/** Settlements of workers that pull, of runs that are set aside and released. */
import { defineWorkflow } from "@swl/definition";
import { type ProviderAnswer, remoteWorkers } from "@swl/invocation-control";
import type { Store } from "@swl/store-provider";
import { afterEach, describe, expect, it } from "vitest";
import { createControl, createRemoteWork } from "../src/index.js";
import { core, Lab, through } from "./lab.js";

const twice = defineWorkflow({
  id: "far",
  start: "first",
  actions: { far: { effect: "unsafe", outcomes: { ok: {} } } },
  nodes: {
    first: { kind: "activity", action: "far", routes: { ok: "second" } },
    second: { kind: "activity", action: "far", routes: { ok: "done" } },
    done: { kind: "complete", output: { $get: ["from", "output"] } },
  },
});

const done = (output: string): ProviderAnswer => ({ kind: "completed", outcome: "ok", output });
const failed: ProviderAnswer = {
  kind: "failed",
  retryable: false,
  error: { code: "no", message: "no", details: null },
};

let lab = new Lab();
afterEach(async () => {
  await lab.end();
  lab = new Lab();
});

async function open() {
  const store = lab.store();
  const host = await lab.host(() => null, { store, bindings: remoteWorkers({ actions: ["far"] }) });
  const run = await host.start(twice);
  const work = createRemoteWork({ store, models: [core], poll: 5 });
  const claim = async () => (await work.claim({ worker: "w", actions: ["far"], wait: 10_000 }))[0]!;
  const settle = async (seen: Store, task: string, answer: ProviderAnswer) => {
    const server = createRemoteWork({ store: seen, models: [core], poll: 5 });
    return (await server.settle("w", [{ run: run.id, task, answer }]))[0]!;
  };
  return { store, host, run, claim, settle };
}

async function setAside(store: Store, run: string): Promise<void> {
  const { position } = (await store.head(run))!;
  const document = { hold: "quarantine", code: "host.quarantined", message: "for this test" };
  const records = [{ kind: "hold", document }];
  const item = { stream: run, commit: "hold", expect: position, stamp: Date.now(), records };
  expect((await store.append([{ ...item, hold: "quarantine" }]))[0]?.kind).toBe("accepted");
}

async function eventsOf(store: Store, run: string): Promise<readonly string[]> {
  return (await store.read(run)).flatMap(({ document }) => {
    const { event } = document as { readonly event?: { readonly type: string } };
    return event === undefined ? [] : [event.type];
  });
}

describe("a settlement of a worker", () => {
  it("is brought when the hold was lifted before it could be kept [DUR-release]", async () => {
    const { store, host, run, claim, settle } = await open();
    const { task } = await claim();
    await setAside(store, run.id);
    const seen = through(store, async (name, call) => {
      if (name === "note") await host.control.release({ run: run.id, requestId: "r" });
      return call();
    });
    expect(await settle(seen, task, done("a"))).toMatchObject({ kind: "applied" });
    expect(await settle(store, (await claim()).task, done("b"))).toMatchObject({ kind: "applied" });
    expect(await run.result({ timeout: 4_000 })).toEqual({ status: "completed", output: "b" });
    expect(await eventsOf(store, run.id)).toEqual(["start", "result", "result"]);
  });

  it("is brought once when a host took in what was kept of it [DUR-release]", async () => {
    const { store, host, run, claim, settle } = await open();
    const { task } = await claim();
    await setAside(store, run.id);
    const seen = through(store, async (name, call) => {
      const answer = await call();
      if (name === "note") await host.control.release({ run: run.id, requestId: "r" });
      return answer;
    });
    await settle(seen, task, done("a"));
    await claim();
    expect(await eventsOf(store, run.id)).toEqual(["start", "result"]);
  });

  it("leaves nothing behind of what was kept while its run was held [DUR-release]", async () => {
    const { store, host, run, claim, settle } = await open();
    const { task } = await claim();
    await setAside(store, run.id);
    await host.close({ drain: 0 });
    expect(await settle(store, task, failed)).toMatchObject({ kind: "evidence" });
    const control = createControl({ store, models: [core] });
    await control.release({ run: run.id, requestId: "r" }, { wait: 0 });
    await settle(store, task, done("a"));
    expect(await eventsOf(store, run.id)).toEqual(["start", "failure", "result"]);
  });
});
