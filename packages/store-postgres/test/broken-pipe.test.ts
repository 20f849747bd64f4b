/** The connection is cut at every call, before it got through and after it was answered: nothing is lost, nothing twice. */
import { type Item, isSwlError, type Store } from "@swl/store-provider";
import { describe, expect, it } from "vitest";
import { openPostgresStore } from "../src/index.js";
import { openProxy } from "./proxy.js";
import { noServer, openForTest, scratchSchema, sql, url } from "./scratch.js";

const sides = ["before", "after"] as const;

/** The code that was thrown, or what was given. */
async function outcome<T>(call: Promise<T>): Promise<{ readonly code: string } | { readonly gave: T }> {
  try {
    return { gave: await call };
  } catch (error) {
    return { code: isSwlError(error) ? error.code : String(error) };
  }
}

const visit = (stream: string, expect: number, more: Partial<Item> = {}): Item => ({
  stream,
  commit: `after-${expect}`,
  expect,
  records: [{ kind: "event", document: { after: expect } }],
  slots: [{ key: "state", document: { after: expect } }],
  applies: true,
  stamp: 0,
  ...more,
});

/** Kinds of batches, each for streams that stand at a position. */
const batches: readonly (readonly [string, (at: number) => readonly Item[]])[] = [
  ["a plain visit", (at) => [visit("a", at)]],
  ["plain visits of two streams", (at) => [visit("a", at), visit("b", at)]],
  ["a visit with a due entry", (at) => [visit("a", at, { dues: [{ key: "d", at: at }] })]],
  [
    "a mixed batch",
    (at) => [
      visit("a", at, { work: [{ id: `w${at}`, queue: "q", delay: 0, document: null }] }),
      visit("b", at),
      visit(`new-${at}`, 0),
    ],
  ],
];

async function position(store: Store, stream = "a"): Promise<number> {
  return (await store.head(stream))?.position ?? 0;
}

describe.skipIf(noServer)("an append whose connection is cut", () => {
  describe.each(sides)("%s the server", (side) => {
    it.each(batches)(
      "took %s is told so, and repaired by sending it again [STO-unknown-commit]",
      async (_name, batch) => {
        const schema = scratchSchema();
        const proxy = await openProxy(url());
        const store = await openForTest({ url: proxy.url, schema, connections: 1 });
        const direct = await openForTest({ schema, connections: 1 });
        await store.append([visit("a", 0), visit("b", 0)]);
        let at = 1;
        let cuts = 0;
        for (let call = 1; ; call += 1) {
          proxy.cut(side, call);
          const items = batch(at);
          const first = await outcome(store.append(items));
          if (!proxy.wasCut) break;
          cuts += 1;
          expect(["store.unavailable", "store.unknown-commit"]).toContain("code" in first && first.code);
          // Each item stands whole or not at all; the parts of a mixed batch are commits of their own.
          const stand: boolean[] = [];
          for (const { stream, expect: before } of items)
            stand.push((await position(direct, stream)) > Number(before));
          if ("code" in first && first.code === "store.unavailable")
            expect(stand).toEqual(items.map(() => false));
          const again = await store.append(items);
          expect(again.map((answer) => answer.kind === "accepted" && answer.repeated)).toEqual(stand);
          at += 1;
          expect(await position(direct)).toBe(at);
        }
        expect(cuts).toBeGreaterThan(0);
        const log = await direct.read("a");
        expect(log.map((record) => record.position)).toEqual(log.map((_, index) => index + 1));
      },
    );
  });
});

describe.skipIf(noServer)("opening", () => {
  it.each(sides)("can be repeated when the connection is cut %s any call", async (side) => {
    const schema = scratchSchema();
    const proxy = await openProxy(url());
    let cuts = 0;
    for (let call = 1; ; call += 1) {
      proxy.cut(side, call);
      const opened = await outcome(openPostgresStore({ url: proxy.url, schema, connections: 1 }));
      if ("gave" in opened) await opened.gave.close();
      if (!proxy.wasCut) break;
      cuts += 1;
      if ("code" in opened) expect(opened.code).toBe("store.unavailable");
      // What was made is made whole or not at all.
      const tables = await sql("SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = $1", [schema]);
      expect([0, 12]).toContain(tables[0]?.["n"]);
    }
    expect(cuts).toBeGreaterThan(3);
  });
});

describe.skipIf(noServer)("a store whose connections are ended", () => {
  it("by the server goes on with new ones", async () => {
    const schema = scratchSchema();
    const store = await openForTest({ schema });
    await store.append([visit("a", 0)]);
    await sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'swl' AND query LIKE '%' || $1 || '%' AND pid <> pg_backend_pid()`,
      [schema],
    );
    // The first call may still meet a dead connection.
    await outcome(store.head("a"));
    await outcome(store.head("a"));
    expect(await position(store)).toBe(1);
    expect(await store.append([visit("a", 1)])).toMatchObject([{ kind: "accepted", first: 2 }]);
  });

  it("by the server, and has heard of it, uses none of them again", async () => {
    const schema = scratchSchema();
    const store = await openForTest({ schema });
    for (let at = 0; at < 3; at++) await store.append([visit("a", at)]);
    const ours = `FROM pg_stat_activity WHERE application_name = 'swl' AND query LIKE '%' || $1 || '%'`;
    const pids = (await sql(`SELECT pid ${ours}`, [schema])).map(({ pid }) => pid);
    expect(pids.length).toBeGreaterThan(0);
    await sql("SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS i (pid)", [pids]);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await store.append([visit("a", 3)])).toMatchObject([{ kind: "accepted", first: 4 }]);
    expect((await sql(`SELECT pid ${ours}`, [schema])).filter(({ pid }) => pids.includes(pid))).toEqual([]);
  });

  it("reads that are cut are unavailable, and the next one is not", async () => {
    const schema = scratchSchema();
    const proxy = await openProxy(url());
    const store = await openForTest({ url: proxy.url, schema, connections: 1 });
    await store.append([visit("a", 0)]);
    for (const read of [
      () => store.head("a"),
      () => store.load("a"),
      () => store.read("a"),
      () => store.list(),
      () => store.unapplied(1),
      () => store.due(1),
      () => store.orphaned(1),
      () => store.abandoned(1),
      () => store.queues(1),
      () => store.held("h"),
      () => store.holders(1),
      () => store.receipt("s", "r"),
      () => store.blob("d"),
      () => store.notes("a"),
      () => store.stats(),
      () => store.check(),
      () => store.now(),
    ]) {
      for (const side of sides) {
        proxy.cut(side, 1);
        expect(await outcome<unknown>(read())).toEqual({ code: "store.unavailable" });
        expect(await outcome<unknown>(read())).toHaveProperty("gave");
      }
    }
  });

  it("writes that are cut are told so, and can be sent again", async () => {
    const schema = scratchSchema();
    const proxy = await openProxy(url());
    const store = await openForTest({ url: proxy.url, schema, connections: 1 });
    const work = [{ id: "w", queue: "q", delay: 0, document: null }];
    await store.append([visit("a", 0, { work }), visit("over", 0, { close: true })]);
    await store.openHolder("h", { lease: 60_000, exclusive: false });
    for (const write of [
      () => store.openHolder("h", { lease: 60_000, exclusive: false }),
      () => store.renewHolder("h", 60_000),
      () => store.claim("h", { queues: [{ queue: "q", limit: 1 }], lease: 60_000 }),
      () => store.renewWork("h", ["w"], 60_000),
      () => store.unclaim("h", ["w"]),
      () => store.note("a", "e", null),
      () => store.prune({ closedBefore: Number.MAX_SAFE_INTEGER }),
      () => store.closeHolder("h"),
    ]) {
      for (const side of sides) {
        proxy.cut(side, 1);
        const first = await outcome<unknown>(write());
        expect(["store.unavailable", "store.unknown-commit"]).toContain("code" in first && first.code);
        expect(await outcome<unknown>(write())).toHaveProperty("gave");
      }
    }
    expect((await store.load("a"))?.work).toMatchObject([{ id: "w" }]);
    expect(await store.head("over")).toBeUndefined();
    expect(await store.check()).toEqual([]);
  });
});
