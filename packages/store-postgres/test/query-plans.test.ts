/** Every query that is asked again and again finds its rows by an index: none walks over a table that grows with the runs. */
import { createDocuments, type PreparedItem, plainCodec } from "@swl/store-provider";
import pg from "pg";
import { describe, expect, it } from "vitest";
import type { Database, Query } from "../src/database.js";
import { writeDirect } from "../src/direct.js";
import { loadFacts } from "../src/facts.js";
import * as holders from "../src/holders.js";
import { format } from "../src/schema.js";
import { createFolding } from "../src/slots.js";
import * as streams from "../src/streams.js";
import { writeVisit } from "../src/visit.js";
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

/** Everything that is written without being loaded first. */
function whole(stream: string, expect: number): PreparedItem {
  const { item, ...bytes } = prepared(stream);
  const one = Buffer.from("1");
  return {
    ...bytes,
    item: {
      ...item,
      expect,
      applies: true,
      owner: null,
      fence: true,
      facets: { label: "v" },
      dues: [
        { key: "d", at: 5 },
        { key: "gone", at: null },
      ],
      work: [{ id: `w ${stream}`, queue: "q", delay: 0, document: null }],
      settled: ["done"],
      blobs: [{ digest: "brought", document: null }],
      pins: ["there"],
      require: [{ kind: "due-present", key: "fired" }],
      close: expect > 0,
    },
    work: [one],
    blobs: [one],
  };
}

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
  ["a lone visit", (d) => writeVisit(d, prepared("a"), null).catch(() => {})],
  ["a batch of visits", (d) => writeDirect(d, [prepared("a"), prepared("b")], null, false)],
  [
    "a batch of all that items bring",
    (d) => writeDirect(d, [whole("a", 0), whole("b", 7), prepared("c")], null, true),
  ],
  ["a batch that makes, changes, both", (d) => everyShape(d)],
  ["folding slots", (d) => fold(d)],
];

/** With the streams' rows changed or not, some of them made or none. */
async function everyShape(database: Database): Promise<void> {
  const [there, made] = [whole("b", 7), whole("a", 0)];
  const close = { ...there, item: { ...prepared("b").item, close: true } };
  for (const batch of [
    [prepared("a")],
    [made],
    [there],
    [made, there],
    [prepared("a"), made],
    [close],
    [made, close],
  ]) {
    for (const changes of [false, true]) await writeDirect(database, batch, null, changes);
  }
}

function fold(database: Database): Promise<void> {
  const folding = createFolding(database);
  folding.loaded("a", 1_000);
  return folding.finish();
}

/** Calls of functions in the server, whose statements are explained as they run. */
const steps: readonly (readonly [string, (schema: string) => string])[] = [
  ["a commit", (schema) => `SELECT "${schema}".commit_batch('${everything}', ARRAY['1'::bytea])`],
  ["pruning", (schema) => `SELECT "${schema}".prune_closed(9000, 9, 9)`],
  ["a renewal", (schema) => `SELECT "${schema}".renew_holder('h', 1, 1)`],
  ["a renewal of work", (schema) => `SELECT "${schema}".renew_work('h', '{w}', 1, 1)`],
];

const everything = JSON.stringify({
  format,
  now: 1,
  expired: ["e"],
  created: [{ sid: 7, stream: "s", origin: 0, fence: 0, closed: false, created_at: 1 }],
  log: [{ sid: 7, position: 1, applies: true, kind: "k", commit_id: "c", doc: 1 }],
  changed: [{ sid: 7, fence: 1, closed: true }],
  receipts: [{ scope: "s", request: "r", digest: "d", sid: 7, position: 1 }],
  facets: [{ sid: 7, label: "l", value: "v" }],
  blobs: [{ digest: "b", doc: 1 }],
  pins: [{ sid: 7, digest: "b" }],
  settled: [{ id: "w", sid: 7 }],
  closed: [7],
  work: [{ n: 1, id: "w", sid: 7, queue: "q", not_before: 1, doc: 1 }],
  withdrawn: [{ id: "w", sid: 7 }],
  unset: [{ sid: 7, key: "d" }],
  dues: [{ sid: 7, key: "d", at: 1 }],
});

describe.skipIf(noServer)("every statement within", () => {
  it.each(steps)("%s uses an index [STO-host-queries]", async (_what, step) => {
    const schema = scratchSchema();
    const store = await openForTest({ schema });
    const item = { commit: "c", expect: 0, records: [{ kind: "k", document: null }], stamp: 0 };
    const blobs = [{ digest: "over", document: null }];
    await store.append([{ ...item, stream: "over", blobs, close: true }]);
    const client = new pg.Client({ connectionString: url() });
    await client.connect();
    const plans: string[] = [];
    client.on("notice", ({ message }) => plans.push(message ?? ""));
    for (const setting of [
      "LOAD 'auto_explain'",
      "SET auto_explain.log_min_duration = 0",
      "SET auto_explain.log_nested_statements = on",
      "SET client_min_messages = log",
      "SET enable_seqscan = off",
    ]) {
      await client.query(setting);
    }
    await client.query(step(schema));
    await client.end();
    expect(plans.length).toBeGreaterThan(1);
    expect(plans.filter((plan) => /Seq Scan on/.test(plan))).toEqual([]);
  });
});

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
    // But for the one row that says the format.
    expect(plans.filter((plan) => /Seq Scan on (?!format)/.test(plan))).toEqual([]);
    // Nor over a whole index, to merge it with a few rows.
    expect(plans.filter((plan) => /Merge Join/.test(plan))).toEqual([]);
  });
});

describe.skipIf(noServer)("the order of a batch", () => {
  it.each(["hashjoin", "mergejoin", "nestloop"])(
    "rests on no plan: one without %s gives the same [STO-lists]",
    async (way) => {
      const address = `${url()}?options=${encodeURIComponent(`-c enable_${way}=off`)}`;
      const store = await openForTest({ url: address, schema: scratchSchema() });
      // Neither the names nor their hashes are in the order of the batch.
      const names = Array.from({ length: 40 }, (_, place) => `run ${(place * 17) % 40}`);
      const work = (name: string) =>
        [2, 0, 1].map((n) => ({ id: `${name} ${n}`, queue: "q", delay: 0, document: null }));
      const items = names.map((name) => ({
        stream: name,
        commit: "c",
        expect: 0,
        records: ["a", "b", "c"].map((kind) => ({ kind, document: null })),
        stamp: 0,
        work: work(name),
      }));
      await store.append(items);
      const listed = (await store.list({ limit: 40 })).items.map(({ stream }) => stream);
      expect(listed).toEqual(names.toReversed());
      await store.openHolder("h", { lease: 60_000, exclusive: false });
      const claimed = await store.claim("h", { queues: [{ queue: "q", limit: 120 }], lease: 60_000 });
      expect(claimed.map(({ id }) => id)).toEqual(names.flatMap((name) => work(name).map(({ id }) => id)));
      const log = await store.read(names[0] ?? "");
      expect(log.map(({ kind }) => kind)).toEqual(["a", "b", "c"]);
    },
  );
});
