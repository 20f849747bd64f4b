/**
 * The limits that reading and writing JSON share. Each is an option with this default where something is read; the
 * hard ceiling keeps recursion inside any JavaScript engine's stack. Spec: DEF-json-limits.
 */

/** Nesting accepted when a caller names no other: arrays and objects inside each other. */
export const defaultMaxDepth = 128;
/** The largest nesting that any part of this house reads, copies or prints. */
export const hardMaxDepth = 1_000;
/** Bytes (UTF-8 input) or UTF-16 code units (string input) of one document. */
export const defaultMaxBytes = 64 * 1024 * 1024;
/** Values of one document, counted with every repetition of a shared object. */
export const defaultMaxValues = 10_000_000;
/** Findings of one document; reading goes on no further after the last. */
export const maxReadFindings = 100;

/** A depth that a caller asked for, brought into the range 1..`hardMaxDepth`. */
export function depthLimit(asked: number | undefined): number {
  if (asked === undefined || Number.isNaN(asked)) return defaultMaxDepth;
  return Math.max(1, Math.min(hardMaxDepth, Math.floor(asked)));
}
