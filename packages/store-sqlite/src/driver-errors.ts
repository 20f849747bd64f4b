/**
 * What the driver throws, classified into the contract's failure kinds. Only the result code counts, never a message.
 * Spec: STO-failure-kinds.
 */
import { type FailureKind, isSwlError, type SwlError, storeError } from "@swl/store-provider";

export interface Classified {
  readonly kind: FailureKind;
  /** Another connection holds the lock: worth a wait. */
  readonly busy: boolean;
  /** What went wrong, for people. */
  readonly says: string;
}

type Entry = readonly [kind: FailureKind, says: string, busy?: true];

/** By SQLite's primary result code. */
const primary: ReadonlyMap<number, Entry> = new Map([
  [1, ["incompatible", "its tables are not those of this version"]],
  [3, ["unauthorized", "access was denied"]],
  [4, ["unavailable", "the operation was broken off"]],
  [5, ["unavailable", "another process holds its lock", true]],
  [6, ["unavailable", "a table is locked", true]],
  [7, ["unavailable", "memory ran out"]],
  [8, ["unauthorized", "it cannot be written"]],
  [9, ["unavailable", "the operation was interrupted"]],
  [10, ["unavailable", "the disk reported an error"]],
  [11, ["corrupt", "the file is damaged"]],
  [13, ["unavailable", "the disk is full"]],
  [14, ["unavailable", "the file cannot be opened"]],
  [15, ["unavailable", "its lock could not be had", true]],
  [17, ["incompatible", "its tables were changed meanwhile"]],
  [18, ["quota", "a value is longer than SQLite takes"]],
  [19, ["corrupt", "its rows contradict each other"]],
  [20, ["incompatible", "a value has a type that its table does not take"]],
  [21, ["incompatible", "the driver was used wrongly"]],
  [22, ["incompatible", "the file system cannot hold so large a file"]],
  [23, ["unauthorized", "access was denied"]],
  [24, ["corrupt", "the file is damaged"]],
  [25, ["incompatible", "a statement has a parameter too many"]],
  [26, ["corrupt", "the file is not an SQLite database"]],
]);

/** By extended result code, where it says something else than its primary one. */
const extended: ReadonlyMap<number, Entry> = new Map([
  // SQLITE_READONLY_RECOVERY, _CANTLOCK, _CANTINIT: another process is at work on the log
  [264, ["unavailable", "its log is being recovered", true]],
  [520, ["unavailable", "its log cannot be locked", true]],
  // SQLITE_READONLY_DBMOVED
  [1032, ["unavailable", "the file was moved or deleted while it was open"]],
]);

/** Undefined when it is no error of the driver. */
export function classify(error: unknown): Classified | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  if (code === "ERR_INVALID_STATE") {
    return { kind: "unavailable", busy: false, says: "the database is not open" };
  }
  if (code !== "ERR_SQLITE_ERROR" || typeof errcode !== "number") return undefined;
  const entry = extended.get(errcode) ?? primary.get(errcode & 0xff);
  if (entry === undefined) {
    return { kind: "unavailable", busy: false, says: `SQLite reported the result code ${errcode}` };
  }
  const [kind, says, busy] = entry;
  return { kind, busy: busy === true, says };
}

/** Any thrown value as the coded error that a caller of the store gets. */
export function toStoreError(name: string, error: unknown): SwlError {
  if (isSwlError(error)) return error;
  const classified = classify(error);
  if (classified === undefined) {
    return storeError("incompatible", `The store ${name} failed in an unforeseen way.`, error);
  }
  return storeError(classified.kind, `The store ${name} cannot go on: ${classified.says}.`, error);
}
