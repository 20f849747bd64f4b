/**
 * The limits a store declares in `info.limits`, with the defaults that our stores share, and the checks of plain
 * arguments. A bad argument is the caller's bug: it throws `store.incompatible` before anything is read or written.
 */
import type { StoreInfo } from "./contract.js";
import { storeError } from "./failure.js";

export type StoreLimits = StoreInfo["limits"];

/** 16 MiB a document, 256 items a batch, 256 records an item, one millisecond; nothing for an item's documents together. */
export const defaultLimits: StoreLimits = {
  documentBytes: 16_777_216,
  itemsPerBatch: 256,
  recordsPerItem: 256,
  timeGranularity: 1,
};

/** Milliseconds from now, at most: what a lease or a delay leads to must stay an exact number. */
export const longestSpan = 1e15;

/** A portion of pruning ends with the stream that brings its records to so many: no transaction grows with the logs. */
export const portionRecords = 10_000;

/** The defaults with some of them replaced; each one a whole number from 1. Throws `store.incompatible`. */
export function resolveLimits(some: Partial<StoreLimits> = {}): StoreLimits {
  const limits = { ...defaultLimits, ...some };
  for (const [name, value] of Object.entries(limits)) checkCount(name, value, Number.MAX_SAFE_INTEGER);
  return limits;
}

/** Under the `u` flag a proper pair is one character, so that only a lone half matches. */
const loneSurrogate = /\p{Surrogate}/u;

/** Why this is no ID (1..256 characters, no NUL, no lone surrogate); undefined when it is one. STO-ids. */
export function idFault(name: string, value: unknown, longest = 256): string | undefined {
  if (typeof value !== "string") return `${name} must be a string`;
  if (value.length < 1 || value.length > longest) return `${name} must have 1..${longest} characters`;
  if (value.includes("\0")) return `${name} must not contain NUL`;
  return loneSurrogate.test(value) ? `${name} must be well-formed Unicode` : undefined;
}

export function isWholeNumber(value: unknown, least = 0, most = Number.MAX_SAFE_INTEGER): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
}

export function checkId(name: string, value: unknown): void {
  const fault = idFault(name, value);
  if (fault !== undefined) throw storeError("incompatible", `The argument ${fault}.`);
}

export function checkIds(name: string, values: readonly unknown[]): void {
  for (const value of values) checkId(name, value);
}

/** A whole number from 1 to `most`: limits of lists, leases. */
export function checkCount(name: string, value: unknown, most = 1_000): void {
  if (!isWholeNumber(value, 1, most)) {
    throw storeError("incompatible", `The argument ${name} must be a whole number from 1 to ${most}.`);
  }
}

/** A whole number from 0: positions, instants, offsets. */
export function checkWhole(name: string, value: unknown, most = Number.MAX_SAFE_INTEGER): void {
  if (!isWholeNumber(value, 0, most)) {
    const range = most === Number.MAX_SAFE_INTEGER ? "from 0" : `from 0 to ${most}`;
    throw storeError("incompatible", `The argument ${name} must be a whole number ${range}.`);
  }
}

/** Total order of IDs by code point, which is the order of their UTF-8 bytes: every store lists in the same order. */
export function compareIds(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let index = 0; index < shorter; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) {
      // A surrogate stands for a code point above every other code unit.
      const leftHigh = left >= 0xd800 && left <= 0xdfff;
      const rightHigh = right >= 0xd800 && right <= 0xdfff;
      if (leftHigh !== rightHigh) return leftHigh ? 1 : -1;
      return left < right ? -1 : 1;
    }
  }
  return a.length - b.length;
}
