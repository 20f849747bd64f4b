/**
 * The store of a simulation: memory, or a file that only this process has open. Every handle of a file is open before
 * the first event, since opening one takes real time; what it does then happens at once, as in memory.
 */
import { existsSync, rmSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryBacking, openMemoryStore } from "@swl/store-memory";
import type { Store } from "@swl/store-provider";
import { openSqliteStore } from "@swl/store-sqlite";

export interface Storage {
  /** A handle for one process; never to be closed. */
  open(): Store;
  dispose(): Promise<void>;
}

export async function storageOf(kind: "memory" | "sqlite", clock: () => number): Promise<Storage> {
  if (kind === "sqlite") return fileStorage(clock);
  const backing = createMemoryBacking();
  return { open: () => openMemoryStore({ backing, clock }), dispose: async () => undefined };
}

/** Handles of one file: processes that follow one another share one. */
const handles = 4;

/** Where files cost little: here processes die, and no machine. */
const place = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

let empty: Promise<string> | undefined;

async function emptyFile(): Promise<string> {
  const folder = await mkdtemp(join(place, "swl-simulation-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "empty.db");
  await (await openSqliteStore({ file })).close();
  return file;
}

async function fileStorage(clock: () => number): Promise<Storage> {
  empty ??= emptyFile();
  const folder = await mkdtemp(join(place, "swl-simulation-"));
  const file = join(folder, "runs.db");
  await copyFile(await empty, file);
  const stores: Store[] = [];
  for (let count = 0; count < handles; count++) stores.push(await openSqliteStore({ file, clock }));
  let next = 0;
  return {
    open: () => stores[next++ % handles]!,
    async dispose() {
      await Promise.all(stores.map((store) => store.close()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
