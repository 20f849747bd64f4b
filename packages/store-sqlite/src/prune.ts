/** Pruning: one portion of closed streams goes with all that is theirs, in one short transaction. Spec: STO-prune. */
import { type Pruned, portionRecords } from "@swl/store-provider";
import { unpin } from "./blobs.js";
import type { Database } from "./driver.js";

/** What a closed stream still has; its work and dues went when it was closed. */
const tables = ["log", "slots", "facets", "receipts", "notes"] as const;

/** True when there is something to prune: asked before the write lock is. */
export function hasPrunable(database: Database, closedBefore: number): boolean {
  return database.get("SELECT 1 FROM streams WHERE closed_at < ? LIMIT 1", closedBefore) !== undefined;
}

export function prune(database: Database, closedBefore: number, limit: number): Pruned {
  const rows = database.all(
    "SELECT sid FROM streams WHERE closed_at < ? ORDER BY closed_at, sid LIMIT ?",
    closedBefore,
    limit,
  );
  let streams = 0;
  let records = 0;
  let blobs = 0;
  for (const row of rows) {
    const sid = row["sid"] as number;
    const [log] = tables.map((table) => database.run(`DELETE FROM ${table} WHERE sid = ?`, sid).changes);
    database.run("DELETE FROM streams WHERE sid = ?", sid);
    blobs += unpin(database, sid);
    streams += 1;
    records += log ?? 0;
    if (records >= portionRecords) break;
  }
  return { streams, records, blobs, more: hasPrunable(database, closedBefore) };
}
