/**
 * Numbers, policies and names as people say them. Texts that an author wrote are quoted and cut: a label can never pass
 * for a sentence of ours, nor steer a terminal.
 */
import { canonicalize, excerpt, quoted as inQuotes, type Json } from "@swl/base";
import type { Effect, RetryPolicy } from "../model.js";

/** Code units that are shown of a text, with the mark of a cut. */
const longest = 81;

/** In quotes, escaped, cut when it is long. */
export function quoted(text: string): string {
  return inQuotes(text, longest);
}

/** A value as canonical JSON, escaped, cut when it is long. */
export function shortJson(value: Json): string {
  return excerpt(canonicalize(value), longest);
}

/** `a`, `a and b`, `a, b and c`; beyond eight the rest is counted. */
export function list(items: readonly string[], joint = "and"): string {
  const shown = items.length <= 8 ? items : [...items.slice(0, 7), `${items.length - 7} more`];
  const last = shown[shown.length - 1];
  if (shown.length <= 1) return last ?? "nothing";
  return `${shown.slice(0, -1).join(", ")} ${joint} ${last}`;
}

/** `250 ms`, `1 s`, `60 s`, `5 min`, `3 h`: exact, in the largest unit of which there are two or that is whole. */
export function duration(ms: number): string {
  if (ms >= 7_200_000 && ms % 3_600_000 === 0) return `${ms / 3_600_000} h`;
  if (ms >= 120_000 && ms % 60_000 === 0) return `${ms / 60_000} min`;
  if (ms >= 1_000 && ms % 100 === 0) return `${ms / 1_000} s`;
  return `${ms} ms`;
}

export function times(count: number): string {
  return count === 1 ? "once" : count === 2 ? "twice" : `${count} times`;
}

/** With its first letter in upper case. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `up to 5 attempts, 1 s apart doubling up to 60 s`. */
export function retries(policy: RetryPolicy): string {
  const { maxAttempts, initialDelayMs, backoff, maxDelayMs, jitter } = policy;
  if (maxAttempts === 1) return "one attempt";
  const first = Math.min(initialDelayMs, maxDelayMs);
  const apart = first === 0 ? "one right after the other" : `${duration(first)} apart`;
  const growing = backoff === "exponential" && first > 0 && maxDelayMs > first;
  const doubling = growing ? ` doubling up to ${duration(maxDelayMs)}` : "";
  const random = jitter === "full" && first > 0 ? ", each delay shortened at random" : "";
  return `up to ${maxAttempts} attempts, ${apart}${doubling}${random}`;
}

/** What an unknown result means, as a clause after "an attempt whose result is unknown". */
export function unknownResult(effect: Effect, onExhausted: "park" | "fail" | undefined): string {
  switch (effect) {
    case "pure":
    case "read-only":
      return "is made again";
    case "idempotent": {
      const spent = onExhausted === "fail" ? "that is a failure" : "the run stands until somebody decides";
      return `is made again under the same key, and when none is left ${spent}`;
    }
    case "unsafe":
      return "is not made again: the run stands until somebody decides";
    case "reconcilable":
      return "is asked about, and while that is unknown too the run stands until somebody decides";
  }
}
