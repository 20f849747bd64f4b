/** What every store has of `assembleStore`, whatever its core does. */
import { describe, expect, it } from "vitest";
import {
  type Answer,
  assembleStore,
  createDocuments,
  createWakeHub,
  defaultLimits,
  type Item,
  plainCodec,
  type StoreCore,
  type Wake,
} from "../src/index.js";

const item: Item = {
  stream: "run",
  commit: "c",
  expect: 0,
  records: [{ kind: "event", document: null }],
  stamp: 0,
};

/** A core that gives these answers and says what it was asked. */
function assembled(answers: readonly Answer[] = []) {
  const asked: unknown[] = [];
  const core = new Proxy({} as StoreCore, {
    get:
      (_target, name) =>
      (...input: readonly unknown[]) => {
        asked.push([name, ...input]);
        return name === "append" ? answers : undefined;
      },
  });
  const store = assembleStore({
    info: {
      name: "s",
      limits: defaultLimits,
      capabilities: { durable: false, multiProcess: false, wakeUps: "process", clock: "store", pooler: true },
    },
    documents: createDocuments(plainCodec, 1_000),
    hub: createWakeHub(),
    core,
  });
  return { store, asked };
}

describe("watching", () => {
  it("tells of what was accepted, repeated too, and of nothing else [STO-wake-ups]", async () => {
    const accepted = { kind: "accepted", first: 1, last: 1, at: 0, repeated: false } as const;
    const { store } = assembled([
      accepted,
      { kind: "refused", failure: { kind: "stale", message: "m", retry: "reload" } },
      { ...accepted, repeated: true },
    ]);
    const told: Wake[] = [];
    const end = store.watch((wakes) => void told.push(...wakes));
    await store.append(["a", "b", "c"].map((stream) => ({ ...item, stream })));
    expect(told.map(({ name }) => name)).toEqual(["a", "c"]);
    end();
    await store.append([item]);
    expect(told).toHaveLength(2);
  });

  it("ends with the handle, and is refused afterwards [STO-wake-ups]", async () => {
    const { store } = assembled();
    store.watch(() => {});
    await store.close();
    expect(() => store.watch(() => {})).toThrow(expect.objectContaining({ code: "store.unavailable" }));
  });
});

describe("an item", () => {
  it("is taken as it is when the call comes, whatever becomes of it meanwhile [STO-documents]", async () => {
    const { store, asked } = assembled([{ kind: "accepted", first: 1, last: 1, at: 0, repeated: false }]);
    const told: Wake[] = [];
    store.watch((wakes) => void told.push(...wakes));
    const mine = structuredClone({ ...item, slots: [{ key: "k", document: 1 }], facets: { label: "value" } });
    const batch: (typeof mine)[] = [mine];
    const before = structuredClone(mine);
    const answers = store.append(batch);
    mine.stream = "other";
    for (const record of mine.records as unknown as { kind: string }[]) record.kind = "other";
    mine.slots.push({ key: "more", document: 2 });
    mine.facets.label = "other";
    batch.length = 0;
    await answers;
    expect(asked).toMatchObject([["append", [{ item: before }]]]);
    expect(told).toEqual([{ kind: "records", name: "run" }]);
  });
});

describe("work that is given back", () => {
  it("waits for no longer than an exact number can say [STO-claims]", async () => {
    const { store, asked } = assembled();
    const delay = 1e15 + 1;
    await expect(store.unclaim("h", ["w"], { delay })).rejects.toMatchObject({ code: "store.incompatible" });
    await store.unclaim("h", ["w"], { delay: delay - 1 });
    expect(asked).toEqual([["unclaim", "h", ["w"], 1e15]]);
  });
});

describe("keeping", () => {
  it("has its defaults filled in [STO-prune]", async () => {
    const { store, asked } = assembled();
    await store.prune({ closedBefore: 5 });
    await store.check();
    await store.stats();
    expect(asked).toEqual([["prune", 5, 100], ["check", 100], ["stats"]]);
  });

  it.each([
    ["an instant that is none", { closedBefore: -1 }],
    ["no stream at all", { closedBefore: 1, limit: 0 }],
    ["more than a portion", { closedBefore: 1, limit: 1_001 }],
  ])("refuses %s [STO-prune]", async (_what, options) => {
    const { store, asked } = assembled();
    await expect(store.prune(options)).rejects.toMatchObject({ code: "store.incompatible" });
    await expect(store.check(0)).rejects.toMatchObject({ code: "store.incompatible" });
    expect(asked).toEqual([]);
  });
});
