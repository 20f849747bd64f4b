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
  createTurns,
  plainCodec,
  resolveLimits,
  type Store,
  type StoreLimits,
  sharedWakeHub,
  storeError,
  type Tables,
  type Turns,
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
const turns = new Map<string, Turns>();

export function openJsonStore({ clock, codec = plainCodec, ...options }: JsonStoreOptions): Store {
  const file = resolve(options.file);
  const limits = resolveLimits(options.limits);
  const documents = createDocuments(codec, limits.documentBytes);
  const inTurn = turns.get(file) ?? createTurns();
  turns.set(file, inTurn);

  const transact = <T>(kind: "read" | "write", work: (tables: Tables) => Promise<T>) =>
    inTurn(async () => {
      const rows = await readRows(file);
      const value = await work(rowTables(rows, clock ?? Date.now));
      if (kind === "write") await writeRows(file, rows);
      return value;
    });
  const capabilities = { durable: true, multiProcess: false, wakeUps: "process", pooler: true } as const;
  return assembleStore({
    info: {
      name: `json (${file})`,
      limits,
      capabilities: { ...capabilities, clock: clock === undefined ? "store" : "injected" },
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
