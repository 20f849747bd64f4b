/**
 * How the end of a call is read by effect class, the same for every provider: work whose result cannot be read was
 * done; a call that broke off is a report of failure only where the action may be repeated.
 * Spec: INV-thrown-error, INV-result-checked.
 */
import type { Json } from "@swl/base";
import type { ProviderAnswer } from "../provider.js";
import { keepable } from "./text.js";

const repeatable: ReadonlySet<string> = new Set(["pure", "read-only", "idempotent"]);

/** True for the effect classes whose action may be called again whatever became of the call before. */
export function mayRepeat(effect: string): boolean {
  return repeatable.has(effect);
}

/** The work was done and says nothing that can be read: only what may be repeated can be called failed. */
export function unreadable(message: string, effect: string): ProviderAnswer {
  const kept = keepable(message);
  if (!mayRepeat(effect)) return { kind: "unknown", reason: "ack-lost", message: kept };
  return failed("provider.result-invalid", kept, false);
}

export interface BrokenCall {
  readonly effect: string;
  readonly reason: "crash" | "attempt-timeout" | "ack-lost";
  readonly code: string;
  readonly message: string;
  readonly details?: Json;
}

/** The call broke off somewhere in its middle. */
export function brokenOff({ effect, reason, code, message, details = null }: BrokenCall): ProviderAnswer {
  if (!mayRepeat(effect)) return { kind: "unknown", reason, message: keepable(message) };
  return failed(code, message, true, details);
}

/** The provider's word that nothing happened. */
export function failed(
  code: string,
  message: string,
  retryable: boolean,
  details: Json = null,
): ProviderAnswer {
  return { kind: "failed", error: { code, message: keepable(message), details }, retryable };
}

/** A host that stops an attempt at its time limit aborts with a `TimeoutError`, as `AbortSignal.timeout` does. */
export function stopReason(signal: AbortSignal): "crash" | "attempt-timeout" {
  try {
    const { name } = (signal.reason ?? {}) as { readonly name?: unknown };
    return signal.aborted && name === "TimeoutError" ? "attempt-timeout" : "crash";
  } catch {
    return "crash";
  }
}
