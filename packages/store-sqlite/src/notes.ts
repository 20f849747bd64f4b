/** Notes: written once per stream and event, outside the log, whatever has become of the stream. */
import { type Documents, type Note, storeError } from "@swl/store-provider";
import type { Database } from "./driver.js";
import { findStream } from "./streams.js";

/** False when there was one. Throws `store.not-found` without the stream. */
export function writeNote(
  database: Database,
  stream: string,
  event: string,
  document: Uint8Array,
  at: number,
): boolean {
  const row = findStream(database, stream);
  if (row === undefined) throw storeError("not-found", `There is no stream ${stream}.`);
  const { changes } = database.run(
    "INSERT INTO notes (sid, event, document, at) VALUES (?, ?, ?, ?) ON CONFLICT (sid, event) DO NOTHING",
    row.sid,
    event,
    document,
    at,
  );
  return changes > 0;
}

export function readNotes(database: Database, stream: string, documents: Documents): readonly Note[] {
  return database
    .all(
      `SELECT n.event, n.document, n.at FROM streams s JOIN notes n ON n.sid = s.sid
        WHERE s.stream = ? ORDER BY n.id`,
      stream,
    )
    .map((row) => ({
      event: row["event"] as string,
      document: documents.decode(row["document"] as Uint8Array),
      at: row["at"] as number,
    }));
}
