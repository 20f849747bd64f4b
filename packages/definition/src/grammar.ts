/**
 * Names and ranges of the definition model, in one place. Spec: DEF-names, DEF-ranges.
 */
import type { Range, TextRule } from "./shape.js";

const ID = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const OUTCOME = /^[a-z][a-z0-9-]{0,63}$/;

/** Route keys that no contract may declare as an outcome. */
export const reservedOutcomes: readonly string[] = ["failed", "exhausted"];

/** Outcomes of one action contract; routes of one await-signal node. */
export const maxOutcomes = 256;

export function isId(text: string): boolean {
  return ID.test(text);
}

/** The outcome grammar, which reserved names keep too. */
export function isOutcomeName(text: string): boolean {
  return OUTCOME.test(text);
}

export const idRule: TextRule = {
  code: "definition.id-grammar",
  expected: "an ID (a letter or _, then up to 63 letters, digits, _ or -)",
  test: isId,
};

export const outcomeRule: TextRule = {
  code: "definition.outcome-grammar",
  expected: "an outcome (a lower-case letter, then up to 63 lower-case letters, digits or -)",
  test: isOutcomeName,
};

export const signalRule: TextRule = {
  expected: "a signal name (1 to 64 letters, digits, _, . or -)",
  test: (text) => /^[A-Za-z0-9_.-]{1,64}$/.test(text),
};

export const errorCodeRule: TextRule = {
  expected: "an error code (a lower-case letter or digit, then up to 63 of these, . or -)",
  test: (text) => /^[a-z0-9][a-z0-9.-]{0,63}$/.test(text),
};

export const versionRule: TextRule = {
  expected: "a text of 1 to 64 characters",
  test: (text) => text.length >= 1 && text.length <= 64,
};

export const anyText: TextRule = { expected: "a text", test: () => true };

const year = 365 * 24 * 60 * 60 * 1_000;

/** Hard caps: what a definition may ask for at most. */
export const ranges = {
  maxActivations: { min: 1, max: 10_000_000 },
  maxNodeVisits: { min: 1, max: 10_000_000 },
  maxInternalTransitions: { min: 1, max: 100_000 },
  loopLimit: { min: 1, max: 10_000_000, code: "definition.loop-limit" },
  maxAttempts: { min: 1, max: 1_000 },
  delayMs: { min: 0, max: year },
  timeoutMs: { min: 1, max: year },
  bytes: { min: 1, max: 1024 * 1024 * 1024 },
} as const satisfies { readonly [name: string]: Range };
