/**
 * The kit's model that is not SWL, through the same function probes, host and stores as the real one: three attempts
 * of one run are out at once when the host dies, and each is taken up again under its own key.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "@swl/base";
import { type ForkJoinState, forkJoin, mortal, through } from "@swl/conformance";
import { createHost } from "@swl/durable-state";
import type { AcceptedEvent, EventBody } from "@swl/execution/model";
import type { Invocation, Provider } from "@swl/invocation-control";
import { createMemoryBacking, openMemoryStore } from "@swl/store-memory";
import type { Item, Store } from "@swl/store-provider";
import { openSqliteStore } from "@swl/store-sqlite";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "swl-fork-join-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const definition = (): Json => ({ model: "fork-join", id: "three", rounds: 2 });

const handles: Record<string, () => () => Promise<Store>> = {
  "the memory store"() {
    const backing = createMemoryBacking();
    return async () => openMemoryStore({ backing });
  },
  "the SQLite store"() {
    const file = join(folder, "runs.db");
    return () => openSqliteStore({ file });
  },
};

interface Gated {
  readonly provider: Provider;
  readonly calls: Invocation[];
}

/** Answers each call with its key; with `hang` it never answers from the named round on. */
function provider(hang?: string): Gated {
  const calls: Invocation[] = [];
  const invoke: Provider["invoke"] = async (call) => {
    calls.push(call);
    if (hang !== undefined && call.idempotencyKey.endsWith(hang)) return new Promise(() => undefined);
    return { kind: "completed", outcome: "ok", output: call.idempotencyKey.split("/").slice(1).join(" ") };
  };
  return { provider: { id: "gated", has: () => true, invoke }, calls };
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe.each(Object.keys(handles))("a fork and join on %s", (name) => {
  it("survives its host with three attempts out at once", async () => {
    const handle = (handles[name] as (typeof handles)[string])();
    const life = mortal(await handle());
    const options = { models: [forkJoin], poll: 10 };
    const first = provider("/2");
    const dying = await createHost({
      ...options,
      store: life.store,
      bindings: first.provider,
      lease: 1_000,
    });
    const { id } = await dying.start(definition(), { input: 7 });
    await until(() => first.calls.length === 6);
    life.kill();

    const second = provider();
    const host = await createHost({
      ...options,
      store: await handle(),
      bindings: second.provider,
    });
    await until(() => second.calls.length === 3);
    const repeated = second.calls.map(({ idempotencyKey, attempt }) => `${idempotencyKey} ${attempt}`);
    expect(repeated.sort()).toEqual(["left", "middle", "right"].map((branch) => `${id}/${branch}/2 2`));
    await until(async () => (await host.control.why(id)).blockers[0]?.kind === "signal");
    await host.control.signal({ run: id, messageId: "m1", name: "go", payload: true }, { wait: 60_000 });
    const result = await host.control.result(id, { timeout: 60_000 });
    expect(result).toMatchObject({
      status: "completed",
      output: { last: ["left 2", "middle 2", "right 2"], signal: true },
    });
    await host.close();
  });
});

const open = (state: ForkJoinState | undefined) => (state === undefined ? [] : forkJoin.outstanding(state));

/** Words that might be said of a run, the right ones among them. */
const words = fc.array(
  fc.record({
    type: fc.constantFrom(
      "result",
      "failure",
      "unknown",
      "withdrawn",
      "signal",
      "cancel",
      "resolve",
      "update",
    ),
    pick: fc.nat(2),
    flag: fc.boolean(),
    older: fc.boolean(),
  }),
  { maxLength: 30 },
);

type Word = typeof words extends fc.Arbitrary<(infer One)[]> ? One : never;

function said(word: Word, state: ForkJoinState | undefined): EventBody {
  const out = open(state).at(word.pick % Math.max(1, open(state).length));
  const of = {
    invocation: out?.kind === "invoke" ? out.invocation : "r/left#1",
    attempt: (out?.kind === "invoke" ? out.attempt : 1) - (word.older ? 1 : 0),
  };
  switch (word.type) {
    case "result":
      return { type: "result", ...of, outcome: "ok", output: word.pick };
    case "failure":
      return {
        type: "failure",
        ...of,
        error: { code: "no", message: "no", details: null },
        retryable: word.flag,
      };
    case "unknown":
      return { type: "unknown", ...of, reason: "crash" };
    case "withdrawn":
      return { type: "withdrawn", ...of };
    case "signal":
      return { type: "signal", messageId: "m", name: word.flag ? "go" : "stop", payload: null };
    case "update":
      return { type: "update", requestId: "u", name: "go", payload: null };
    case "cancel":
      return { type: "cancel", requestId: "c" };
    default:
      return { type: "resolve", requestId: "q", invocation: of.invocation, decision: "fail" };
  }
}

describe("a model that is not SWL", () => {
  it("keeps what every model keeps: portable state, changes that rebuild it, nothing twice, a named blocker", () => {
    const prepared = forkJoin.prepare(definition());
    if (!prepared.ok) throw prepared.findings;
    fc.assert(
      fc.property(words, (list) => {
        const begin: AcceptedEvent = { type: "start", run: "r", input: 1, id: "e1", position: 2, at: 5 };
        let state: ForkJoinState | undefined;
        const slots = new Map<string, Json>();
        for (const [index, word] of [undefined, ...list].entries()) {
          const stamp = { id: `e${index + 1}`, position: index + 2, at: 5 };
          const event = word === undefined ? begin : ({ ...said(word, state), ...stamp } as AcceptedEvent);
          const step = forkJoin.transition(prepared.value, state, event);
          if ("error" in step) throw step.error;
          for (const [key, value] of step.changes.slots) slots.set(key, value as Json);
          const document = forkJoin.toJSON(step.state);
          expect(document).toEqual({ head: step.changes.head, slots: Object.fromEntries(slots) });
          state = forkJoin.fromJSON(JSON.parse(JSON.stringify(document)));
          const again = forkJoin.transition(prepared.value, state, event);
          expect(again).toMatchObject({ commands: [], effect: { kind: "none" } });
          const disposed = forkJoin.disposition(state);
          if (disposed.kind === "closed") expect(open(state)).toEqual([]);
          else expect(disposed.blockers).not.toEqual([]);
        }
      }),
    );
  });
});

describe("a host that leaves with attempts of one run under way", () => {
  it("stays the owner of the others when it gives one back [DUR-takeover]", async () => {
    const backing = createMemoryBacking();
    const peer = openMemoryStore({ backing });
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const invoke: Provider["invoke"] = async ({ action }) => {
      if (action !== "right") await released;
      return { kind: "completed", outcome: "ok", output: action };
    };
    let closing: Promise<void> | undefined;
    // It begins to leave between the commit of an intent and the commit's answer.
    const store = through(openMemoryStore({ backing }), async (name, call, given) => {
      const answer = await call();
      const items = name === "append" ? (given[0] as readonly Item[]) : [];
      if (items.some(({ records }) => JSON.stringify(records).includes(`"type":"result"`)))
        closing ??= host.close({ drain: 10_000 });
      return answer;
    });
    const bindings: Provider = { id: "gated", has: () => true, invoke };
    const host = await createHost({ store, models: [forkJoin], bindings, lease: 5_000, poll: 10 });
    const { id } = await host.start(definition());
    await until(async () => (await peer.read(id)).some(({ kind }) => kind === "handback"));
    expect((await peer.head(id))?.owner).toBe(host.holder);
    release();
    await closing;
    expect((await peer.head(id))?.owner).toBeUndefined();
  });
});
