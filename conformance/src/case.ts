/**
 * A conformance case: data about one input and what must become of it. `schema/case.schema.json` is its format;
 * `readCases` of `@swl/conformance/cases` reads and checks whole trees of them. Spec: CNF-case-format.
 */

export const areas = ["definition", "notation", "execution", "json"] as const;
export const phases = [
  "read",
  "validate",
  "compile",
  "print",
  "format",
  "edit",
  "prepare",
  "transition",
] as const;
export const verdicts = ["accept", "reject", "unspecified"] as const;
export const showings = ["acts", "must-not-act"] as const;

export type Area = (typeof areas)[number];
export type Phase = (typeof phases)[number];
export type Verdict = (typeof verdicts)[number];

/** What `case.json` says. */
export interface CaseMetadata {
  /** `<area>/<case>`, the folder's path. */
  readonly id: string;
  readonly title: string;
  readonly rules: readonly string[];
  /** Phases `prepare` and `transition` only. */
  readonly shows?: (typeof showings)[number];
  /** Parts and profiles without which the case does not apply. */
  readonly requires: readonly string[];
  readonly phase: Phase;
  readonly verdict: Verdict;
  /** Reject: sorted codes of all errors. */
  readonly codes?: readonly string[];
  /** Accept: sorted codes of all warnings; absent: not looked at. */
  readonly warnings?: readonly string[];
  readonly input: CaseInput;
  readonly options?: CaseOptions;
  /** File of the golden; of `edit` the folder. */
  readonly expect?: string;
}

export interface CaseInput {
  readonly file?: string;
  readonly folder?: string;
  /** Default `events.json`. */
  readonly events?: string;
  /** Phase `edit`; default `operations.json`. */
  readonly operations?: string;
}

export interface CaseOptions {
  readonly numbers?: "binary64" | "int53";
  readonly maxDepth?: number;
  readonly maxBytes?: number;
  /** Warnings count as errors. */
  readonly strict?: boolean;
}

/** A case with access to its files. */
export interface Case extends CaseMetadata {
  /** Absolute path of the case's folder. */
  readonly folder: string;
  /** A file of the folder, by its relative name. */
  read(file: string): Uint8Array;
}

export const ruleId = /^(DEF|DOT|EXE|INV|DUR|STO|ICH|DST|CNF)-[a-z0-9]+(-[a-z0-9]+)*$/;
export const caseId = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** The file with the operations of an edit. */
export function operationsFile(input: CaseInput): string {
  return input.operations ?? "operations.json";
}

/** What an edit may change of a source folder. */
export const editedFiles = ["workflow.dot", "settings.json"] as const;

/** The file with the events of a trace. */
export function eventsFile(input: CaseInput): string {
  return input.events ?? "events.json";
}
