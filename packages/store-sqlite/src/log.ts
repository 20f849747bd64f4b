/** The log: appended to, never changed. */
import type { Changes, CommitFacts, Documents, LogRecord } from "@swl/store-provider";
import type { Database, Row } from "./driver.js";

export function insertRecords(database: Database, sid: number, { records }: Changes): void {
  for (const { position, kind, commit, at, applies, document } of records) {
    database.run(
      `INSERT INTO log (sid, position, kind, commit_id, at, applies, document)
        VALUES (?, ?, ?, ?, ?, ?, ?)`,
      sid,
      position,
      kind,
      commit,
      at,
      applies ? 1 : 0,
      document,
    );
  }
}

export function readLog(
  database: Database,
  sid: number,
  from: number,
  limit: number,
  documents: Documents,
): readonly LogRecord[] {
  return database
    .all(
      `SELECT position, kind, commit_id, at, applies, document FROM log
        WHERE sid = ? AND position >= ? ORDER BY position LIMIT ?`,
      sid,
      from,
      limit,
    )
    .map((row) => readRecord(row, documents));
}

function readRecord(row: Row, documents: Documents): LogRecord {
  return {
    position: row["position"] as number,
    kind: row["kind"] as string,
    commit: row["commit_id"] as string,
    at: row["at"] as number,
    applies: row["applies"] === 1,
    document: documents.decode(row["document"] as Uint8Array),
  };
}

/** The item whose first record is at this position. */
export function commitAt(database: Database, sid: number, position: number): CommitFacts | undefined {
  const row = database.get("SELECT commit_id, at FROM log WHERE sid = ? AND position = ?", sid, position);
  if (row === undefined) return undefined;
  const commit = row["commit_id"] as string;
  const beyond = database.get(
    "SELECT min(position) AS position FROM log WHERE sid = ? AND position > ? AND commit_id <> ?",
    sid,
    position,
    commit,
  );
  const last = (beyond?.["position"] as number | null) ?? lastPosition(database, sid) + 1;
  return { commit, first: position, last: last - 1, at: row["at"] as number };
}

function lastPosition(database: Database, sid: number): number {
  return database.get("SELECT max(position) AS position FROM log WHERE sid = ?", sid)?.["position"] as number;
}
