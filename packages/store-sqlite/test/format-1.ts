/** A file as version 1 of the format had it, with an open, a held and a closed stream in it. */
import { DatabaseSync } from "node:sqlite";
import type { Item } from "@swl/store-provider";
import { openSqliteStore, type SqliteStoreOptions } from "../src/index.js";

export async function asFormat1(file: string, options: Partial<SqliteStoreOptions>): Promise<void> {
  const store = await openSqliteStore({ ...options, file });
  const item = (stream: string, expect: number, more: Partial<Item>): Item => ({
    stream,
    commit: `c${expect}`,
    expect,
    records: [{ kind: "event", document: { expect } }],
    stamp: 0,
    ...more,
  });
  const blobs = [{ digest: "b", document: "blob" }];
  const receipts = [{ scope: "start", request: "k", digest: "d" }];
  await store.append([
    item("open", 0, { applies: true, slots: [{ key: "s", document: 1 }], receipts }),
    item("held", 0, { hold: "quarantine", blobs }),
    item("closed", 0, { facets: { status: "done" } }),
  ]);
  await store.append([item("open", 1, { dues: [{ key: "d", at: 1 }] }), item("closed", 1, { close: true })]);
  await store.note("closed", "e", 1);
  await store.close();
  backToFormat1(file);
}

/** What later versions brought is taken away again. */
export function backToFormat1(file: string): void {
  const database = new DatabaseSync(file);
  for (const step of [
    "DROP TABLE pins",
    "DROP INDEX receipts_stream",
    "DROP INDEX streams_closed",
    "ALTER TABLE streams DROP COLUMN closed_at",
    "PRAGMA user_version = 1",
  ]) {
    database.exec(step);
  }
  database.close();
}
