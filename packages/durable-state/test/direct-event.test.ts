/** Events of senders in the process of the host that has their run in memory: accepted and applied in one commit. */
import type { ExecutionModel } from "@swl/execution/model";
import type { Item, Store } from "@swl/store-provider";
import { storeError } from "@swl/store-provider";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createControl, type Host, type HostOptions, type Observation } from "../src/index.js";
import { completed, core, Lab, through, until } from "./lab.js";

let lab: Lab;
beforeEach(() => {
  lab = new Lab();
});
afterEach(() => lab.end());

const wait = (signal: string, next: string) =>
  ({ kind: "await-signal", signal, routes: { received: next } }) as const;
const done = { kind: "complete", output: { $get: ["from", "output"] } } as const;

const chain = (requires: readonly string[], start: object) => ({
  swl: "0.1",
  id: "chain",
  requires,
  dialects: { numbers: "binary64", expressions: "minimal" },
  start: "first",
  nodes: { first: start, second: wait("on", "done"), done },
  actions: {},
  limits: {
    maxActivations: 100,
    maxInternalTransitions: 100,
    ...(requires.includes("buffered-signals") && { maxBufferedSignals: 8 }),
  },
});
const one = {
  ...chain(["core"], wait("go", "done")),
  nodes: { first: wait("go", "done"), done },
};
const two = chain(["core", "tracked-updates"], wait("go", "second"));
const keeping = chain(["buffered-signals", "core"], wait("go", "second"));

/** The calls of a store by name; what an append brings stands behind its name. */
function told(store: Store): { readonly store: Store; readonly calls: string[] } {
  const calls: string[] = [];
  const kinds = ({ expect: at, records, applies }: Item): string =>
    `${at} ${records.map(({ kind }) => kind).join("+")}${applies ? " applied" : ""}`;
  const counted = through(store, (name, call, given) => {
    const looks = ["load", "read", "receipt", "head"].includes(name);
    if (name === "append") calls.push((given[0] as readonly Item[]).map(kinds).join());
    else if (looks) calls.push(name);
    return call();
  });
  return { store: counted, calls };
}

/** Hears of nothing by itself. */
function deaf(store: Store): Store {
  return new Proxy(store, {
    get: (target, name) =>
      name === "watch"
        ? () => () => undefined
        : (Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)),
  });
}

const serve = (given: Partial<HostOptions>): Promise<Host> =>
  lab.host(() => completed(), { poll: 60_000, idlePoll: 60_000, ...given });

async function started(host: Host, definition: unknown): Promise<string> {
  const { id } = await host.start(definition);
  expect(await until(async () => (await host.control.status(id)).status === "waiting")).toBe(true);
  return id;
}

describe("an event of a run that the host has in memory", () => {
  it("is accepted and applied by one call of the store [DUR-accepted-order]", async () => {
    const { store, calls } = told(lab.store());
    const host = await serve({ store });
    const run = await started(host, one);
    const result = host.run(run).result();
    calls.length = 0;
    const answer = await host.control.signal({ run, messageId: "m", name: "go", payload: 7 });
    expect(answer).toEqual({
      kind: "applied",
      effect: "moved",
      run,
      requestId: "m",
      position: 3,
      repeated: false,
    });
    expect(await result).toEqual({ status: "completed", output: 7 });
    expect(calls.filter((call) => call.includes(" "))).toEqual(["2 event applied"]);
    expect(calls).not.toContain("receipt");
    const log = await lab.store().read(run);
    expect(log.at(-1)).toMatchObject({
      position: 3,
      kind: "event",
      document: { event: { id: "m", type: "signal" } },
    });
    expect(await host.control.verify(run)).toMatchObject({ differing: [] });
  });

  it("is one however often it is sent, and another one under its ID a conflict [DUR-receipts]", async () => {
    const host = await serve({});
    const run = await started(host, two);
    const request = { run, messageId: "m", name: "go", payload: 1 };
    expect(await host.control.signal(request)).toMatchObject({
      effect: "moved",
      position: 3,
      repeated: false,
    });
    expect(await host.control.signal(request)).toMatchObject({
      effect: "moved",
      position: 3,
      repeated: true,
    });
    await expect(host.control.signal({ ...request, payload: 2 })).rejects.toMatchObject({
      code: "request.conflict",
    });
    expect((await host.control.status(run)).position).toBe(3);
  });

  it("is kept for a later waiter in the same way [INV-answers]", async () => {
    const { store, calls } = told(lab.store());
    const host = await serve({ store });
    const run = await started(host, keeping);
    calls.length = 0;
    expect(await host.control.signal({ run, messageId: "on", name: "on", payload: 8 })).toMatchObject({
      kind: "applied",
      effect: "buffered",
      position: 3,
    });
    await host.control.signal({ run, messageId: "go", name: "go" });
    expect(calls.filter((call) => call.includes(" "))).toEqual(["2 event applied", "3 event applied"]);
    expect(await host.run(run).result()).toEqual({ status: "completed", output: 8 });
    const again = await host.control.signal({ run, messageId: "on", name: "on", payload: 8 });
    expect(again).toMatchObject({ kind: "applied", effect: "buffered", position: 3, repeated: true });
  });

  it("cancels in the same way [INV-answers]", async () => {
    const { store, calls } = told(lab.store());
    const host = await serve({ store });
    const run = await started(host, two);
    calls.length = 0;
    expect(await host.control.cancel({ run, requestId: "c" })).toMatchObject({
      kind: "applied",
      effect: "moved",
    });
    expect(calls.filter((call) => call.includes(" "))).toEqual(["2 event applied"]);
    expect(await host.run(run).result()).toMatchObject({ status: "canceled" });
  });

  it("is judged by the log where memory is behind it [DUR-accepted-order]", async () => {
    const host = await serve({ store: deaf(lab.store()) });
    const beside = createControl({ store: lab.store(), models: [core] });
    const run = await started(host, two);
    expect(await beside.signal({ run, messageId: "other", name: "go" }, { wait: 0 })).toMatchObject({
      position: 3,
    });
    // By what the host remembers this would move the run, and the next one would not.
    const late = await host.control.signal({ run, messageId: "late", name: "go" });
    expect(late).toMatchObject({ kind: "applied", effect: "none", code: "signal.unmatched" });
    expect(await host.control.signal({ run, messageId: "on", name: "on" })).toMatchObject({
      effect: "moved",
    });
    const ids = (await lab.store().read(run)).map(
      ({ document }) => (document as { event?: { id: string } }).event?.id,
    );
    expect(ids.filter((id) => id === "other" || id === "late" || id === "on")).toEqual([
      "other",
      "late",
      "on",
    ]);
  });

  it("is refused before acceptance as ever: nothing is written, and it is judged anew [DUR-refused-before-acceptance]", async () => {
    const host = await serve({});
    const run = await started(host, two);
    const update = { run, requestId: "u", name: "on" };
    expect(await host.control.update(update)).toMatchObject({ kind: "refused", code: "update.not-waiting" });
    expect((await host.control.status(run)).position).toBe(2);
    await host.control.update({ run, requestId: "go", name: "go" });
    expect(await host.control.update(update)).toMatchObject({
      kind: "applied",
      effect: "moved",
      position: 4,
    });
  });

  it("is taken in once when the store's answer is lost [DUR-lost-answer]", async () => {
    let lose = false;
    const losing = through(lab.store(), async (name, call) => {
      const answer = await call();
      if (name !== "append" || !lose) return answer;
      lose = false;
      throw storeError("unknown-commit", "The connection was lost.");
    });
    const host = await serve({ store: losing });
    const run = await started(host, two);
    lose = true;
    expect(await host.control.signal({ run, messageId: "m", name: "go" })).toMatchObject({
      effect: "moved",
      position: 3,
    });
    expect(await host.control.status(run)).toMatchObject({ position: 3, status: "waiting" });
  });

  it("comes before what is sent for the run after it [DUR-accepted-order]", async () => {
    const host = await serve({});
    const run = await started(host, keeping);
    const send = (payload: number) =>
      host.control.signal({ run, messageId: `m${payload}`, name: "on", payload });
    const answers = await Promise.all([0, 1, 2, 3, 4].map(send));
    expect(answers.map((answer) => "position" in answer && answer.position)).toEqual([3, 4, 5, 6, 7]);
  });

  it.each(["unavailable", "unknown-commit"] as const)(
    "is told as received while the store says %s, and taken in once when it is back [DUR-lost-answer]",
    async (kind) => {
      let down = false;
      const failing = through(lab.store(), async (name, call) => {
        if (down && name === "append") throw storeError(kind, "The store is down.");
        return call();
      });
      const host = await serve({ store: failing });
      const run = await started(host, two);
      down = true;
      const message = { run, messageId: "m", name: "go" };
      expect(await host.control.signal(message, { wait: 0 })).toEqual({
        kind: "received",
        run,
        requestId: "m",
        code: `store.${kind}`,
        message: "The store is down.",
      });
      down = false;
      expect(await host.control.signal(message)).toMatchObject({
        kind: "applied",
        effect: "moved",
        position: 3,
      });
      const log = JSON.stringify(await lab.store().read(run));
      expect(log.split('"type":"signal"')).toHaveLength(2);
      expect((await host.control.status(run)).status).toBe("waiting");
    },
  );

  it("is in the log before the run is set aside for what the model throws at it [DUR-quarantine]", async () => {
    let failing = false;
    const model: ExecutionModel = Object.assign(Object.create(core) as ExecutionModel, {
      disposition: (state: unknown) => {
        if (failing) throw new TypeError("words of the engine");
        return (core as ExecutionModel).disposition(state);
      },
    });
    const host = await serve({ models: [model] });
    const run = await started(host, two);
    failing = true;
    await host.control.signal({ run, messageId: "m", name: "go" }, { wait: 0 });
    const kinds = async () => (await lab.store().read(run)).map(({ kind }) => kind);
    expect(await until(async () => (await kinds()).includes("hold"))).toBe(true);
    expect(await kinds()).toEqual(["created", "event", "event", "hold"]);
  });

  it("goes the long way when the store refuses the commit for itself [DUR-quarantine]", async () => {
    const small = new Lab({ limits: { documentBytes: 1_500 } });
    const host = await small.host(() => completed(), {});
    const run = await started(host, two);
    const message = { run, messageId: "m", name: "go", payload: "x".repeat(1_200) };
    await host.control.signal(message, { wait: 0 }).catch(() => undefined);
    await small.end();
    // The event fits into a document, the event with the state that it leads to does not.
    const events = (await small.store().read(run)).filter(({ document }) =>
      JSON.stringify(document).includes("xxx"),
    );
    expect(events.map(({ kind, applies }) => ({ kind, applies }))).toEqual([
      { kind: "event", applies: false },
    ]);
  });

  it("is told to an observer with its sender's trace [DUR-trace-context]", async () => {
    const seen: Observation[] = [];
    const host = await serve({ observe: { observed: (one) => void seen.push(one) } });
    const run = await started(host, two);
    const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
    await host.control.signal({ run, messageId: "m", name: "go", traceparent });
    expect(seen).toContainEqual(
      expect.objectContaining({ kind: "request", request: "m", sender: traceparent, answer: "moved" }),
    );
    const [record] = (await lab.store().read(run)).slice(-1);
    expect(JSON.stringify(record?.document)).toContain(traceparent);
  });

  it("is looked up where more runs were served since than a host remembers [DUR-recovery]", async () => {
    const { store, calls } = told(lab.store());
    const host = await serve({ store });
    const first = await started(host, one);
    for (let count = 0; count < 300; count++) await host.start(one);
    calls.length = 0;
    expect(await host.control.signal({ run: first, messageId: "m", name: "go" })).toMatchObject({
      effect: "moved",
    });
    expect(calls).toContain("load");
    expect(calls).toContain("next event");
  });
});
