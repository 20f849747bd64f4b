/** A folder of its own for every test, and stores opened in it, all gone afterwards. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@swl/store-provider";
import { onTestFinished } from "vitest";
import { openSqliteStore, type SqliteStoreOptions } from "../src/index.js";

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "swl-sqlite-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function temporaryFile(name = "runs.db"): Promise<string> {
  return join(await temporaryFolder(), name);
}

export async function openForTest(options: SqliteStoreOptions): Promise<Store> {
  const store = await openSqliteStore(options);
  onTestFinished(() => store.close());
  return store;
}
