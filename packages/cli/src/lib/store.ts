/**
 * Which store a command works on: `--store`, else SWL_STORE, else `.swl/store.db` in the current folder: a SQLite file,
 * or the address of a PostgreSQL server. Commands that serve, and those that bring a definition with them (`publish PATH`,
 * `start PATH`), create one; for all others, and for `--dry-run`, a missing or empty one is an error, so that a typing
 * mistake leaves nothing.
 */
import { statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type Code, isSwlError, SwlError } from "@swl/base";
import { type Control, createControl } from "@swl/durable-state";
import { core } from "@swl/execution";
import { type Store, storeError } from "@swl/store-provider";
import { openSqliteStore } from "@swl/store-sqlite";
import { checkFileName } from "./arguments.js";
import { checkCertificates, type PostgresAddress, postgresAddress } from "./postgres-address.js";
import { codeOf, isMissing, reasonOf } from "./reason.js";
import type { Session } from "./session.js";
import { shellWord } from "./visible.js";

export const defaultStore = ".swl/store.db";

export interface StoreOption {
  readonly store?: string;
}

/** Where the store is, and how that may be shown: never with a password. */
export type StorePlace =
  | { readonly kind: "file"; readonly shown: string; readonly file: string }
  | PostgresAddress;

/** Throws `cli.usage` for what names no store. */
export function storePlace({ io }: Session, options: StoreOption): StorePlace {
  checkFileName("--store", options.store);
  const given = options.store ?? (io.env["SWL_STORE"] || defaultStore);
  const address = postgresAddress(given);
  return address ?? { kind: "file", shown: given, file: resolve(io.cwd, given) };
}

/** Throws `cli.store-missing` when there is none and `create` is not set. */
export async function openStore(
  session: Session,
  options: StoreOption,
  mode: { readonly create: boolean },
): Promise<Store> {
  const place = storePlace(session, options);
  return place.kind === "file" ? openFile(place, mode.create) : openServer(place, mode.create);
}

async function openFile(
  { shown, file }: { readonly shown: string; readonly file: string },
  create: boolean,
): Promise<Store> {
  const bytes = sizeOf(file);
  if (bytes === undefined || (bytes === 0 && !create)) {
    if (!create) throw missing(`there is no store at ${shown}`);
    await makeFolder(file, shown);
  }
  try {
    return await openSqliteStore({ file });
  } catch (cause) {
    const closed: Code = "store.unauthorized";
    if (!isSwlError(cause) || cause.code !== closed) throw cause;
    const hint = "swl needs to write there, also to look: SQLite keeps its log and its locks beside the file";
    throw new SwlError(closed, cause.message, {
      ...(cause.details && { details: cause.details }),
      hint,
      cause,
    });
  }
}

async function openServer(address: PostgresAddress, create: boolean): Promise<Store> {
  const { shown, url, options } = address;
  checkCertificates(address);
  // The driver is loaded where there is a server, and nowhere else.
  const { openPostgresStore } = await import("@swl/store-postgres");
  try {
    return await openPostgresStore({ url, create, ...options });
  } catch (cause) {
    const nothing: Code = "store.not-found";
    if (!isSwlError(cause) || cause.code !== nothing) throw cause;
    if (codeOf(cause.cause) === noDatabase) throw databaseMissing(shown, cause);
    if (create) throw cause;
    const schema = options.schema ?? "swl";
    throw missing(
      `there is no store at ${shown}: the database has no schema ${schema}`,
      "name another",
      cause,
    );
  }
}

/** PostgreSQL's `invalid_catalog_name`. */
const noDatabase = "3D000";

function databaseMissing(shown: string, cause: unknown): SwlError {
  const name = new URL(shown).pathname.slice(1);
  return new SwlError("cli.store-missing", `there is no store at ${shown}: the database does not exist`, {
    hint: `name another, or make it with PostgreSQL's own tool: createdb --encoding UTF8 ${shellWord(name)}`,
    cause,
  });
}

function missing(message: string, other = "name one", cause?: unknown): SwlError {
  return new SwlError("cli.store-missing", message, {
    hint: `${other} with --store or SWL_STORE; swl publish PATH, swl start PATH, swl run, swl worker and swl serve create it`,
    cause,
  });
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
  mode: { readonly create: boolean } = { create: false },
): Promise<T> {
  const store = await openStore(session, options, mode);
  try {
    return await work(createControl({ store, models: [core] }), store);
  } catch (cause) {
    throw unfound(cause, session, options);
  } finally {
    await store.close();
  }
}

/** What is not in this store may be in another one: which was looked at is told, and how to see what it has. */
function unfound(cause: unknown, session: Session, options: StoreOption): unknown {
  if (!isSwlError(cause) || cause.hint !== undefined) return cause;
  const { shown } = storePlace(session, options);
  const looked = `${shown} was looked at`;
  const hint = {
    "run.not-found": `${looked}; its runs: swl list${storeArgument(options)}; another store: --store, or SWL_STORE`,
    "name.not-found": `${looked}; swl publish PATH gives a definition a name`,
  }[cause.code as string];
  return hint === undefined ? cause : new SwlError(cause.code, cause.message, { hint, cause });
}

/**
 * The option as it must be typed again in a suggested command: empty when the default finds the same store. A password
 * is left out; whoever gave one knows it.
 */
export function storeArgument({ store }: StoreOption): string {
  return store === undefined ? "" : ` --store ${shellWord(postgresAddress(store)?.shown ?? store)}`;
}
