/** Blobs: immutable documents by digest, shared by all streams. */
import type { Documents, Json, PreparedItem } from "@swl/store-provider";
import type { Database } from "./driver.js";

export function insertBlobs(database: Database, { item, blobs }: PreparedItem): void {
  for (const [index, { digest }] of (item.blobs ?? []).entries()) {
    database.run(
      "INSERT INTO blobs (digest, document) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING",
      digest,
      blobs[index] as Uint8Array,
    );
  }
}

export function readBlob(database: Database, digest: string, documents: Documents): Json | undefined {
  const row = database.get("SELECT document FROM blobs WHERE digest = ?", digest);
  return row && documents.decode(row["document"] as Uint8Array);
}
