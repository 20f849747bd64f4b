/**
 * How a store says no. The kinds are a closed list; each says whether a retry can help and of what sort.
 * Spec: STO-failure-kinds.
 */
import { type Code, SwlError } from "@swl/base";

export const failureKinds = [
  "conflict",
  "stale",
  "closed",
  "held",
  "claimed",
  "lease-lost",
  "clock-ahead",
  "not-found",
  "quota",
  "unavailable",
  "unknown-commit",
  "incompatible",
  "corrupt",
  "unauthorized",
] as const;

export type FailureKind = (typeof failureKinds)[number];

/**
 * What can help after a failure: `never` (the same call fails again), `reload` (read the stream, decide anew),
 * `same` (send the very same call again, with the same commit IDs).
 */
export type Retry = "never" | "reload" | "same";

export const retryOf: { readonly [K in FailureKind]: Retry } = {
  conflict: "never",
  stale: "reload",
  closed: "never",
  held: "reload",
  claimed: "reload",
  "lease-lost": "reload",
  "clock-ahead": "reload",
  "not-found": "reload",
  quota: "never",
  unavailable: "same",
  "unknown-commit": "same",
  incompatible: "never",
  corrupt: "never",
  unauthorized: "never",
};

/** Why one item was refused. Nothing of the item was written. */
export interface StoreFailure {
  readonly kind: FailureKind;
  readonly message: string;
  readonly retry: Retry;
  /** The store's clock, with `clock-ahead`: milliseconds since the epoch. */
  readonly now?: number;
}

export function failure(kind: FailureKind, message: string, now?: number): StoreFailure {
  return { kind, message, retry: retryOf[kind], ...(now !== undefined && { now }) };
}

/**
 * A failure of a whole call (connection, disk, schema) is thrown as an SwlError `store.<kind>`.
 * `unavailable` promises that nothing was written; `unknown-commit` promises nothing: send the same call again.
 */
export function storeError(kind: FailureKind, message: string, cause?: unknown): SwlError {
  return new SwlError(`store.${kind}` satisfies Code, message, {
    details: { retry: retryOf[kind] },
    ...(cause !== undefined && { cause }),
  });
}
