/**
 * Checking: everything is read, a portion of streams at a time and each portion on one snapshot, so that neither
 * writers nor this process wait for the whole of it. SQLite's own check of the file comes first. Spec: STO-check.
 */
import { setImmediate } from "node:timers/promises";
import { type Documents, isSwlError, type StoreFault, streamFaults } from "@swl/store-provider";
import type { Database } from "./driver.js";
import type { Session } from "./session.js";
import { headOf, type StreamRow, streamsFrom } from "./streams.js";

/** Streams read on one snapshot. */
const portion = 50;
const tables = ["log", "slots", "facets", "dues", "work", "receipts", "notes", "pins"] as const;

type Add = (faults: Iterable<StoreFault>) => void;

export async function check(
  session: Session,
  documents: Documents,
  limit: number,
): Promise<readonly StoreFault[]> {
  const found: StoreFault[] = [];
  const add: Add = (faults) => {
    for (const fault of faults) {
      if (found.length === limit) return;
      found.push(fault);
    }
  };
  try {
    await session.read((database) => add(fileFaults(database, limit)));
    // What a damaged file says of its runs cannot be trusted.
    if (found.length === 0) await readAll(session, documents, add, () => found.length < limit);
  } catch (error) {
    if (!isSwlError(error) || error.code !== "store.corrupt") throw error;
    add([{ message: error.message }]);
  }
  return found;
}

async function readAll(
  session: Session,
  documents: Documents,
  add: Add,
  goesOn: () => boolean,
): Promise<void> {
  await session.read((database) => add(strayFaults(database)));
  await eachPortion(
    (after) => session.read((database) => addBlobs(database, documents, after, add)),
    goesOn,
    "",
  );
  await eachPortion(
    (after) => session.read((database) => addStreams(database, documents, after, add)),
    goesOn,
    0,
  );
}

/** Lets everything else of this process go on between two portions. */
async function eachPortion<T>(
  read: (after: T) => Promise<T | undefined>,
  goesOn: () => boolean,
  start: T,
): Promise<void> {
  for (let after: T | undefined = start; after !== undefined && goesOn(); ) {
    after = await read(after);
    await setImmediate();
  }
}

function* fileFaults(database: Database, limit: number): Generator<StoreFault> {
  for (const row of database.all(`PRAGMA quick_check(${limit})`)) {
    const [says] = Object.values(row);
    if (says !== "ok") yield { message: `The file is damaged: ${String(says)}.` };
  }
}

/** Rows of streams that are not there. */
function* strayFaults(database: Database): Generator<StoreFault> {
  for (const table of tables) {
    const row = database.get(
      `SELECT count(*) AS stray FROM ${table} t
        WHERE t.sid <> 0 AND NOT EXISTS (SELECT 1 FROM streams s WHERE s.sid = t.sid)`,
    );
    const stray = Number(row?.["stray"]);
    if (stray > 0) yield { message: `The table ${table} has ${stray} rows of streams that are not there.` };
  }
}

/** The last digest of the portion; undefined after the last one. */
function addBlobs(database: Database, documents: Documents, after: string, add: Add): string | undefined {
  const rows = database.all(
    `SELECT b.digest, b.document, EXISTS (SELECT 1 FROM pins p WHERE p.digest = b.digest) AS pinned
      FROM blobs b WHERE b.digest > ? ORDER BY b.digest LIMIT ?`,
    after,
    portion,
  );
  for (const row of rows) {
    const digest = row["digest"] as string;
    if (row["pinned"] !== 1) add([{ message: `No stream pins the blob ${digest}.` }]);
    try {
      documents.decode(row["document"] as Uint8Array);
    } catch (error) {
      if (!isSwlError(error)) throw error;
      add([{ message: `The blob ${digest} cannot be read: ${error.message}` }]);
    }
  }
  return rows.at(-1)?.["digest"] as string | undefined;
}

/** The number of the portion's last stream; undefined after the last one. */
function addStreams(database: Database, documents: Documents, after: number, add: Add): number | undefined {
  const rows = streamsFrom(database, after, portion);
  for (const row of rows) {
    add(closingFaults(database, row));
    add(streamFaults(contentsOf(database, row), documents));
  }
  return rows.at(-1)?.sid;
}

/** The instant by which pruning goes. */
function* closingFaults(database: Database, { sid, stream, facts }: StreamRow): Generator<StoreFault> {
  const row = database.get(
    `SELECT s.closed_at, (SELECT l.at FROM log l WHERE l.sid = s.sid ORDER BY l.position DESC LIMIT 1) AS at
      FROM streams s WHERE s.sid = ?`,
    sid,
  );
  if ((row?.["closed_at"] ?? null) !== (facts.closed ? row?.["at"] : null)) {
    yield { stream, message: "The instant at which it was closed is not that of its last record." };
  }
}

function contentsOf(database: Database, row: StreamRow) {
  const { sid } = row;
  const count = (table: string) =>
    Number(database.get(`SELECT count(*) AS n FROM ${table} WHERE sid = ?`, sid)?.["n"]);
  const named = (what: string, sql: string) =>
    database
      .all(sql, sid)
      .map((found) => [`${what} ${String(found["name"])}`, found["document"] as Uint8Array] as const);
  return {
    head: headOf(database, row),
    origin: row.origin,
    records: logOf(database, sid),
    documents: [
      ...named("slot", "SELECT key AS name, document FROM slots WHERE sid = ?"),
      ...named("work", "SELECT id AS name, document FROM work WHERE sid = ?"),
      ...named("note", "SELECT event AS name, document FROM notes WHERE sid = ?"),
    ],
    dues: count("dues"),
    work: count("work"),
    receipts: database.all("SELECT request, position FROM receipts WHERE sid = ?", sid).map((found) => ({
      request: found["request"] as string,
      position: found["position"] as number,
    })),
    missingBlobs: database
      .all(
        `SELECT p.digest FROM pins p
          WHERE p.sid = ? AND NOT EXISTS (SELECT 1 FROM blobs b WHERE b.digest = p.digest)`,
        sid,
      )
      .map((found) => found["digest"] as string),
  };
}

/** A part of the log at a time: a log may be longer than what should be in memory. */
function* logOf(database: Database, sid: number) {
  for (let after = -1; ; ) {
    const rows = database.all(
      "SELECT position, applies, document FROM log WHERE sid = ? AND position > ? ORDER BY position LIMIT 500",
      sid,
      after,
    );
    for (const row of rows) {
      after = row["position"] as number;
      yield { position: after, applies: row["applies"] === 1, document: row["document"] as Uint8Array };
    }
    if (rows.length === 0) return;
  }
}
