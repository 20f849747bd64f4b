/** What is in the file, counted. */
import type { StoreStats } from "@swl/store-provider";
import type { Database } from "./driver.js";

export function stats(database: Database, now: number): StoreStats {
  const number = (sql: string, ...values: readonly number[]) =>
    Number(Object.values(database.get(sql, ...values) ?? {})[0]);
  const count = (table: string) => number(`SELECT count(*) FROM ${table}`);
  const held = number("SELECT count(*) FROM streams WHERE closed = 0 AND hold IS NOT NULL");
  const closed = number("SELECT count(*) FROM streams WHERE closed_at IS NOT NULL");
  const claimed = number("SELECT count(*) FROM work WHERE holder IS NOT NULL");
  return {
    format: number("PRAGMA user_version"),
    streams: { open: count("streams") - held - closed, held, closed },
    records: count("log"),
    slots: count("slots"),
    dues: count("dues"),
    work: { waiting: count("work") - claimed, claimed },
    receipts: count("receipts"),
    notes: count("notes"),
    blobs: count("blobs"),
    holders: number("SELECT count(*) FROM holders WHERE until > ?", now),
    bytes: number("PRAGMA page_count") * number("PRAGMA page_size"),
  };
}
