/**
 * The one shape of a finding: what parse, compile, validate and transition return. Findings are values; every one
 * has a code of the closed list, a sentence, and where it is. Spec: CNF-finding-shape.
 */
import type { Code } from "./codes.js";
import { excerpt } from "./text.js";

/** A place in a source text. Lines and columns count from 1; columns count UTF-16 code units. */
export interface Place {
  /** As the caller named the file, `/` separated when it is inside a source folder. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export type Severity = "error" | "warning";

export interface Diagnostic {
  readonly code: Code;
  readonly severity: Severity;
  /** One sentence: what was found and what was expected. No stack, no secret. */
  readonly message: string;
  /** JSON Pointer (RFC 6901) into the data the finding is about; `""` is the whole. */
  readonly pointer: string;
  readonly place?: Place;
  /** The workflow node concerned. */
  readonly node?: string;
  /** What to do about it. */
  readonly hint?: string;
}

/** A value, or every reason why there is none. `findings` of a success holds warnings only. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly findings: readonly Diagnostic[] }
  | { readonly ok: false; readonly findings: readonly Diagnostic[] };

/** Appends one reference token to a JSON Pointer, escaped as RFC 6901 says. */
export function pointerTo(base: string, ...segments: readonly (string | number)[]): string {
  let pointer = base;
  for (const segment of segments) {
    const token = String(segment);
    const plain = !token.includes("~") && !token.includes("/");
    pointer += `/${plain ? token : token.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  }
  return pointer;
}

/** `file:line:column: severity code: message`, the form that editors and terminals make clickable; names in it steer nothing. */
export function formatDiagnostic(finding: Diagnostic): string {
  const where = finding.place
    ? `${excerpt(finding.place.file, Infinity)}:${finding.place.line}:${finding.place.column}: `
    : finding.pointer === ""
      ? ""
      : `${excerpt(finding.pointer, Infinity)}: `;
  const hint = finding.hint === undefined ? "" : `\n  hint: ${finding.hint}`;
  return `${where}${finding.severity} ${finding.code}: ${finding.message}${hint}`;
}
