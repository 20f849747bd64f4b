/** Blobs: immutable documents by digest, shared by the streams that pin them. */
import type { Changes, Documents, Json } from "@swl/store-provider";
import type { Database } from "./driver.js";

export function insertBlobs(database: Database, sid: number, { blobs, pins }: Changes): void {
  for (const { digest, document } of blobs) {
    database.run(
      "INSERT INTO blobs (digest, document) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING",
      digest,
      document,
    );
  }
  for (const digest of pins) {
    database.run("INSERT INTO pins (sid, digest) VALUES (?, ?) ON CONFLICT DO NOTHING", sid, digest);
  }
}

export function hasBlob(database: Database, digest: string): boolean {
  return database.get("SELECT 1 FROM blobs WHERE digest = ?", digest) !== undefined;
}

/** Takes a stream's pins away. The number of blobs that nothing pins any more, which are gone. */
export function unpin(database: Database, sid: number): number {
  const pins = database.all("DELETE FROM pins WHERE sid = ? RETURNING digest", sid);
  return pins.reduce((gone, row) => {
    const { changes } = database.run(
      `DELETE FROM blobs WHERE digest = ?
        AND NOT EXISTS (SELECT 1 FROM pins WHERE pins.digest = blobs.digest)`,
      row["digest"] as string,
    );
    return gone + changes;
  }, 0);
}

export function readBlob(database: Database, digest: string, documents: Documents): Json | undefined {
  const row = database.get("SELECT document FROM blobs WHERE digest = ?", digest);
  return row && documents.decode(row["document"] as Uint8Array);
}
