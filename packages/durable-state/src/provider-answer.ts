/**
 * A provider's answer as far as a host may trust it. A provider that answers with none of the four words, or with one
 * that is not well formed, has broken its contract: where the action may be repeated that is a final failure, else
 * nobody can say what happened. No message keeps frames of a stack. Spec: INV-four-answers, INV-nothing-leaks.
 */
import { toJson } from "@swl/base";
import {
  type CancelAnswer,
  type ErrorReport,
  type InspectAnswer,
  keepable,
  type ProviderAnswer,
} from "@swl/invocation-control";

const reasons: ReadonlySet<unknown> = new Set(["crash", "attempt-timeout", "ack-lost"]);

export function checkedAnswer(answer: unknown, effect: string): ProviderAnswer {
  return wellFormed(answer) ?? broken(effect);
}

/** Only the members of its kind are taken over. */
function wellFormed(answer: unknown): ProviderAnswer | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const given = answer as { readonly [member: string]: unknown };
  switch (given["kind"]) {
    case "completed": {
      const { outcome } = given;
      const output = toJson(given["output"] ?? null);
      return isText(outcome) && output.ok ? { kind: "completed", outcome, output: output.value } : undefined;
    }
    case "accepted":
      return isHandle(given["handle"]) ? { kind: "accepted", handle: given["handle"] } : undefined;
    case "failed": {
      const error = errorReport(given["error"]);
      return error === undefined
        ? undefined
        : { kind: "failed", error, retryable: given["retryable"] === true };
    }
    case "unknown": {
      const { reason, message } = given;
      if (!reasons.has(reason)) return undefined;
      const known = reason as "crash" | "attempt-timeout" | "ack-lost";
      return { kind: "unknown", reason: known, ...(isText(message) && { message: keepable(message) }) };
    }
    default:
      return undefined;
  }
}

/** DUR-accepted: a handle that no state can keep is none. */
function isHandle(value: unknown): value is string {
  return isText(value) && value !== "" && value.length <= 1_024;
}

/** A word that is none of the contract's: the provider was asked, and nobody can tell. */
export function checkedInspection(answer: unknown): InspectAnswer {
  const given = (typeof answer === "object" ? answer : null) as { readonly [member: string]: unknown } | null;
  switch (given?.["kind"]) {
    case "running":
    case "not-found":
    case "unavailable":
      return { kind: given["kind"] };
    case "completed": {
      const known = wellFormed(given);
      return known?.kind === "completed" ? known : { kind: "unknown" };
    }
    case "failed": {
      const error = errorReport(given["error"]);
      return error === undefined ? { kind: "unknown" } : { kind: "failed", error };
    }
    default:
      return { kind: "unknown" };
  }
}

export function checkedCancel(answer: unknown): CancelAnswer {
  const kind = typeof answer === "object" ? (answer as { readonly kind?: unknown } | null)?.kind : undefined;
  return kind === "acknowledged" || kind === "unavailable" ? { kind } : { kind: "unsupported" };
}

/** Half of a surrogate pair is no text that JSON can hold. */
function isText(value: unknown): value is string {
  return typeof value === "string" && !/\p{Surrogate}/u.test(value);
}

function errorReport(error: unknown): ErrorReport | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { code, message, details } = error as { readonly [member: string]: unknown };
  const kept = toJson(details ?? null);
  if (!isText(code) || !isText(message) || !kept.ok) return undefined;
  return { code, message: keepable(message), details: kept.value };
}

function broken(effect: string): ProviderAnswer {
  const message = "The provider's answer is none that the contract allows.";
  if (effect === "pure" || effect === "read-only" || effect === "idempotent") {
    return {
      kind: "failed",
      retryable: false,
      error: { code: "provider.result-invalid", message, details: null },
    };
  }
  return { kind: "unknown", reason: "ack-lost", message };
}
