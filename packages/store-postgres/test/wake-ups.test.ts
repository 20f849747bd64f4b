/** Between processes: what one commits the other hears, and what is lost is only late. */
import type { Item, Store, Wake } from "@swl/store-provider";
import { describe, expect, it, vi } from "vitest";
import { payloadsOf, readPayload } from "../src/wake-ups.js";
import { openProxy } from "./proxy.js";
import { noServer, openForTest, scratchSchema, sql, url } from "./scratch.js";

const item = (stream: string, expect: number, more: Partial<Item> = {}): Item => ({
  stream,
  commit: `c${expect}`,
  expect,
  records: [{ kind: "event", document: null }],
  stamp: 0,
  ...more,
});

function listenTo(store: Store): { readonly heard: Set<string>; readonly end: () => void } {
  const heard = new Set<string>();
  const end = store.watch((wakes) => {
    for (const { kind, name } of wakes) heard.add(`${kind} ${name}`);
  });
  return { heard, end };
}

const listeners = async (schema: string) => {
  const rows = await sql(
    "SELECT pid FROM pg_stat_activity WHERE application_name = 'swl wake-ups' AND query LIKE 'LISTEN%'",
  );
  return { schema, pids: rows.map((row) => row["pid"] as number) };
};

/** Another address of the same server counts as another process. */
async function elsewhere(schema: string): Promise<Store> {
  return openForTest({ schema, url: (await openProxy(url())).url });
}

const soon = { timeout: 20_000, interval: 10 };

describe.skipIf(noServer)("a handle that watches", () => {
  it("hears of records, work and ends that another process commits [STO-wake-ups]", async () => {
    const schema = scratchSchema();
    const store = await openForTest({ schema });
    const other = await elsewhere(schema);
    const { heard } = listenTo(store);
    const work = [{ id: "w", queue: "q", delay: 0, document: null }];
    await other.append([item("a", 0), item("b", 0, { applies: true, work }), item("c", 0, { close: true })]);
    await vi.waitFor(() => expect([...heard].sort()).toEqual(["closed c", "records a", "work q"]), soon);
    // And once more, now that it listens.
    await other.append([item("d", 0, { close: true })]);
    await vi.waitFor(() => expect(heard.has("closed d")).toBe(true), soon);
  });

  it("hears of a visit that leaves nothing to do, nothing [STO-wake-ups]", async () => {
    const schema = scratchSchema();
    const store = await openForTest({ schema });
    const { heard } = listenTo(store);
    await store.append([item("a", 0, { applies: true })]);
    await store.append([item("a", 1, { applies: true })]);
    await store.append([item("last", 0)]);
    expect([...heard]).toEqual(["records last"]);
  });

  it("is told what is there when its connection comes back [STO-wake-ups]", async () => {
    const schema = scratchSchema();
    const proxy = await openProxy(url());
    const store = await openForTest({ schema, listen: { url: proxy.url } });
    const other = await elsewhere(schema);
    const { heard } = listenTo(store);
    await other.append([item("a", 0)]);
    await vi.waitFor(() => expect(heard.has("records a")).toBe(true), soon);
    // Nobody listens now: this is lost.
    proxy.drop();
    await other.append([item("b", 0), item("c", 0, { close: true })]);
    await vi.waitFor(
      () => expect([heard.has("records b"), heard.has("closed c")]).toEqual([true, true]),
      soon,
    );
  });

  it("has a connection for it as long as it watches, and no other has one", async () => {
    const schema = scratchSchema();
    const channels = async () => (await listeners(schema)).pids.length;
    const before = await channels();
    const store = await openForTest({ schema });
    expect(await channels()).toBe(before);
    const first = listenTo(store);
    const second = listenTo(store);
    await vi.waitFor(async () => expect(await channels()).toBe(before + 1), soon);
    first.end();
    first.end();
    expect(await channels()).toBe(before + 1);
    second.end();
    await vi.waitFor(async () => expect(await channels()).toBe(before), soon);
  });

  it("hears nothing of others without that connection, and says so [STO-wake-ups]", async () => {
    const schema = scratchSchema();
    const store = await openForTest({ schema, listen: false });
    expect(store.info.capabilities.wakeUps).toBe("process");
    const same = await openForTest({ schema, listen: false });
    const other = await elsewhere(schema);
    const { heard } = listenTo(store);
    await other.append([item("far", 0)]);
    await same.append([item("near", 0)]);
    expect([...heard]).toEqual(["records near"]);
    expect(await store.unapplied(9)).toEqual(["far", "near"]);
  });

  it("goes on when others talk on its channel [STO-wake-ups]", async () => {
    const schema = scratchSchema();
    const store = await openForTest({ schema });
    const { heard } = listenTo(store);
    const other = await elsewhere(schema);
    await other.append([item("a", 0)]);
    await vi.waitFor(() => expect(heard.size).toBe(1), soon);
    const [row] = await sql("SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE 'LISTEN%'");
    expect(row?.["n"]).toBeGreaterThan(0);
    const rows = await sql("SELECT query FROM pg_stat_activity WHERE query LIKE 'LISTEN%'");
    for (const { query } of rows) {
      await sql("SELECT pg_notify($1, 'hello')", [String(query).replace(/LISTEN "(.*)"/, "$1")]);
    }
    await other.append([item("b", 0)]);
    await vi.waitFor(() => expect(heard.has("records b")).toBe(true), soon);
  });
});

describe("a notification", () => {
  const wakes = (count: number, name: string): Wake[] =>
    Array.from({ length: count }, (_, n) => ({ kind: "records", name: `${name}${n}` }));

  it("is never longer than the server takes, and together they say everything [STO-wake-ups]", () => {
    for (const name of ["run-", "\u0001".repeat(250), "漢".repeat(250), '"\\'.repeat(120)]) {
      const all = wakes(300, name);
      const payloads = payloadsOf(all, "me");
      for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8_000);
      expect(payloads.flatMap((payload) => readPayload(payload, "you"))).toEqual(all);
    }
    expect(payloadsOf([], "me")).toEqual([]);
  });

  it.each([
    ["no JSON", "hello"],
    ["null", "null"],
    ["no list", '{"from":"x","wakes":7}'],
    ["entries of other kinds", '{"from":"x","wakes":[7,null,["other","n"],["work"],["work",7]]}'],
    ["one's own", '{"from":"me","wakes":[["work","q"]]}'],
  ])("that is %s is nothing [STO-wake-ups]", (_what, payload) => {
    expect(readPayload(payload, "me")).toEqual([]);
  });
});
