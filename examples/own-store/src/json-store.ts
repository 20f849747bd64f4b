/**
 * A store in one JSON file: for a few hundred runs in one process, on a machine where there is nothing else. Every
 * transaction reads the file and, when it writes, puts a new one in its place, synced to the disk: whatever happens, the
 * file is as it was before the transaction or as it is after it. It is the example of docs/guide/store-provider.md.
 */
import { open, readFile, rename } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import {
  assembleStore,
  type Codec,
  createDocuments,
  createTableCore,
  plainCodec,
  resolveLimits,
  type Store,
  type StoreLimits,
  sharedWakeHub,
  storeError,
  type Tables,
} from "@swl/store-provider";
import { emptyRows, type Rows, rowTables } from "./rows.ts";

export interface JsonStoreOptions {
  readonly file: string;
  /** For tests: milliseconds since the epoch. Default `Date.now`. */
  readonly clock?: () => number;
  readonly codec?: Codec;
  readonly limits?: Partial<StoreLimits>;
}

/** The handles of this process on one file take turns. */
const turns = new Map<string, Promise<unknown>>();

export function openJsonStore({ clock, codec = plainCodec, ...options }: JsonStoreOptions): Store {
  const file = resolve(options.file);
  const limits = resolveLimits(options.limits);
  const documents = createDocuments(codec, limits.documentBytes);

  async function run<T>(kind: "read" | "write", work: (tables: Tables) => Promise<T>): Promise<T> {
    const rows = await readRows(file);
    const value = await work(rowTables(rows, clock ?? Date.now));
    if (kind === "write") await writeRows(file, rows);
    return value;
  }

  function transact<T>(kind: "read" | "write", work: (tables: Tables) => Promise<T>): Promise<T> {
    const mine = (turns.get(file) ?? Promise.resolve()).then(() => run(kind, work));
    turns.set(
      file,
      mine.catch(() => {}),
    );
    return mine;
  }

  return assembleStore({
    info: {
      name: `json (${file})`,
      limits,
      capabilities: {
        durable: true,
        multiProcess: false,
        wakeUps: "process",
        clock: clock === undefined ? "store" : "injected",
        pooler: true,
      },
    },
    documents,
    hub: sharedWakeHub(file),
    core: { ...createTableCore({ documents, transact }), release() {} },
  });
}

async function readRows(file: string): Promise<Rows> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Rows;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === "ENOENT") return emptyRows();
    const kind = error instanceof SyntaxError ? "corrupt" : "unavailable";
    throw storeError(kind, `The file ${file} cannot be read.`, error);
  }
}

/** Renaming is the commit: after it nobody can say that nothing was written. */
async function writeRows(file: string, rows: Rows): Promise<void> {
  const next = `${file}.next`;
  try {
    await synced(next, JSON.stringify(rows));
  } catch (error) {
    throw storeError("unavailable", `The file ${next} cannot be written.`, error);
  }
  try {
    await rename(next, file);
    await synced(dirname(file));
  } catch (error) {
    throw storeError("unknown-commit", `Nobody knows whether ${file} was replaced.`, error);
  }
}

async function synced(path: string, text?: string): Promise<void> {
  const handle = await open(path, text === undefined ? "r" : "w");
  try {
    if (text !== undefined) await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
