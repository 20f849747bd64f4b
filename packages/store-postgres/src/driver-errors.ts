/**
 * What the driver throws, classified into the contract's failure kinds: the one place that reads it. PostgreSQL's
 * five-character codes count, never a message (it may be in any language). Spec: STO-failure-kinds, STO-unknown-commit.
 */
import { type FailureKind, isSwlError, type SwlError, storeError } from "@swl/store-provider";
import { changedMeanwhile, wrongSession } from "./sqlstates.js";

/**
 * What the store does about it before the caller hears of it. `again`: the server rolled back because of somebody
 * else's transaction, the same statement may go through. `reload`: what was decided upon is not so any more.
 */
export type Remedy = "again" | "reload";

export interface Classified {
  readonly kind: FailureKind;
  /** What went wrong, for people. */
  readonly says: string;
  readonly remedy?: Remedy;
  /** The connection is gone: whether a statement that had been sent was committed is not known. */
  readonly lost: boolean;
}

type Entry = readonly [kind: FailureKind, says: string, more?: Remedy | "lost"];

/** By the whole code. */
const codes: ReadonlyMap<string, Entry> = new Map([
  [changedMeanwhile, ["unavailable", "others kept changing what it read", "reload"]],
  [
    wrongSession,
    ["incompatible", "its schema was brought forward, or its transactions are not read committed"],
  ],
  ["23503", ["unavailable", "others kept removing what it refers to", "reload"]],
  ["23505", ["unavailable", "others kept writing at the same place", "reload"]],
  ["40001", ["unavailable", "other transactions kept getting in its way", "again"]],
  ["40P01", ["unavailable", "other transactions kept getting in its way", "again"]],
  ["40003", ["unavailable", "the server does not know whether the statement completed", "lost"]],
  ["55P03", ["unavailable", "a lock could not be had", "again"]],
  ["22001", ["quota", "a value is too long for its column"]],
  ["22021", ["incompatible", "a text has characters that the database does not take"]],
  ["22P05", ["incompatible", "a text has characters that the database does not take"]],
  ["25006", ["unauthorized", "the server takes no writes"]],
  ["3D000", ["not-found", "the database does not exist"]],
  ["42501", ["unauthorized", "the role may not do what a store needs"]],
  ["53100", ["unavailable", "the server's disk is full"]],
  ["53200", ["unavailable", "the server ran out of memory"]],
  ["53300", ["unavailable", "the server takes no more connections"]],
  ["57014", ["unavailable", "the server broke the statement off"]],
  ["57P03", ["unavailable", "the server is starting or stopping"]],
  ["58030", ["unavailable", "the server's disk reported an error"]],
  ["XX001", ["corrupt", "the server found damaged data"]],
  ["XX002", ["corrupt", "the server found a damaged index"]],
]);

/** By the class, the first two characters. */
const classes: ReadonlyMap<string, Entry> = new Map([
  ["08", ["unavailable", "the connection was lost", "lost"]],
  ["0A", ["incompatible", "the server does not know what the store needs"]],
  ["22", ["incompatible", "a value has a type or range that its column does not take"]],
  ["23", ["corrupt", "its rows contradict each other"]],
  ["25", ["unavailable", "the transaction was in a state that the store does not expect"]],
  ["28", ["unauthorized", "the server did not let the role in"]],
  ["3F", ["incompatible", "the schema is not there"]],
  ["42", ["incompatible", "its tables are not those of this version"]],
  ["53", ["unavailable", "the server's means are exhausted"]],
  ["54", ["quota", "a value is larger than the server takes"]],
  ["57", ["unavailable", "the server ended the connection", "lost"]],
  ["58", ["unavailable", "the server's system reported an error"]],
  ["XX", ["unavailable", "the server reported a fault of its own"]],
]);

const network: Entry = ["unavailable", "the server cannot be reached", "lost"];

/** Undefined when it comes neither from the server nor from the connection to it. */
export function classify(error: unknown): Classified | undefined {
  const entry = entryOf(error);
  if (entry === undefined) return undefined;
  const [kind, says, more] = entry;
  return {
    kind,
    says,
    lost: more === "lost",
    ...(more !== undefined && more !== "lost" && { remedy: more }),
  };
}

function entryOf(error: unknown): Entry | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = (error as { readonly code?: unknown }).code;
  if (typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && "severity" in error) {
    return codes.get(code) ?? classes.get(code.slice(0, 2)) ?? ["unavailable", `the server said ${code}`];
  }
  // Codes of the system (ECONNRESET), of TLS, and the driver's own plain errors: all about the connection.
  return typeof code === "string" || error.name === "Error" ? network : undefined;
}

/** Any thrown value as the coded error that a caller of the store gets. `sent`: a write had been handed to the server. */
export function toStoreError(name: string, error: unknown, sent: boolean): SwlError {
  if (isSwlError(error)) return error;
  const classified = classify(error);
  if (classified === undefined) {
    return storeError("incompatible", `The store ${name} failed in an unforeseen way.`, error);
  }
  if (sent && classified.lost) {
    return storeError("unknown-commit", `The store ${name} did not say whether it committed.`, error);
  }
  return storeError(classified.kind, `The store ${name} cannot go on: ${classified.says}.`, error);
}
