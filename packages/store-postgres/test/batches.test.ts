/** Batches whose items meet: in one batch, and in two that come at once. */
import type { Item, Store } from "@swl/store-provider";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { noServer, openForTest, scratchSchema, sql, url } from "./scratch.js";

const item = (stream: string, expect: number, rest: Partial<Item> = {}): Item => ({
  stream,
  commit: `c${expect}`,
  expect,
  records: [{ kind: "event", document: null }],
  stamp: 0,
  applies: true,
  ...rest,
});
const work = (id: string) => [{ id, queue: "q", delay: 0, document: null }];

async function answers(store: Store, ...items: readonly Item[]): Promise<readonly string[]> {
  const all = await store.append(items);
  return all.map((answer) => (answer.kind === "refused" ? answer.failure.kind : answer.kind));
}

describe.skipIf(noServer)("a batch", () => {
  it("is judged in its order: what a later item brings or takes away does not count [STO-pins] [STO-check-order]", async () => {
    const store = await openForTest({ schema: scratchSchema() });
    await store.append([item("a", 0, { work: work("w") }), item("b", 0)]);
    const blobs = [{ digest: "d", document: 1 }];
    expect(await answers(store, item("c", 0, { pins: ["d"] }), item("d", 0, { blobs }))).toEqual([
      "not-found",
      "accepted",
    ]);
    expect(await answers(store, item("b", 1, { work: work("w") }), item("a", 1, { settled: ["w"] }))).toEqual(
      ["conflict", "accepted"],
    );
  });

  it("goes on after positions beyond 32 bits, lone and with others [STO-append-position]", async () => {
    const store = await openForTest({ schema: scratchSchema() });
    const origin = 5_000_000_000;
    const slots = [{ key: "k", document: 1 }];
    await store.append([item("a", 0, { origin })]);
    expect(await answers(store, item("a", origin + 1))).toEqual(["accepted"]);
    expect(await answers(store, item("a", origin + 2, { slots }))).toEqual(["accepted"]);
    expect(await answers(store, item("a", origin + 3, { slots }), item("b", 0))).toEqual([
      "accepted",
      "accepted",
    ]);
    expect(await store.head("a")).toMatchObject({ position: origin + 4 });
  });

  it("waits for the rows of its streams in one order, whatever its own is [STO-append-position]", async () => {
    const schema = scratchSchema();
    const handles = [await openForTest({ schema }), await openForTest({ schema })] as const;
    await handles[0].append([item("a", 0), item("b", 0)]);
    const other = new pg.Client({ connectionString: url() });
    await other.connect();
    await other.query("BEGIN");
    const lock = (stream: string) =>
      other.query(`SELECT 1 FROM "${schema}".streams WHERE stream = $1 FOR UPDATE NOWAIT`, [stream]);
    await lock("a");
    const next = (stream: string, request: string) =>
      ({
        ...item(stream, 0),
        commit: request,
        expect: "next",
        applies: false,
        receipts: [{ scope: stream, request, digest: "d" }],
      }) as const;
    const both = [
      handles[0].append([next("a", "1"), next("b", "1")]),
      handles[1].append([next("b", "2"), next("a", "2")]),
    ];
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1`;
    while ((await sql(waiting, [`%"${schema}"%`])).length < 2);
    // Neither has b while it waits for a.
    expect((await lock("b")).rowCount).toBe(1);
    await other.query("ROLLBACK");
    await other.end();
    for (const batch of both) expect(await batch).toMatchObject([{ kind: "accepted" }, { kind: "accepted" }]);
    expect(await handles[0].check()).toEqual([]);
  });
});
