/**
 * A schema as version 1 of the format made it (`format-1.sql` has its statements as they were released), with an open, a
 * held and a closed stream, a blob, work and a due entry in it.
 */
import { readFileSync } from "node:fs";
import pg from "pg";
import { url } from "./scratch.js";

const released = readFileSync(new URL("format-1.sql", import.meta.url), "utf8");

/** What the first version's commit was given. */
const commit = {
  now: 1_000,
  created: [
    { sid: 1, stream: "open", origin: 0, applied: null, fence: 0, owner: null, hold: null, closed: false },
    {
      sid: 2,
      stream: "held",
      origin: 0,
      applied: 0,
      fence: 0,
      owner: null,
      hold: "quarantine",
      closed: false,
    },
    { sid: 3, stream: "closed", origin: 0, applied: 0, fence: 0, owner: null, hold: null, closed: true },
  ].map((row) => ({ ...row, created_at: 1_000 })),
  log: [
    { sid: 1, position: 1, applies: true, kind: "event", commit_id: "c", doc: 1 },
    { sid: 2, position: 1, applies: false, kind: "event", commit_id: "c", doc: 1 },
    { sid: 3, position: 1, applies: false, kind: "event", commit_id: "c", doc: 1 },
  ],
  slots: [{ sid: 1, key: "s", position: 1, doc: 1 }],
  receipts: [{ scope: "start", request: "k", digest: "d", sid: 1, position: 1 }],
  facets: [{ sid: 3, label: "status", value: "done" }],
  blobs: [{ digest: "b", doc: 1 }],
  work: [{ n: 1, id: "w", sid: 1, queue: "q", not_before: 1_000, doc: 1 }],
  dues: [{ sid: 1, key: "d", at: 5_000 }],
};

export async function makeFormat1(schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: url() });
  await client.connect();
  const run = (text: string, values?: unknown[]) =>
    client.query(text.replaceAll("swl.", `"${schema}".`), values);
  try {
    await client.query(`CREATE SCHEMA "${schema}"`);
    for (const statement of released.split("\n--;\n")) if (statement.trim() !== "") await run(statement);
    await run("CREATE TABLE swl.format (version int NOT NULL)");
    await run("INSERT INTO swl.format VALUES (1)");
    await run("SELECT setval('swl.stream_numbers', 3)");
    await run("SELECT swl.commit_batch($1, $2)", [JSON.stringify(commit), [Buffer.from('{"n":1}')]]);
  } finally {
    await client.end();
  }
}
