/**
 * Which store a command works on: `--store FILE`, else SWL_STORE, else `.swl/store.db` in the current folder. Only
 * commands that serve create one; for all others a missing file is an error, so that a typing mistake leaves nothing.
 */
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { SwlError } from "@swl/base";
import { type Control, createControl } from "@swl/durable-state";
import { core } from "@swl/execution";
import { type Store, storeError } from "@swl/store-provider";
import { openSqliteStore } from "@swl/store-sqlite";
import type { Session } from "./session.js";

export const defaultStore = ".swl/store.db";

export interface StoreOption {
  readonly store?: string;
}

/** The file as the user named it, and where that is. */
export function storeFile(
  { io }: Session,
  options: StoreOption,
): { readonly shown: string; readonly file: string } {
  const shown = options.store ?? (io.env["SWL_STORE"] || defaultStore);
  return { shown, file: resolve(io.cwd, shown) };
}

/** Throws `cli.store-missing` when there is none and `create` is not set. */
export async function openStore(
  session: Session,
  options: StoreOption,
  mode: { readonly create: boolean },
): Promise<Store> {
  const { shown, file } = storeFile(session, options);
  if (!existsSync(file)) {
    if (!mode.create) {
      throw new SwlError("cli.store-missing", `there is no store at ${shown}`, {
        hint: "name one with --store FILE or SWL_STORE; swl run and swl worker create it",
      });
    }
    await makeFolder(file, shown);
  }
  return await openSqliteStore({ file });
}

async function makeFolder(file: string, shown: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
  } catch (cause) {
    throw storeError("unavailable", `the folder of ${shown} is not there and cannot be made`, cause);
  }
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

/** A word that a shell reads back as one. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(text) ? text : JSON.stringify(text);
}
