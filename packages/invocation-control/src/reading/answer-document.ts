/**
 * The document in which something outside this process answers: one JSON object that says how the call ended. Read
 * strictly, and never converted or cut to fit. Spec: INV-answer-document.
 */
import { isJsonObject, type Json, type JsonObject, quoted } from "@swl/base";
import type { ErrorReport, ProviderAnswer } from "../provider.js";
import { type ForeignText, readForeign } from "./foreign.js";
import { keepable } from "./text.js";

/** What a document says, or why it says nothing. */
export type Said =
  | { readonly ok: true; readonly answer: Exclude<ProviderAnswer, { readonly kind: "unknown" }> }
  | { readonly ok: false; readonly why: string };

const failureCode = /^[a-z0-9][a-z0-9.-]{0,63}$/;
const maxOutcome = 64;
/** The longest handle that a host keeps. */
export const maxHandle = 1_024;

/** `{"outcome", "output"?}`, `{"error": {"code", "message"?, "details"?}, "retryable"?}` or `{"accepted": handle}`. */
export function readAnswer(text: ForeignText): Said {
  const read = readForeign(text);
  if (!read.ok) return read;
  return isJsonObject(read.value) ? saidBy(read.value) : { ok: false, why: "it is no object" };
}

function saidBy(value: JsonObject): Said {
  const { outcome, output = null, error, retryable = false, accepted, ...rest } = value;
  const [unread] = Object.keys(rest);
  if (unread !== undefined) return no(`it has a member ${quoted(unread, 64)} that nobody reads`);
  const words = [outcome, error, accepted].filter((word) => word !== undefined);
  if (words.length !== 1) return no("it says exactly one of outcome, error and accepted");
  if (value["output"] !== undefined && outcome === undefined) return no("output belongs to an outcome");
  if (value["retryable"] !== undefined && error === undefined) return no("retryable belongs to an error");
  if (outcome !== undefined) return outcomeOf(outcome, output);
  if (accepted !== undefined) return acceptedAs(accepted);
  if (typeof retryable !== "boolean") return no("retryable is true or false");
  const report = errorOf(error ?? null);
  if (report === undefined) return no("error is an object with a code, a message and details");
  return { ok: true, answer: { kind: "failed", error: report, retryable } };
}

function no(why: string): Said {
  return { ok: false, why };
}

function outcomeOf(outcome: Json, output: Json): Said {
  if (typeof outcome !== "string" || outcome === "" || outcome.length > maxOutcome) {
    return no(`outcome is a text of 1 to ${maxOutcome} characters`);
  }
  return { ok: true, answer: { kind: "completed", outcome, output } };
}

export function acceptedAs(handle: Json | undefined): Said {
  if (typeof handle !== "string" || handle === "" || handle.length > maxHandle) {
    return no(`the handle is a text of 1 to ${maxHandle} characters`);
  }
  return { ok: true, answer: { kind: "accepted", handle } };
}

/** A code against the grammar still counts as the word that nothing happened. */
export function errorOf(error: Json): ErrorReport | undefined {
  if (!isJsonObject(error)) return undefined;
  const { code, message = "", details = null, ...rest } = error;
  if (typeof code !== "string" || typeof message !== "string" || Object.keys(rest).length > 0)
    return undefined;
  const valid = failureCode.test(code);
  const said = message === "" ? `the action reported ${valid ? code : "a failure"}` : message;
  const note = valid ? said : `${said} (its code is against the grammar of codes)`;
  return { code: valid ? code : "provider.failed", message: keepable(note), details };
}
