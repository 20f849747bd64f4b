/** Dues: instants at which a host has something to do. */
import type { Changes } from "@swl/store-provider";
import type { Database } from "./driver.js";

export function writeDues(database: Database, sid: number, { unset, dues }: Changes): void {
  for (const key of unset) database.run("DELETE FROM dues WHERE sid = ? AND key = ?", sid, key);
  for (const { key, at } of dues) {
    database.run(
      `INSERT INTO dues (sid, key, at) VALUES (?, ?, ?)
        ON CONFLICT (sid, key) DO UPDATE SET at = excluded.at`,
      sid,
      key,
      at,
    );
  }
}

export function removeDues(database: Database, sid: number): void {
  database.run("DELETE FROM dues WHERE sid = ?", sid);
}

export function findDue(database: Database, sid: number, key: string): number | undefined {
  return database.get("SELECT at FROM dues WHERE sid = ? AND key = ?", sid, key)?.["at"] as
    | number
    | undefined;
}

export function readDues(database: Database, sid: number): ReadonlyMap<string, number> {
  const rows = database.all("SELECT key, at FROM dues WHERE sid = ?", sid);
  return new Map(rows.map((row) => [row["key"] as string, row["at"] as number]));
}

export function dueNow(database: Database, now: number, limit: number, after: number) {
  return database
    .all(
      `SELECT s.stream, d.key, d.at FROM dues d JOIN streams s ON s.sid = d.sid
        WHERE d.at <= ? AND s.hold IS NULL ORDER BY d.at, d.sid, d.key LIMIT ? OFFSET ?`,
      now,
      limit,
      after,
    )
    .map((row) => ({
      stream: row["stream"] as string,
      key: row["key"] as string,
      at: row["at"] as number,
    }));
}
