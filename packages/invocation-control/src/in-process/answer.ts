/**
 * What a call's end means, in the four words of the provider contract: a result is checked and copied, a thrown value
 * is read as the effect class says. Nothing of a stack or a cause is kept. Spec: INV-thrown-error, INV-result-checked.
 */
import { type Json, quoted, toJson } from "@swl/base";
import type { ProviderAnswer } from "../provider.js";
import { acceptedAs } from "../reading/answer-document.js";
import { brokenOff, stopReason, unreadable } from "../reading/ending.js";
import { keepable } from "../reading/text.js";
import { isActionFailure } from "./failure.js";

/** What the reading of a thrown value depends on. */
export interface CallEnd {
  readonly action: string;
  readonly effect: string;
  /** The binding declares `begins: "explicit"` and `begin` was not called: nothing can have happened. */
  readonly untouched: boolean;
  readonly signal: AbortSignal;
}

const failureCode = /^[a-z0-9][a-z0-9.-]{0,63}$/;
const maxOutcome = 64;

/** The answer for what a function returned. */
export function answerOfResult(result: unknown, end: CallEnd): ProviderAnswer {
  const json = toJson(result);
  if (!json.ok) {
    const first = json.findings[0]!;
    const more = json.findings.length > 1 ? ` (and ${json.findings.length - 1} more)` : "";
    const where = first.pointer === "" ? "" : ` at ${first.pointer}`;
    return brokenResult(`${first.message}${where}${more}`, end);
  }
  const value = json.value;
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    return brokenResult("it is no object with an outcome; ok(value) makes one of a plain value", end);
  }
  if (Object.hasOwn(value, "accepted"))
    return answerOfAccepted(value as { readonly [key: string]: Json }, end);
  const { outcome, output = null, ...rest } = value as { readonly [key: string]: Json };
  const [unread] = Object.keys(rest);
  if (unread !== undefined) {
    return brokenResult(`only outcome and output are read, and it has a member ${quoted(unread, 64)}`, end);
  }
  if (typeof outcome !== "string" || outcome === "" || outcome.length > maxOutcome) {
    return brokenResult(`outcome must be a string of 1 to ${maxOutcome} characters`, end);
  }
  return { kind: "completed", outcome, output };
}

function answerOfAccepted(
  { accepted, ...rest }: { readonly [key: string]: Json },
  end: CallEnd,
): ProviderAnswer {
  if (Object.keys(rest).length > 0) return brokenResult("accepted stands alone", end);
  const said = acceptedAs(accepted);
  return said.ok ? said.answer : brokenResult(said.why, end);
}

function brokenResult(why: string, end: CallEnd): ProviderAnswer {
  return unreadable(`the function of action ${end.action} returned no result: ${why}`, end.effect);
}

/** The answer for what a function threw. */
export function answerOfThrown(thrown: unknown, end: CallEnd): ProviderAnswer {
  const read = reader(thrown);
  if (branded(thrown)) return reported(read);
  const [name, code] = [read("name"), read("code")];
  const details: { [key: string]: Json } = {};
  if (typeof name === "string") details["name"] = keepable(name);
  if (typeof code === "string" || typeof code === "number") details["code"] = keepable(String(code));
  return brokenOff({
    // An action that had not begun has done nothing, whatever its class.
    effect: end.untouched ? "pure" : end.effect,
    reason: stopReason(end.signal),
    code: "provider.failed",
    message: `the function of action ${end.action} threw ${describe(thrown, read)}`,
    details,
  });
}

function reported(read: (key: string) => unknown): ProviderAnswer {
  const code = text(read("code"));
  const details = toJson(read("details"));
  const valid = failureCode.test(code);
  const notes = [
    ...(valid ? [] : [`code ${quoted(code, 80)} is against the grammar of codes`]),
    ...(details.ok ? [] : ["details were not JSON"]),
  ];
  const message = text(read("message"));
  return {
    kind: "failed",
    error: {
      code: valid ? code : "provider.failed",
      message: keepable(notes.length === 0 ? message : `${message} (${notes.join("; ")})`),
      details: details.ok ? details.value : null,
    },
    retryable: read("retryable") === true,
  };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function branded(thrown: unknown): boolean {
  try {
    return isActionFailure(thrown);
  } catch {
    return false;
  }
}

/** A look at a member of a stranger's value that never throws. */
function reader(value: unknown): (key: string) => unknown {
  return (key) => {
    try {
      return typeof value === "object" && value !== null
        ? (value as { readonly [key: string]: unknown })[key]
        : undefined;
    } catch {
      return undefined;
    }
  };
}

function describe(thrown: unknown, read: (key: string) => unknown): string {
  if (typeof thrown === "string") return `the text ${thrown}`;
  if (typeof thrown === "function") return "a function";
  if (typeof thrown !== "object" || thrown === null) return `the value ${String(thrown)}`;
  const [name, message] = [read("name"), read("message")];
  if (typeof message !== "string") return "a value that is no error";
  return typeof name === "string" ? `${name}: ${message}` : message;
}
