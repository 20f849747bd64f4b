/**
 * From a path to a database that may be trusted: the file is looked at before anything is written to it, settings are
 * set and read back, and the tables are brought forward to this version. What is not ours is left as it is.
 * Spec: STO-version-gate, STO-durable-settings.
 */
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { storeError } from "@swl/store-provider";
import type { Database, Driver } from "./driver.js";
import { checkMarks, type FileMarks, hasLog, readMarks } from "./file-header.js";
import { type FileSystems, networkFileSystem } from "./file-system.js";
import { applicationId, migrations } from "./schema.js";
import { createWait, type Patience, rollBack } from "./session.js";

export interface OpenFile {
  readonly driver: Driver;
  /** Absolute. */
  readonly path: string;
  /** Milliseconds that SQLite itself waits for a lock, blocking. */
  readonly busyTimeout: number;
  readonly patience: Patience;
  /** Whether an older file may be brought forward. Default `auto`. */
  readonly migrate?: "auto" | "never";
  /** What to do about a network file system. Default `refuse`. */
  readonly network?: "refuse" | "allow";
  /** Default: this system's. */
  readonly fileSystems?: FileSystems;
}

export async function openFile(options: OpenFile): Promise<Database> {
  const { driver, path, busyTimeout, patience, migrate: mayMigrate = "auto" } = options;
  const check = (marks: FileMarks) => {
    const version = checkMarks(marks, path);
    if (mayMigrate === "never") checkVersion(version, path);
  };
  const hasFile = await hasContent(path);
  if (options.network !== "allow") await checkFileSystem(dirname(path), options.fileSystems);
  if (hasFile) {
    const marks = await readMarks(path);
    if (await hasLog(path)) {
      await withDatabase(driver, path, true, patience, (database) => check(marksOf(database)));
    } else check(marks);
  }
  return withDatabase(driver, path, false, patience, (database) => {
    configure(database, path, busyTimeout);
    check(marksOf(database));
    migrate(database, path);
    return database;
  });
}

/** A file in which nothing was made yet has no version that could be older. */
function checkVersion(version: number, path: string): void {
  if (version === 0 || version === migrations.length) return;
  throw storeError(
    "incompatible",
    `${path} has the older format ${version}; bring it to format ${migrations.length} with swl store migrate.`,
  );
}

/** Throws `store.incompatible` when a newer version has brought the file forward since it was opened. */
export function checkStillCurrent(database: Database, path: string): void {
  const version = numberOf(database, "PRAGMA user_version");
  if (version === migrations.length) return;
  throw storeError(
    "incompatible",
    `${path} was brought to format ${version} by another version while it was open; this one writes ${migrations.length}.`,
  );
}

async function checkFileSystem(folder: string, systems?: FileSystems): Promise<void> {
  const network = await networkFileSystem(folder, systems);
  if (network === undefined) return;
  throw storeError(
    "incompatible",
    `${folder} is on a network file system (${network}), on which SQLite's locks do not hold.`,
  );
}

/** Opens and works on it; closes a read-only one afterwards, and any that failed. */
async function withDatabase<T>(
  driver: Driver,
  path: string,
  readOnly: boolean,
  patience: Patience,
  work: (database: Database) => T,
): Promise<T> {
  return createWait(patience)(() => {
    const database = driver(path, { readOnly });
    let kept = false;
    try {
      const value = work(database);
      kept = !readOnly;
      return value;
    } finally {
      if (!kept) database.close();
    }
  });
}

/** False when the file is missing or empty and may be made. */
async function hasContent(path: string): Promise<boolean> {
  const found = await stat(path).catch(onlyMissing);
  if (found === undefined) {
    const folder = await stat(dirname(path)).catch(onlyMissing);
    if (folder === undefined) throw storeError("not-found", `The folder of ${path} does not exist.`);
    if (!folder.isDirectory()) throw storeError("not-found", `${dirname(path)} is not a folder.`);
    await checkAccess(dirname(path));
    return false;
  }
  if (!found.isFile()) throw storeError("incompatible", `${path} is not a file.`);
  await checkAccess(path);
  await checkAccess(dirname(path));
  return found.size > 0;
}

function onlyMissing(error: unknown): undefined {
  const code = (error as { readonly code?: unknown }).code;
  if (code === "ENOENT") return undefined;
  if (code === "ENOTDIR") throw storeError("not-found", "A part of the path is not a folder.", error);
  throw storeError("unauthorized", "The path cannot be looked at.", error);
}

async function checkAccess(path: string): Promise<void> {
  try {
    await access(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw storeError("unauthorized", `${path} cannot be read and written.`, error);
  }
}

function configure(database: Database, path: string, busyTimeout: number): void {
  const settings: readonly (readonly [string, string, string | number])[] = [
    ["busy_timeout", String(busyTimeout), busyTimeout],
    ["journal_mode", "WAL", "wal"],
    ["synchronous", "FULL", 2],
    ["fullfsync", "ON", 1],
    ["checkpoint_fullfsync", "ON", 1],
    ["wal_autocheckpoint", "1000", 1_000],
    ["trusted_schema", "OFF", 0],
    ["temp_store", "MEMORY", 2],
  ];
  for (const [name, value, expected] of settings) {
    database.all(`PRAGMA ${name} = ${value}`);
    const found = Object.values(database.get(`PRAGMA ${name}`) ?? {})[0];
    if (found !== expected) {
      throw storeError(
        "incompatible",
        `${path} cannot be kept durably: the setting ${name} is ${String(found)} instead of ${expected}.`,
      );
    }
  }
}

/** Under the write lock, so that of two processes only one does it. */
function migrate(database: Database, path: string): void {
  if (checkMarks(marksOf(database), path) === migrations.length) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    for (const step of migrations.slice(checkMarks(marksOf(database), path))) {
      for (const statement of step) database.exec(statement);
    }
    database.exec(`PRAGMA application_id = ${applicationId}`);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
    database.exec("COMMIT");
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** The same as `readMarks`, with what is in the log. */
function marksOf(database: Database): FileMarks {
  return {
    application: numberOf(database, "PRAGMA application_id"),
    version: numberOf(database, "PRAGMA user_version"),
    empty: numberOf(database, "SELECT count(*) FROM sqlite_schema") === 0,
  };
}

function numberOf(database: Database, sql: string): number {
  return Number(Object.values(database.get(sql) ?? {})[0]);
}
