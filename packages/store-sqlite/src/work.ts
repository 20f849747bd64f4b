/** Work: added and removed by items, claimed by holders. */
import type { Changes, Documents, Work } from "@swl/store-provider";
import type { Database, Row } from "./driver.js";

const select = "SELECT w.*, s.stream FROM work w JOIN streams s ON s.sid = w.sid";

export function readWork(row: Row, documents: Documents): Work {
  return {
    id: row["id"] as string,
    stream: row["stream"] as string,
    queue: row["queue"] as string,
    notBefore: row["not_before"] as number,
    document: documents.decode(row["document"] as Uint8Array),
    ...(row["holder"] !== null && { holder: row["holder"] as string }),
    ...(row["until"] !== null && { until: row["until"] as number }),
    withdraw: row["withdraw"] === 1,
  };
}

export function writeWork(database: Database, sid: number, { settled, work, withdrawn }: Changes): void {
  for (const id of settled) database.run("DELETE FROM work WHERE id = ? AND sid = ?", id, sid);
  for (const { id, queue, notBefore, document } of work) {
    database.run(
      "INSERT INTO work (id, sid, queue, not_before, document, withdraw) VALUES (?, ?, ?, ?, ?, 0)",
      id,
      sid,
      queue,
      notBefore,
      document,
    );
  }
  for (const id of withdrawn) {
    database.run("UPDATE work SET withdraw = 1 WHERE id = ? AND sid = ?", id, sid);
  }
}

export function removeAllWork(database: Database, sid: number): void {
  database.run("DELETE FROM work WHERE sid = ?", sid);
}

/** What a decision looks up. */
export function findWork(
  database: Database,
  id: string,
): Pick<Work, "stream" | "holder" | "until"> | undefined {
  const row = database.get(
    "SELECT s.stream, w.holder, w.until FROM work w JOIN streams s ON s.sid = w.sid WHERE w.id = ?",
    id,
  );
  if (row === undefined) return undefined;
  return {
    stream: row["stream"] as string,
    ...(row["holder"] !== null && { holder: row["holder"] as string }),
    ...(row["until"] !== null && { until: row["until"] as number }),
  };
}

export function workOfStream(database: Database, sid: number, documents: Documents): readonly Work[] {
  return database.all(`${select} WHERE w.sid = ? ORDER BY w.seq`, sid).map((row) => readWork(row, documents));
}

export function workOfHolder(database: Database, holder: string, documents: Documents): readonly Work[] {
  return database
    .all(`${select} WHERE w.holder = ? ORDER BY w.id`, holder)
    .map((row) => readWork(row, documents));
}

/** Oldest first; the stream's hold is looked up for each candidate. */
export function claimable(database: Database, queue: string, now: number, limit: number): readonly Row[] {
  return database.all(
    `${select} WHERE w.queue = ? AND w.holder IS NULL AND w.withdraw = 0 AND w.not_before <= ?
      AND s.hold IS NULL ORDER BY w.not_before, w.seq LIMIT ?`,
    queue,
    now,
    limit,
  );
}

/** Steps from queue to queue in the index, however much work each of them has. */
export function claimableQueues(
  database: Database,
  now: number,
  limit: number,
  after = "",
): readonly string[] {
  return database
    .all(
      `WITH RECURSIVE q (queue) AS (
        SELECT min(queue) FROM work WHERE holder IS NULL AND withdraw = 0 AND queue > ?
        UNION ALL
        SELECT (SELECT min(queue) FROM work WHERE holder IS NULL AND withdraw = 0 AND queue > q.queue)
          FROM q WHERE q.queue IS NOT NULL
      )
      SELECT q.queue FROM q WHERE q.queue IS NOT NULL AND EXISTS (
        SELECT 1 FROM work w JOIN streams s ON s.sid = w.sid
          WHERE w.queue = q.queue AND w.holder IS NULL AND w.withdraw = 0 AND w.not_before <= ?
            AND s.hold IS NULL
      ) ORDER BY q.queue LIMIT ?`,
      after,
      now,
      limit,
    )
    .map((row) => row["queue"] as string);
}

/** Marked and unheld; or claimed with a lease of its own that ran out; or by a holder whose lease ran out. */
export function abandonedWork(
  database: Database,
  now: number,
  limit: number,
  after: string,
  documents: Documents,
): readonly Work[] {
  return database
    .all(
      `WITH RECURSIVE h (holder) AS (
        SELECT min(holder) FROM work WHERE holder IS NOT NULL
        UNION ALL
        SELECT (SELECT min(holder) FROM work WHERE holder > h.holder) FROM h WHERE h.holder IS NOT NULL
      ),
      found (seq) AS (
        SELECT seq FROM work WHERE holder IS NULL AND withdraw = 1
        UNION ALL
        SELECT seq FROM work WHERE until IS NOT NULL AND until <= ?
        UNION ALL
        SELECT w.seq FROM h LEFT JOIN holders l ON l.holder = h.holder CROSS JOIN work w ON w.holder = h.holder
          WHERE w.until IS NULL AND (l.until IS NULL OR l.until <= ?)
      )
      SELECT w.*, s.stream FROM found f CROSS JOIN work w ON w.seq = f.seq JOIN streams s ON s.sid = w.sid
        WHERE s.hold IS NULL AND w.id > ? ORDER BY w.id LIMIT ?`,
      now,
      now,
      after,
      limit,
    )
    .map((row) => readWork(row, documents));
}
