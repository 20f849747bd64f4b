/**
 * Which store a command works on: `--store FILE`, else SWL_STORE, else `.swl/store.db` in the current folder. Only
 * commands that serve create one; for all others a missing or empty file is an error, so that a typing mistake leaves
 * nothing.
 */
import { statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { SwlError } from "@swl/base";
import { type Control, createControl } from "@swl/durable-state";
import { core } from "@swl/execution";
import { type Store, storeError } from "@swl/store-provider";
import { openSqliteStore } from "@swl/store-sqlite";
import { checkFileName } from "./arguments.js";
import { codeOf, isMissing, reasonOf } from "./reason.js";
import type { Session } from "./session.js";
import { shellWord } from "./visible.js";

export const defaultStore = ".swl/store.db";

export interface StoreOption {
  readonly store?: string;
}

/** The file as the user named it, and where that is. */
export function storeFile(
  { io }: Session,
  options: StoreOption,
): { readonly shown: string; readonly file: string } {
  checkFileName("--store", options.store);
  const shown = options.store ?? (io.env["SWL_STORE"] || defaultStore);
  // Two letters at least: `C:` is a drive.
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(shown)) {
    throw new SwlError("cli.usage", `--store names a file: swl opens SQLite files, not ${shown}`, {
      hint: "a host of your own opens other stores, PostgreSQL with @swl/store-postgres",
    });
  }
  return { shown, file: resolve(io.cwd, shown) };
}

/** Throws `cli.store-missing` when there is none and `create` is not set. */
export async function openStore(
  session: Session,
  options: StoreOption,
  mode: { readonly create: boolean },
): Promise<Store> {
  const { shown, file } = storeFile(session, options);
  const bytes = sizeOf(file);
  if (bytes === undefined || (bytes === 0 && !mode.create)) {
    if (!mode.create) {
      throw new SwlError("cli.store-missing", `there is no store at ${shown}`, {
        hint: "name one with --store FILE or SWL_STORE; swl run and swl worker create it",
      });
    }
    await makeFolder(file, shown);
  }
  return await openSqliteStore({ file });
}

/** Undefined when nothing is there; what else may be wrong is for the store to say. */
function sizeOf(file: string): number | undefined {
  try {
    const found = statSync(file);
    return found.isFile() ? found.size : Number.NaN;
  } catch (error) {
    return isMissing(error) ? undefined : Number.NaN;
  }
}

/** The one folder that is missing, and no more: a store at the end of a path of new folders is a typing mistake. */
async function makeFolder(file: string, shown: string): Promise<void> {
  try {
    await mkdir(dirname(file));
  } catch (cause) {
    if (codeOf(cause) === "EEXIST" && isFolder(dirname(file))) return;
    const why = isMissing(cause) ? "the folder that it would be in is not there" : reasonOf(cause);
    throw storeError("unavailable", `the folder of ${shown} is not there and cannot be made: ${why}`, cause);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Runs something with the control plane of the store, and closes the store whatever happens. */
export async function withControl<T>(
  session: Session,
  options: StoreOption,
  work: (control: Control, store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStore(session, options, { create: false });
  try {
    return await work(createControl({ store, models: [core] }), store);
  } finally {
    await store.close();
  }
}

/** The option as it must be typed again in a suggested command: empty when the default finds the same store. */
export function storeArgument(options: StoreOption): string {
  return options.store === undefined ? "" : ` --store ${shellWord(options.store)}`;
}
