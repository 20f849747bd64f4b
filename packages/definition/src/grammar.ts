/**
 * Names, texts and ranges of the definition model, in one place, each with the words in which a finding says what is
 * expected. Spec: DEF-names, DEF-ranges.
 */

/** A text that keeps a pattern. */
export interface TextRule {
  readonly expected: string;
  readonly pattern: RegExp;
}

export interface Range {
  readonly min: number;
  readonly max: number;
}

export const idRule: TextRule = {
  expected: "an ID (a letter or _, then up to 63 letters, digits, _ or -)",
  pattern: /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/,
};

/** The outcome grammar, which reserved names keep too. */
export const outcomeRule: TextRule = {
  expected: "an outcome (a lower-case letter, then up to 63 lower-case letters, digits or -)",
  pattern: /^[a-z][a-z0-9-]{0,63}$/,
};

/** Route keys that no contract may declare as an outcome. */
export const reservedOutcomes: readonly string[] = ["failed", "exhausted"];

/** An outcome that a contract may declare. */
export const declaredOutcomeRule: TextRule = {
  expected: `${outcomeRule.expected} that is not reserved`,
  pattern: /^(?!(?:failed|exhausted)$)[a-z][a-z0-9-]{0,63}$/,
};

/** Outcomes of one action contract; routes of one await-signal node. */
export const maxOutcomes = 256;

/** Cases of one choice. */
export const maxCases = 256;

export const signalRule: TextRule = {
  expected: "a signal name (1 to 64 letters, digits, _, . or -)",
  pattern: /^[A-Za-z0-9_.-]{1,64}$/,
};

export const errorCodeRule: TextRule = {
  expected: "an error code (a lower-case letter or digit, then up to 63 of these, . or -)",
  pattern: /^[a-z0-9][a-z0-9.-]{0,63}$/,
};

export const versionRule: TextRule = { expected: "a text of 1 to 64 characters", pattern: /^[\s\S]{1,64}$/ };

export const pointerRule: TextRule = {
  expected: "a JSON Pointer",
  pattern: /^$|^\/(?:[^~]|~[01])*$/,
};

/** What stands where a JSON Schema is meant; whether it is one is a rule of its own. */
export const schemaExpected = "a JSON Schema (true, false or an object)";
export const limitExpected = "a limit: an integer from 1 to 10000000";

export function isId(text: string): boolean {
  return typeof text === "string" && idRule.pattern.test(text);
}

/** The outcome grammar, which reserved names keep too. */
export function isOutcomeName(text: string): boolean {
  return typeof text === "string" && outcomeRule.pattern.test(text);
}

const year = 365 * 24 * 60 * 60 * 1_000;

/** Hard caps: what a definition may ask for at most. */
export const ranges = {
  maxActivations: { min: 1, max: 10_000_000 },
  maxNodeVisits: { min: 1, max: 10_000_000 },
  maxInternalTransitions: { min: 1, max: 100_000 },
  maxBufferedSignals: { min: 1, max: 1_000 },
  loopLimit: { min: 1, max: 10_000_000 },
  maxAttempts: { min: 1, max: 1_000 },
  delayMs: { min: 0, max: year },
  timeoutMs: { min: 1, max: year },
  bytes: { min: 1, max: 1024 * 1024 * 1024 },
} as const satisfies { readonly [name: string]: Range };
