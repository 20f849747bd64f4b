/** Every query that is asked again and again finds its rows by an index: none walks over a table that grows with the runs. */
import { createDocuments, type PreparedItem, plainCodec } from "@swl/store-provider";
import pg from "pg";
import { describe, expect, it } from "vitest";
import type { Database, Query } from "../src/database.js";
import { loadFacts } from "../src/facts.js";
import * as holders from "../src/holders.js";
import { createOlderSlots } from "../src/older-slots.js";
import * as streams from "../src/streams.js";
import { writeVisits } from "../src/visit.js";
import * as work from "../src/work.js";
import { noServer, openForTest, scratchSchema, url } from "./scratch.js";

const documents = createDocuments(plainCodec, 1_000);
const prepared = (stream: string): PreparedItem => ({
  item: {
    stream,
    commit: "c",
    expect: 1,
    records: [{ kind: "k", document: null }],
    slots: [{ key: "s", document: null }],
    receipts: [{ scope: "s", request: "r", digest: "d" }],
    require: [
      { kind: "work-held", work: "w", holder: "h" },
      { kind: "due-present", key: "d" },
    ],
    owner: "h",
    stamp: 0,
  },
  records: [Buffer.from("1")],
  slots: [Buffer.from("1")],
  work: [],
  blobs: [],
});

const queries: readonly (readonly [string, (database: Database) => unknown])[] = [
  ["a stream", (d) => streams.findHead(d, "s")],
  ["all of a stream", (d) => streams.loadStream(d, "s", documents)],
  ["a list", (d) => streams.listStreams(d, {}, 9, 9)],
  ["a list by labels", (d) => streams.listStreams(d, { a: "b", c: "d" }, 9, 9)],
  ["the log", (d) => streams.readLog(d, "s", 1, 9, documents)],
  ["a receipt", (d) => streams.findReceipt(d, "s", "r")],
  ["notes", (d) => streams.readNotes(d, "s", documents)],
  ["unapplied streams", (d) => streams.unappliedStreams(d, 9, "")],
  ["due entries", (d) => streams.dueNow(d, null, 9, 0)],
  ["orphaned streams", (d) => holders.orphanedStreams(d, null, 9, "")],
  ["live holders", (d) => holders.liveHolders(d, null, 9)],
  ["abandoned work", (d) => work.abandonedWork(d, null, 9, "", documents)],
  ["queues", (d) => work.claimableQueues(d, null, 9, "")],
  ["held work", (d) => work.workOfHolder(d, "h", documents)],
  [
    "a claim",
    (d) => work.claim(d, "h", { queues: [{ queue: "q", limit: 1 }] }, null, documents).catch(() => {}),
  ],
  ["a decision", (d) => loadFacts(d, [prepared("a"), prepared("b")], null)],
  ["a lone visit", (d) => writeVisits(d, [prepared("a")], null)],
  ["many visits", (d) => writeVisits(d, [prepared("a"), prepared("b")], null)],
  ["older rows of slots", (d) => prune(d)],
  ["older rows that a crash left", (d) => createOlderSlots(d, 9).sweep(1_000)],
];

function prune(database: Database): Promise<void> {
  const slots = createOlderSlots(database, 9);
  slots.note([prepared("a")]);
  return slots.finish();
}

describe.skipIf(noServer)("the query for", () => {
  it.each(queries)("%s uses an index [STO-host-queries]", async (_what, query) => {
    const schema = scratchSchema();
    await openForTest({ schema });
    const client = new pg.Client({ connectionString: url() });
    await client.connect();
    await client.query("SET enable_seqscan = off");
    const plans: string[] = [];
    const explain: Query = async (text, ...values) => {
      const { rows } = await client.query<Record<string, string>>({
        text: `EXPLAIN ${text.replaceAll("swl.", `"${schema}".`)}`,
        values,
      });
      plans.push(...rows.map((row) => row["QUERY PLAN"] as string));
      return [];
    };
    const call = { read: explain, write: explain };
    await query({ ...call, call: () => call, alone: () => Promise.reject(), close: async () => {} });
    await client.end();
    expect(plans.length).toBeGreaterThan(0);
    expect(plans.filter((plan) => /Seq Scan on/.test(plan))).toEqual([]);
  });
});
