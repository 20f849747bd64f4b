/**
 * The grammar's items as types, and reading them with recovery: after a syntax error reading goes on at the next `;`,
 * `}` or line, so that one run reports many errors. The generated parser runs once a stretch, so reading stays linear.
 */
import type { Diagnostic } from "@swl/base";
import { parse } from "../generated/dot.js";
import type { LineIndex } from "./lines.js";
import { type Expectation, resumeAfter, syntaxFinding } from "./syntax-error.js";

export interface RawToken {
  readonly form: "bare" | "quoted" | "numeral" | "malformed" | "html";
  readonly start: number;
  readonly end: number;
}

export interface RawAttribute {
  readonly name: RawToken;
  readonly value: RawToken;
}

export interface RawEnd {
  readonly id: RawToken;
  /** Offset of the `:`. */
  readonly port: number | null;
}

export interface RawLink {
  readonly operator: { readonly text: "->" | "--"; readonly start: number };
  /** Null where a group follows. */
  readonly target: RawEnd | null;
}

export type Item = { readonly start: number } & (
  | {
      readonly type: "header";
      readonly strict: boolean;
      readonly kind: "digraph" | "graph";
      readonly id: RawToken | null;
    }
  | {
      readonly type: "defaults";
      readonly of: "graph" | "node" | "edge";
      readonly attributes: readonly RawAttribute[];
    }
  | {
      readonly type: "open";
      readonly subgraph: boolean;
      readonly id: RawToken | null;
      readonly brace: boolean;
    }
  | { readonly type: "close" }
  | { readonly type: "separator" }
  | { readonly type: "assignment"; readonly name: RawToken; readonly value: RawToken }
  | {
      readonly type: "entry";
      readonly first: RawEnd;
      readonly links: readonly RawLink[];
      readonly attributes: readonly RawAttribute[];
    }
  | {
      readonly type: "tail";
      readonly links: readonly RawLink[];
      readonly attributes: readonly RawAttribute[];
    }
);

interface Stretch {
  readonly peg$result: readonly Item[];
  readonly peg$currPos: number;
  readonly peg$maxFailPos: number;
  readonly peg$maxFailExpected: readonly Expectation[];
}

/** After so many syntax errors the rest of the file is not read. */
export const MAX_SYNTAX_ERRORS = 50;

export function readItems(
  text: string,
  lines: LineIndex,
): { items: Item[]; findings: Diagnostic[]; stopped: boolean } {
  const items: Item[] = [];
  const findings: Diagnostic[] = [];
  let position = 0;
  while (position < text.length) {
    const stretch = parse(text, { peg$library: true, peg$currPos: position }) as unknown as Stretch;
    for (const item of stretch.peg$result) items.push(item);
    if (stretch.peg$currPos >= text.length) break;
    const context = { text, from: items.at(-1)?.start ?? 0, at: stretch.peg$maxFailPos };
    findings.push(syntaxFinding(context, stretch.peg$maxFailExpected, lines));
    if (findings.length === MAX_SYNTAX_ERRORS) return { items, findings, stopped: true };
    position = Math.max(resumeAfter(context), position + 1);
  }
  return { items, findings, stopped: false };
}
