/**
 * A plan that was made while the tables were empty is kept until the server looks at them again: with it, too, what a host
 * asks again and again reads the rows that it wants, not those of all runs that there have been.
 */
import { createDocuments, type Item, plainCodec } from "@swl/store-provider";
import pg from "pg";
import { describe, expect, it } from "vitest";
import type { Database, Query } from "../src/database.js";
import * as holders from "../src/holders.js";
import { settle } from "../src/settings.js";
import * as streams from "../src/streams.js";
import * as work from "../src/work.js";
import { noServer, openForTest, scratchSchema, url } from "./scratch.js";

const documents = createDocuments(plainCodec, 1_000);
const [closed, open] = [2_000, 200];
/** Rows that a query may read. */
const most = 300;

const queries: readonly (readonly [string, (database: Database) => unknown])[] = [
  ["the newest of all runs", (d) => streams.listStreams(d, {}, 1e9, 9)],
  ["runs with a label that none has", (d) => streams.listStreams(d, { status: "lost" }, 1e9, 9)],
  ["unapplied streams", (d) => streams.unappliedStreams(d, 9, "")],
  ["due entries", (d) => streams.dueNow(d, null, 9, 0)],
  ["orphaned streams", (d) => holders.orphanedStreams(d, null, 9, "")],
  ["live holders", (d) => holders.liveHolders(d, null, 9)],
  ["abandoned work", (d) => work.abandonedWork(d, null, 9, "", documents)],
  ["queues", (d) => work.claimableQueues(d, null, 9, "")],
  [
    "a claim",
    (d) => work.claim(d, "h", { queues: [{ queue: "none", limit: 1 }] }, null, documents).catch(() => {}),
  ],
];

/** Closed runs; open ones of a live holder that wait for work and instants to come, some of it claimed. */
function grown(): readonly Item[] {
  const item = { commit: "c", expect: 0, records: [{ kind: "k", document: null }], stamp: 0, applies: true };
  const done = Array.from({ length: closed }, (_, n) => ({
    ...item,
    stream: `closed ${n}`,
    owner: null,
    close: true,
    facets: { status: "completed" },
  }));
  const waiting = Array.from({ length: open }, (_, n) => ({
    ...item,
    stream: `open ${n}`,
    owner: "h",
    facets: { status: "running" },
    dues: [{ key: "d", at: 9_000_000_000_000 }],
    work: [{ id: `w ${n}`, queue: "q", delay: n % 2 === 0 ? 0 : 900_000_000_000, document: null }],
  }));
  return [...done, ...waiting];
}

/** Rows that the plan's scans of tables and indexes read, those included that a filter removed. */
function rowsRead(plan: string): number {
  const scans = /(?:Seq|Index|Index Only|Heap) Scan.*\(actual rows=([\d.]+) loops=(\d+)\)(?:\n(?!.*->).*)*/g;
  return [...plan.matchAll(scans)].reduce((sum, [text, rows, loops]) => {
    const removed = /Rows Removed by Filter: (\d+)/.exec(text)?.[1] ?? 0;
    return sum + (Number(rows) + Number(removed)) * Number(loops);
  }, 0);
}

describe.skipIf(noServer)("with a plan of empty tables the query for", () => {
  it("what a host asks reads few rows of many [STO-host-queries]", async () => {
    const schema = scratchSchema();
    const store = await openForTest({ schema });
    await store.openHolder("h", { lease: 600_000, exclusive: false });
    const client = new pg.Client({ connectionString: url() });
    await client.connect();
    await settle(client, { name: "test", callTimeout: 10_000, durable: true, pooler: false });
    const plans: string[] = [];
    client.on("notice", ({ message }) => plans.push(message ?? ""));
    const names = new Map<string, string>();
    const ask: Query = async (text, ...values) => {
      const name = names.get(text) ?? `q${names.size}`;
      names.set(text, name);
      const statement = { name, text: text.replaceAll("swl.", `"${schema}".`), values: [...values] };
      return (await client.query<Record<string, unknown>>(statement)).rows;
    };
    const call = { read: ask, write: ask };
    const database: Database = {
      ...call,
      call: () => call,
      alone: () => Promise.reject(),
      close: async () => {},
    };
    for (const [, query] of queries) await query(database);

    const items = grown();
    for (let n = 0; n < items.length; n += 100) {
      const answers = await store.append(items.slice(n, n + 100));
      expect(answers.every(({ kind }) => kind === "accepted")).toBe(true);
    }
    await store.claim("h", { queues: [{ queue: "q", limit: open }] });
    for (const setting of [
      "LOAD 'auto_explain'",
      "SET auto_explain.log_analyze = on",
      "SET auto_explain.log_timing = off",
      "SET auto_explain.log_min_duration = 0",
      "SET client_min_messages = log",
    ]) {
      await client.query(setting);
    }
    expect(await readBy()).toEqual([]);
    // And with what the server knows when it has looked.
    await client.query(`ANALYZE "${schema}".streams, "${schema}".facets, "${schema}".work, "${schema}".dues`);
    expect(await readBy()).toEqual([]);
    await client.end();

    async function readBy(): Promise<readonly unknown[]> {
      const read: [string, number][] = [];
      for (const [what, query] of queries) {
        plans.length = 0;
        await query(database);
        expect(plans.length).toBeGreaterThan(0);
        read.push([what, plans.reduce((sum, plan) => sum + rowsRead(plan), 0)]);
      }
      return read.filter(([, rows]) => rows > most);
    }
  });
});
