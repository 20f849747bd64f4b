/** What a pooler may hand out: sessions with settings of others. A write is durable all the same, or refused. */
import type { Item } from "@swl/store-provider";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { openPostgresStore } from "../src/index.js";
import { settle } from "../src/settings.js";
import { noServer, openForTest, scratchSchema, sql, url } from "./scratch.js";

const item = (stream: string, expect: number): Item => ({
  stream,
  commit: `c${expect}`,
  expect,
  records: [{ kind: "event", document: null }],
  applies: true,
  stamp: 0,
});

/** The address, with settings of the session that it gives. */
const withSettings = (settings: string) => {
  const address = new URL(url());
  address.searchParams.set("options", settings);
  return address.href;
};

describe.skipIf(noServer)("a pooler's session", () => {
  it("in which commits do not wait for the disk is told to, for one statement [STO-durable-settings]", async () => {
    const schema = scratchSchema();
    await openForTest({ schema });
    const client = new pg.Client({ connectionString: withSettings("-c synchronous_commit=off") });
    await client.connect();
    const committing = async () => (await client.query("SHOW synchronous_commit")).rows;
    await client.query("BEGIN");
    for (const call of [`"${schema}".write_at(7)`, `"${schema}".begin_write()`]) {
      await client.query("SET LOCAL synchronous_commit = off");
      await client.query(`SELECT ${call}`);
      expect(await committing()).toEqual([{ synchronous_commit: "on" }]);
    }
    await client.query("SET LOCAL synchronous_commit = remote_apply");
    await client.query(`SELECT "${schema}".write_at(7)`);
    expect(await committing()).toEqual([{ synchronous_commit: "remote_apply" }]);
    await client.query("COMMIT");
    expect(await committing()).toEqual([{ synchronous_commit: "off" }]);
    await client.end();
  });

  it("with other settings than a session of ours is good enough", async () => {
    const settings = "-c synchronous_commit=off -c bytea_output=escape -c search_path=nowhere -c jit=on";
    const options = { schema: scratchSchema(), url: withSettings(settings), pooler: true, connections: 2 };
    const store = await openForTest(options);
    expect(store.info.capabilities).toMatchObject({ durable: true, pooler: true });
    for (let at = 0; at < 3; at += 1)
      expect(await store.append([item("a", at)])).toMatchObject([{ first: at + 1 }]);
    expect((await store.read("a")).map(({ document }) => document)).toEqual([null, null, null]);
    expect(await store.check()).toEqual([]);
  });

  it.each(["repeatable read", "serializable"])(
    "whose transactions are %s decides nothing upon what it cannot see [STO-leases]",
    async (isolation) => {
      const schema = scratchSchema();
      await openForTest({ schema });
      const settings = `-c default_transaction_isolation=${isolation.replace(" ", "\\ ")}`;
      const store = await openForTest({ schema, url: withSettings(settings), pooler: true });
      for (const call of [
        () => store.append([item("a", 0)]),
        () => store.openHolder("h", { lease: 1_000, exclusive: true }),
        () => store.renewHolder("h", 1_000),
        () => store.prune({ closedBefore: 1 }),
      ]) {
        await expect(call()).rejects.toMatchObject({ code: "store.incompatible" });
      }
      expect(await store.head("a")).toBeUndefined();
    },
  );

  it("of ours is what it must be, whatever the role's settings are", async () => {
    const settings = "-c default_transaction_isolation=serializable -c synchronous_commit=off";
    const store = await openForTest({ schema: scratchSchema(), url: withSettings(settings) });
    expect(await store.append([item("a", 0)])).toMatchObject([{ kind: "accepted" }]);
  });

  it("of ours is not ended while it is quiet and waits for locks", async () => {
    const [row] = await sql("SHOW server_version_num");
    const newer = Number(row?.["server_version_num"]) >= 170_000 ? " -c transaction_timeout=400" : "";
    const settings = `-c idle_session_timeout=400 -c lock_timeout=1${newer}`;
    const client = new pg.Client({ connectionString: withSettings(settings) });
    await client.connect();
    await settle(client, { name: "s", callTimeout: 1_000, durable: true, pooler: false });
    const { rows } = await client.query(
      `SELECT name, setting FROM pg_settings WHERE name IN
        ('idle_session_timeout', 'lock_timeout', 'transaction_timeout') AND setting <> '0'`,
    );
    await client.end();
    expect(rows).toEqual([]);
    const store = await openForTest({ schema: scratchSchema(), url: withSettings("-c array_nulls=off") });
    await store.append([{ ...item("a", 0), slots: [{ key: "k", document: 1 }] }]);
    await store.append([{ ...item("a", 1), slots: [{ key: "k" }] }]);
    expect((await store.load("a"))?.slots).toEqual(new Map());
  });

  it("cannot hear wake-ups: told to listen there, opening is refused", async () => {
    const refused = openPostgresStore({ url: url(), schema: "nothing_is_made", pooler: true, listen: {} });
    await expect(refused).rejects.toMatchObject({ code: "store.incompatible" });
    expect(await sql("SELECT 1 AS one FROM pg_namespace WHERE nspname = 'nothing_is_made'")).toEqual([]);
  });
});
