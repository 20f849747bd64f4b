/**
 * Checking: everything is read, some streams at a time and each portion on one snapshot, so that no snapshot is held for
 * the whole of it. It takes the time that it takes. Spec: STO-check.
 */
import {
  type Documents,
  isSwlError,
  type StoreFault,
  type StreamContents,
  streamFaults,
} from "@swl/store-provider";
import type { Database, Query } from "./database.js";
import { ownDocument, recentRows, type SlotList, slotDocuments, unpack } from "./slots.js";
import { headColumns, headOf } from "./streams.js";

/** Streams, or blobs, read on one snapshot. */
const portion = 50;
const tables = ["log", "slots", "facets", "dues", "work", "receipts", "notes", "pins"];

export async function check(
  database: Database,
  documents: Documents,
  limit: number,
): Promise<readonly StoreFault[]> {
  const found: StoreFault[] = [];
  try {
    for (const table of tables) {
      found.push(...(await onSnapshot(database, (query) => strayFaults(query, table))));
    }
    await eachPortion(database, found, limit, "", (query, after) => blobFaults(query, documents, after));
    await eachPortion(database, found, limit, 0, (query, after) => someStreams(query, documents, after));
  } catch (error) {
    // What the server itself finds damaged ends the reading.
    if (!isSwlError(error) || error.code !== "store.corrupt") throw error;
    found.push({ message: error.message });
  }
  return found.slice(0, limit);
}

interface Portion<T> {
  readonly faults: readonly StoreFault[];
  /** Undefined after the last one. */
  readonly next: T | undefined;
}

async function eachPortion<T>(
  database: Database,
  found: StoreFault[],
  limit: number,
  start: T,
  read: (query: Query, after: T) => Promise<Portion<T>>,
): Promise<void> {
  for (let after: T | undefined = start; after !== undefined && found.length < limit; ) {
    const from: T = after;
    const { faults, next }: Portion<T> = await onSnapshot(database, (query) => read(query, from));
    found.push(...faults);
    after = next;
  }
}

/** The connection is given back after each portion: with only one of them other calls go on in between. */
function onSnapshot<T>(database: Database, read: (query: Query) => Promise<T>): Promise<T> {
  return database.alone(async (query) => {
    await query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await query("SET LOCAL statement_timeout = 0");
    const answer = await read(query);
    await query("COMMIT");
    return answer;
  });
}

/** Rows of streams that are not there. */
async function strayFaults(query: Query, table: string): Promise<readonly StoreFault[]> {
  const [row] = await query(
    `SELECT count(*) AS n FROM swl.${table} t WHERE NOT EXISTS (SELECT 1 FROM swl.streams s WHERE s.sid = t.sid)`,
  );
  const stray = row?.["n"] as number;
  if (stray === 0) return [];
  return [{ message: `The table ${table} has ${stray} rows of streams that are not there.` }];
}

async function blobFaults(query: Query, documents: Documents, after: string): Promise<Portion<string>> {
  const rows = await query(
    `SELECT b.digest, b.document, (b.until_sid IS NOT NULL
        OR EXISTS (SELECT 1 FROM swl.pins p WHERE p.digest = b.digest)) AS kept
      FROM swl.blobs b WHERE b.digest > $1 ORDER BY b.digest LIMIT ${portion}`,
    after,
  );
  const faults = rows.flatMap(({ digest, document, kept }) => {
    const why = faultOf(documents, document as Uint8Array);
    return [
      ...(kept === true ? [] : [{ message: `No stream pins the blob ${digest as string}.` }]),
      ...(why === undefined ? [] : [{ message: `The blob ${digest as string} cannot be read: ${why}` }]),
    ];
  });
  return { faults, next: rows.at(-1)?.["digest"] as string | undefined };
}

function faultOf(documents: Documents, bytes: Uint8Array): string | undefined {
  try {
    documents.decode(bytes);
    return undefined;
  } catch (error) {
    if (!isSwlError(error)) throw error;
    return error.message;
  }
}

async function someStreams(query: Query, documents: Documents, after: number): Promise<Portion<number>> {
  const rows = await query(
    `SELECT s.sid, s.stream, s.origin, ${headColumns} AS head, s.closed_at IS DISTINCT FROM
        CASE WHEN s.closed THEN (SELECT l.at FROM swl.log l WHERE l.sid = s.sid ORDER BY l.position DESC LIMIT 1)
        END AS misdated,
        EXISTS (SELECT 1 FROM swl.slots k WHERE k.sid = s.sid AND k.position > s.folded) AS ahead
      FROM swl.streams s WHERE s.sid > $1 ORDER BY s.sid LIMIT ${portion}`,
    after,
  );
  const faults: StoreFault[] = [];
  for (const row of rows) {
    if (row["misdated"] === true) {
      const message = "The instant at which it was closed is not that of its last record.";
      faults.push({ stream: row["stream"] as string, message });
    }
    if (row["ahead"] === true) {
      const message = "A slot is newer than the position up to which slots are folded.";
      faults.push({ stream: row["stream"] as string, message });
    }
    const contents = await contentsOf(query, row["sid"] as number, row["origin"] as number, row["head"]);
    faults.push(...streamFaults(contents, documents));
  }
  return { faults, next: rows.at(-1)?.["sid"] as number | undefined };
}

async function contentsOf(query: Query, sid: number, origin: number, head: unknown): Promise<StreamContents> {
  const rows = <T>(sql: string) => query(sql, sid) as Promise<readonly unknown[]> as Promise<readonly T[]>;
  const records = await rows<{ position: number; applies: boolean; document: Uint8Array }>(
    `SELECT l.position, l.applies, ${ownDocument} AS document FROM swl.log l WHERE l.sid = $1 ORDER BY l.position`,
  );
  const recent = await rows<{ slots: SlotList; documents: Uint8Array }>(
    `SELECT l.slots, ${slotDocuments} AS documents FROM swl.streams s
      CROSS JOIN LATERAL (SELECT l.* FROM ${recentRows}) l WHERE s.sid = $1 ORDER BY l.position`,
  );
  const named = await rows<{ what: string; document: Uint8Array }>(
    `SELECT 'slot ' || key AS what, newest AS document FROM swl.slots WHERE sid = $1
      UNION ALL SELECT 'work ' || id, document FROM swl.work WHERE sid = $1
      UNION ALL SELECT 'note ' || event, document FROM swl.notes WHERE sid = $1`,
  );
  const slots = recent.flatMap(({ slots, documents }) =>
    [...unpack(slots, documents)].flatMap(([key, bytes]) => (bytes ? [[`slot ${key}`, bytes] as const] : [])),
  );
  const receipts = await rows<{ request: string; position: number }>(
    "SELECT request, position FROM swl.receipts WHERE sid = $1",
  );
  const missing = await rows<{ digest: string }>(
    `SELECT p.digest FROM swl.pins p
      WHERE p.sid = $1 AND NOT EXISTS (SELECT 1 FROM swl.blobs b WHERE b.digest = p.digest)`,
  );
  const [counts] = await rows<{ dues: number; work: number }>(
    `SELECT (SELECT count(*) FROM swl.dues WHERE sid = $1) AS dues,
      (SELECT count(*) FROM swl.work WHERE sid = $1) AS work`,
  );
  // What the row says is compared with the log; a log that is empty has no last position.
  const there = headOf(head);
  return {
    head: { ...there, position: there.position ?? origin, applied: there.applied ?? 0 },
    origin,
    records,
    documents: [...named.map(({ what, document }) => [what, document] as const), ...slots],
    dues: counts?.dues ?? 0,
    work: counts?.work ?? 0,
    receipts,
    missingBlobs: missing.map(({ digest }) => digest),
  };
}
