/**
 * Reads one SWL-DOT file: bytes to text, text to tokens, tokens to items, items to a tree, with every finding of the way. Bounded in
 * size, linear in time, never recursive; no input makes it throw. Spec: DOT-profile, DOT-encoding.
 */
import type { Diagnostic, Outcome } from "@swl/base";
import { decodeDot } from "./encoding.js";
import { failure } from "./finding.js";
import { readItems } from "./items.js";
import { scan } from "./lexical.js";
import { lineIndex } from "./lines.js";
import { StructureBuilder } from "./structure.js";
import { openStringHint } from "./syntax-error.js";
import type { DotDocument } from "./tree.js";

export interface ParseDotOptions {
  /** How findings name the file. */
  readonly file: string;
  /** Bytes, or UTF-16 code units of a string, that are read at most. Default 4 MiB. */
  readonly maxBytes?: number;
}

export const DEFAULT_MAX_DOT_BYTES = 4 * 1024 * 1024;

/** What could be read although something was wrong; only `document` without errors is a success. */
export interface PartialDot {
  readonly document: DotDocument | undefined;
  /** True when part of the text could not be read at all, so that what seems missing may just be unread. */
  readonly garbled: boolean;
  readonly findings: readonly Diagnostic[];
  /** First tokens of statements of which a part may be unread; there is a finding for each. */
  readonly unsure: ReadonlySet<number>;
}

const byPlace = (a: Diagnostic, b: Diagnostic): number =>
  (a.place?.line ?? 0) - (b.place?.line ?? 0) || (a.place?.column ?? 0) - (b.place?.column ?? 0);

/** A file in which everything is wrong is not worth a list of everything. */
const MAX_FINDINGS = 100;

/** `more` were counted and are not among them. */
function listed(findings: readonly Diagnostic[], more: number): readonly Diagnostic[] {
  const next = findings[MAX_FINDINGS];
  if (next === undefined) return findings;
  const left = findings.length - MAX_FINDINGS - 1 + more;
  const message = `${next.message} (and ${left} more findings in this file)`;
  return [...findings.slice(0, MAX_FINDINGS), { ...next, message }];
}

/** As `parseDot`, but keeps what could be read beside the findings: compiling looks for further mistakes in it. */
export function readDot(source: string | Uint8Array, options: ParseDotOptions): PartialDot {
  const { file, maxBytes = DEFAULT_MAX_DOT_BYTES } = options;
  const nothing = (findings: readonly Diagnostic[]): PartialDot => ({
    document: undefined,
    garbled: true,
    findings,
    unsure: new Set(),
  });
  if (source.length > maxBytes) {
    const message = `the file is larger than the ${maxBytes} bytes that are read at most`;
    return nothing([failure("dot.too-large", message, { file, line: 1, column: 1 })]);
  }
  const decoded = decodeDot(source, file);
  if (!decoded.ok) return nothing(decoded.findings);
  const text = decoded.value;
  const lines = lineIndex(file, text);
  const { tokens, comments, unterminated, loneReturn } = scan(text);
  if (tokens.length === 0 && unterminated === undefined) {
    const hint = 'the smallest workflow: digraph "name" { start = "done"; done [kind="complete"]; }';
    return nothing([failure("dot.empty", "the file holds no graph", lines.at(0), { hint })]);
  }
  const builder = new StructureBuilder(text, tokens, lines);
  const reading = readItems(text, tokens, lines, (item, end) => builder.take(item, end));
  const garbled = reading.findings.length > 0;
  const complete = !reading.stopped && unterminated === undefined;
  const structure = builder.finish({ garbled, complete });
  const findings = [...reading.findings, ...structure.findings];
  if (unterminated) {
    const { what, start } = unterminated;
    const { line, column } = lines.at(start);
    // That the text ends there is no news.
    const rest = findings.filter(({ place }) => place?.line !== line || place.column !== column);
    findings.splice(0, findings.length, ...rest);
    const hint = openStringHint({ text, tokens, at: tokens.length }, lines);
    const message = `the ${what} that begins here is never closed`;
    findings.push(failure("dot.syntax", message, lines.at(start), { hint }));
  }
  if (loneReturn !== undefined) {
    const message =
      "a carriage return alone does not end a comment everywhere: what follows may be read or not";
    const hint = "end lines with a line feed";
    findings.push(failure("dot.syntax", message, lines.at(loneReturn), { hint }));
  }
  const document = structure.name && {
    file,
    source: text,
    name: structure.name,
    statements: structure.statements,
    tokens,
    comments,
    body: structure.body,
    placeAt: (offset: number) => lines.at(offset),
  };
  return {
    document,
    garbled: garbled || !complete,
    findings: listed(findings.sort(byPlace), structure.more),
    unsure: new Set([...reading.interrupted, ...structure.unsure]),
  };
}

/**
 * The tree of one SWL-DOT file, or every reason why it is none: `dot.syntax`, `dot.encoding`, `dot.empty`,
 * `dot.too-large`, and a code of its own for each part of DOT that SWL-DOT leaves out.
 */
export function parseDot(source: string | Uint8Array, options: ParseDotOptions): Outcome<DotDocument> {
  const { document, findings } = readDot(source, options);
  return document && findings.length === 0
    ? { ok: true, value: document, findings }
    : { ok: false, findings };
}
