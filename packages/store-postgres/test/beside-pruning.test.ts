/** What is decided upon a stream that is closed and pruned before it is written; and checking beside other calls. */
import type { Item } from "@swl/store-provider";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { noServer, openForTest, scratchSchema, sql, url } from "./scratch.js";

const item = (stream: string, expect: number, rest: Partial<Item> = {}): Item => ({
  stream,
  commit: `c${expect}`,
  expect,
  records: [{ kind: "event", document: null }],
  stamp: 0,
  ...rest,
});

describe.skipIf(noServer)("an append that is overtaken", () => {
  it("by the end and the pruning of its stream is not accepted, and leaves nothing [STO-prune]", async () => {
    const schema = scratchSchema();
    let now = 1_000;
    const clock = () => now;
    const [slow, fast] = [await openForTest({ schema, clock }), await openForTest({ schema, clock })];
    await slow.openHolder("h", { lease: 10, exclusive: false });
    await slow.append([item("s", 0, { owner: "h" })]);
    now = 2_000;
    // The lease's row is locked: what was decided is not written before that lock is gone.
    const other = new pg.Client({ connectionString: url() });
    await other.connect();
    await other.query("BEGIN");
    await other.query(`SELECT 1 FROM "${schema}".holders FOR UPDATE`);
    const overtaken = slow.append([
      item("s", 1, {
        commit: "slow",
        owner: null,
        require: [{ kind: "owner-expired", owner: "h" }],
        slots: [{ key: "k", document: 1 }],
        work: [{ id: "w", queue: "q", delay: 0, document: null }],
        receipts: [{ scope: "s", request: "r", digest: "d" }],
      }),
    ]);
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1`;
    while ((await sql(waiting, [`%"${schema}".commit_batch%`])).length === 0);
    expect(await fast.append([item("s", 1, { close: true })])).toMatchObject([{ kind: "accepted" }]);
    expect(await fast.prune({ closedBefore: 3_000 })).toMatchObject({ streams: 1 });
    await other.query("ROLLBACK");
    await other.end();
    expect(await overtaken).toMatchObject([{ kind: "refused", failure: { kind: "not-found" } }]);
    expect(await fast.receipt("s", "r")).toBeUndefined();
    expect(await fast.check()).toEqual([]);
  });

  it("while it waits for another stream of its batch is not accepted either [STO-prune]", async () => {
    const schema = scratchSchema();
    const [slow, fast] = [await openForTest({ schema }), await openForTest({ schema })];
    await slow.append([item("waits", 0), item("s", 0)]);
    const other = new pg.Client({ connectionString: url() });
    await other.connect();
    await other.query("BEGIN");
    await other.query(`SELECT 1 FROM "${schema}".streams WHERE stream = 'waits' FOR UPDATE`);
    const overtaken = slow.append([
      item("waits", 1, { commit: "slow", fence: true }),
      item("s", 1, { commit: "slow", receipts: [{ scope: "s", request: "r", digest: "d" }] }),
    ]);
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1`;
    while ((await sql(waiting, [`%"${schema}"%`])).length === 0);
    expect(await fast.append([item("s", 1, { close: true })])).toMatchObject([{ kind: "accepted" }]);
    const pruned = fast.prune({ closedBefore: Number.MAX_SAFE_INTEGER });
    const pruning = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND query LIKE $1";
    while ((await sql(pruning, [`%"${schema}".prune_closed%`])).length === 0);
    await other.query("ROLLBACK");
    await other.end();
    expect(await overtaken).toMatchObject([{ kind: "accepted" }, { kind: "refused" }]);
    expect(await pruned).toMatchObject({ streams: 1 });
    expect(await fast.receipt("s", "r")).toBeUndefined();
    expect(await fast.check()).toEqual([]);
  });
});

describe.skipIf(noServer)("checking", () => {
  it("lets other calls go on in between, also with one connection [STO-check]", async () => {
    const store = await openForTest({ schema: scratchSchema(), connections: 1 });
    const order: string[] = [];
    await Promise.all([
      store.check().then(() => order.push("checked")),
      store.append([item("s", 0)]).then(() => order.push("appended")),
    ]);
    expect(order).toEqual(["appended", "checked"]);
  });

  it("tells of data that the server finds damaged [STO-check]", async () => {
    const schema = scratchSchema();
    const store = await openForTest({ schema });
    await store.append([item("s", 0)]);
    for (const statement of [
      `CREATE FUNCTION "${schema}".damaged() RETURNS bigint LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'invalid page' USING ERRCODE = 'XX001'; END $$`,
      `ALTER TABLE "${schema}".notes RENAME TO unreadable`,
      `CREATE VIEW "${schema}".notes AS SELECT id, "${schema}".damaged() AS sid, event, document, at
        FROM (VALUES (1, 'e', ''::bytea, 1)) AS v (id, event, document, at)`,
    ]) {
      await sql(statement);
    }
    expect(await store.check()).toMatchObject([{ message: expect.stringContaining("damaged data") }]);
  });
});
