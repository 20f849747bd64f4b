/**
 * What a word of somebody else's (a status of HTTP, an exit code) means, as a binding says it. Read from settings, and
 * turned into an answer. Spec: INV-child-answer, INV-call-status.
 */
import type { Settings, TextForm } from "../bindings/settings.js";

export type Meaning =
  | { readonly kind: "outcome"; readonly outcome: string }
  | { readonly kind: "failed"; readonly retryable: boolean; readonly code?: string }
  | { readonly kind: "accepted" }
  | { readonly kind: "unknown" };

const outcomeName: TextForm = { expected: "the name of an outcome", pattern: /^[a-z][a-z0-9-]{0,63}$/ };
const errorCode: TextForm = { expected: "an error code", pattern: /^[a-z0-9][a-z0-9.-]{0,63}$/ };

/** `{"outcome": name}`, `{"failed": "retryable" | "final", "code"?}`, `{"accepted": true}`, `{"unknown": true}`. */
export function readMeaning(settings: Settings): Meaning | undefined {
  const outcome = settings.text("outcome", outcomeName);
  const failed = settings.word("failed", ["retryable", "final"]);
  const code = settings.text("code", errorCode);
  const accepted = settings.flag("accepted", false);
  const unknown = settings.flag("unknown", false);
  const said = ["outcome", "failed", "accepted", "unknown"].filter((name) => settings.has(name));
  settings.done();
  if (said.length !== 1) {
    return settings.fault("expected exactly one of outcome, failed, accepted: true, unknown: true");
  }
  if (settings.has("code") && failed === undefined) settings.fault("code belongs to failed", "code");
  if (outcome !== undefined) return { kind: "outcome", outcome };
  if (failed !== undefined) {
    return { kind: "failed", retryable: failed === "retryable", ...(code !== undefined && { code }) };
  }
  if (accepted) return { kind: "accepted" };
  return unknown ? { kind: "unknown" } : undefined;
}

/** Meanings by a key of the given form. */
export function readMeanings(settings: Settings | undefined, key: TextForm): ReadonlyMap<string, Meaning> {
  const meanings = new Map<string, Meaning>();
  for (const name of settings?.names() ?? []) {
    const within = settings?.section(name);
    if (!key.pattern.test(name)) settings?.fault(`expected ${key.expected}`, name);
    const meaning = within && readMeaning(within);
    if (meaning !== undefined) meanings.set(name, meaning);
  }
  return meanings;
}
