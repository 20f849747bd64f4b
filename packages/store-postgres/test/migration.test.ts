/** From format 1, as it was released, to this one: nothing is lost, one opener does it, an older version is kept out. */
import { isSwlError } from "@swl/store-provider";
import { describe, expect, it, onTestFinished } from "vitest";
import { openPostgresStore } from "../src/index.js";
import { makeFormat1 } from "./format-1.js";
import { noServer, openForTest, scratchSchema, sql, url } from "./scratch.js";

const clock = () => 10_000;

async function format1(): Promise<string> {
  const schema = scratchSchema();
  await makeFormat1(schema);
  return schema;
}

const versionIn = async (schema: string) =>
  (await sql(`SELECT version FROM "${schema}".format`))[0]?.["version"];

describe.skipIf(noServer)("a schema of format 1", () => {
  it("is brought forward with all that is in it [STO-version-gate]", async () => {
    const schema = await format1();
    const store = await openForTest({ schema, clock });
    expect(await versionIn(schema)).toBe(3);
    const state = await store.load("open");
    expect([state?.position, state?.slots.get("s"), state?.dues.get("d")]).toEqual([1, { n: 1 }, 5_000]);
    expect(state?.work).toMatchObject([{ id: "w", queue: "q", document: { n: 1 } }]);
    expect((await store.head("held"))?.hold).toBe("quarantine");
    expect((await store.list({ facets: { status: "done" } })).items).toMatchObject([{ stream: "closed" }]);
    expect(await store.receipt("start", "k")).toMatchObject({ stream: "open", position: 1 });
    expect(await store.check()).toEqual([]);
    const close = { expect: 1, close: true, records: [{ kind: "event", document: 2 }], stamp: 0 };
    expect(await store.append([{ stream: "open", commit: "e", applies: true, ...close }])).toMatchObject([
      { kind: "accepted", first: 2 },
    ]);
  });

  it("keeps its blobs as long as any stream of that time is there [STO-pins]", async () => {
    const store = await openForTest({ schema: await format1(), clock });
    const pruned = await store.prune({ closedBefore: 2_000 });
    expect(pruned).toEqual({ streams: 1, records: 1, blobs: 0, more: false });
    expect(await store.blob("b")).toEqual({ n: 1 });
    const records = [{ kind: "event", document: null }];
    const ends = { commit: "e", expect: 1, close: true, records, stamp: 0 };
    await store.append([
      { stream: "open", ...ends },
      { stream: "held", ...ends },
    ]);
    expect(await store.prune({ closedBefore: 20_000 })).toMatchObject({ streams: 2, blobs: 1 });
    expect(await store.blob("b")).toBeUndefined();
  });

  it("is brought forward once, however many open it at once [STO-version-gate]", async () => {
    const schema = await format1();
    const stores = await Promise.all(
      Array.from({ length: 5 }, () => openForTest({ schema, connections: 1 })),
    );
    for (const store of stores) expect((await store.head("open"))?.position).toBe(1);
    expect(await versionIn(schema)).toBe(3);
  });

  it("is waited for while another opener is at it, for as long as a call may take [STO-version-gate]", async () => {
    const schema = await format1();
    const { default: pg } = await import("pg");
    const other = new pg.Client({ connectionString: url() });
    await other.connect();
    onTestFinished(() => other.end());
    await other.query("BEGIN");
    await other.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`swl store ${schema}`]);
    const impatient = openPostgresStore({ url: url(), schema, callTimeout: 300 });
    await expect(impatient).rejects.toMatchObject({ code: "store.unavailable" });
    const patient = openForTest({ schema });
    await other.query("COMMIT");
    expect((await (await patient).head("open"))?.position).toBe(1);
  });

  it("is left as it is when that must not be done [STO-version-gate]", async () => {
    const schema = await format1();
    const refused = openPostgresStore({ url: url(), schema, migrate: "never" });
    await expect(refused).rejects.toMatchObject({ code: "store.incompatible" });
    expect(await versionIn(schema)).toBe(1);
    const [row] = await sql("SELECT to_regclass($1) AS pins", [`"${schema}".pins`]);
    expect(row?.["pins"]).toBeNull();
    await openForTest({ schema });
    await openForTest({ schema, migrate: "never" });
  });

  it("takes no commit of a version that had it open before [STO-version-gate]", async () => {
    const schema = await format1();
    await openForTest({ schema });
    const old = sql(`SELECT "${schema}".commit_batch($1, $2)`, [JSON.stringify({ now: 1, log: [] }), []]);
    await expect(old).rejects.toMatchObject({ code: "SW002" });
  });

  it("gives its slots to no such version, and takes none of it [STO-version-gate]", async () => {
    const schema = await format1();
    // As the visits and the loading of formats 1 and 2 say it.
    const visit = `INSERT INTO "${schema}".slots (sid, key, position, document) VALUES (1, 'new', 2, '{}')`;
    await sql(visit);
    await sql(`DELETE FROM "${schema}".slots WHERE position = 2`);
    await openForTest({ schema });
    // "Its tables are not those of this version": `store.incompatible`.
    await expect(sql(visit)).rejects.toMatchObject({ code: "42703" });
    const load = sql(`SELECT k.document FROM "${schema}".slots k WHERE k.sid = 1`);
    await expect(load).rejects.toMatchObject({ code: "42703" });
  });

  it("gets nothing but plain visits of this version once a later one has brought it forward [STO-version-gate]", async () => {
    const schema = scratchSchema();
    const store = await openForTest({ schema, clock });
    const item = { commit: "c", expect: 0, records: [{ kind: "event", document: null }], stamp: 0 };
    await store.append([{ ...item, stream: "before" }]);
    await sql(`UPDATE "${schema}".format SET version = 99`);
    // As the functions of a later version do to whatever says that it writes an earlier format.
    await sql(`CREATE OR REPLACE FUNCTION "${schema}".commit_batch(p jsonb, docs bytea[]) RETURNS void LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION 'brought forward' USING ERRCODE = 'SW002'; END $$`);
    const later = store.append([{ ...item, stream: "after" }]);
    await expect(later).rejects.toMatchObject({ code: "store.incompatible" });
    expect(await store.head("after")).toBeUndefined();
  });

  it("is as it was when bringing it forward is broken off [STO-version-gate]", async () => {
    const schema = await format1();
    // What the last step would make is there already.
    await sql(`CREATE INDEX receipts_stream ON "${schema}".receipts (digest)`);
    const error: unknown = await openPostgresStore({ url: url(), schema }).catch((thrown: unknown) => thrown);
    expect(isSwlError(error) && error.code).toBe("store.incompatible");
    expect(await versionIn(schema)).toBe(1);
    const columns = await sql(
      "SELECT 1 AS one FROM pg_attribute WHERE attrelid = $1::regclass AND attname = $2",
      [`"${schema}".streams`, "closed_at"],
    );
    expect(columns).toEqual([]);
    await sql(`DROP INDEX "${schema}".receipts_stream`);
    await openForTest({ schema });
    expect(await versionIn(schema)).toBe(3);
  });
});
