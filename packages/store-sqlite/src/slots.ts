/** Slots: the newest document of each key, replaced in place. */
import type { Changes, Documents, Json } from "@swl/store-provider";
import type { Database } from "./driver.js";

export function writeSlots(database: Database, sid: number, { slots }: Changes): void {
  for (const { key, document } of slots) {
    if (document === undefined) database.run("DELETE FROM slots WHERE sid = ? AND key = ?", sid, key);
    else {
      database.run(
        `INSERT INTO slots (sid, key, document) VALUES (?, ?, ?)
          ON CONFLICT (sid, key) DO UPDATE SET document = excluded.document`,
        sid,
        key,
        document,
      );
    }
  }
}

export function readSlots(database: Database, sid: number, documents: Documents): ReadonlyMap<string, Json> {
  const rows = database.all("SELECT key, document FROM slots WHERE sid = ?", sid);
  return new Map(rows.map((row) => [row["key"] as string, documents.decode(row["document"] as Uint8Array)]));
}
