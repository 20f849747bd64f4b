/**
 * The grammar's items as types, and reading them with recovery: after a syntax error reading goes on at the next `;`,
 * `}` or line, so that one run reports many errors. Items are handed on as they are read: a file's items are never all
 * in memory. Numbers are indexes of tokens.
 */
import type { Diagnostic } from "@swl/base";
import { parse } from "../generated/dot.js";
import type { LineIndex } from "./lines.js";
import { type Expectation, resumeAfter, syntaxFinding } from "./syntax-error.js";
import type { TokenList } from "./tokens.js";

/** What the grammar gives of a statement: where it and its parts begin. The rest is read off the tokens. */
export type Item = { readonly start: number } & (
  | {
      readonly type: "header";
      readonly strict: boolean;
      readonly directed: boolean;
      readonly named: boolean;
    }
  | { readonly type: "defaults"; readonly of: "G" | "N" | "E"; readonly attributes: readonly number[] }
  | { readonly type: "open"; readonly subgraph: boolean; readonly brace: boolean }
  | { readonly type: "close" }
  | { readonly type: "separator" }
  /** The name is the token at `start`. */
  | { readonly type: "assignment" }
  /** A node, or the edges from it; its ID is the token at `start`. A tail has none. */
  | {
      readonly type: "entry" | "tail";
      /** The `->` and `--`. */
      readonly links: readonly number[] | null;
      /** Their names. */
      readonly attributes: readonly number[] | null;
    }
);

/** Takes an item and the index after its last token. */
export type TakeItem = (item: Item, end: number) => void;

interface Stretch {
  readonly peg$result: readonly Item[];
  readonly peg$currPos: number;
  readonly peg$maxFailPos: number;
  readonly peg$maxFailExpected: readonly Expectation[];
}

/** Parses some items from a token on. Noting what could have come costs half the time, so it is asked for when wanted. */
function parseFrom(kinds: string, position: number, expectations: boolean): Stretch {
  const options = { peg$library: true, peg$currPos: position, peg$silentFails: expectations ? 0 : 1 };
  return parse(kinds, options) as unknown as Stretch;
}

/** After so many syntax errors the rest of the file is not read. */
export const MAX_SYNTAX_ERRORS = 50;

export interface Reading {
  readonly findings: readonly Diagnostic[];
  /** There were more errors than are listed. */
  readonly stopped: boolean;
  /** First tokens of the items that an error follows: what belongs to them may be unread. */
  readonly interrupted: readonly number[];
}

export function readItems(text: string, tokens: TokenList, lines: LineIndex, take: TakeItem): Reading {
  const kinds = tokens.kindText();
  const findings: Diagnostic[] = [];
  const interrupted: number[] = [];
  let position = 0;
  // Where the last item begins: what could have gone on there is part of what was expected at an error.
  let last = 0;
  let resumed = 0;
  while (position < kinds.length) {
    const { peg$result: items, peg$currPos: end } = parseFrom(kinds, position, false);
    for (let index = 0; index < items.length; index++) {
      const item = items[index] as Item;
      take(item, items[index + 1]?.start ?? end);
      last = item.start;
    }
    position = end;
    if (items.length > 0) continue;
    const { peg$maxFailPos, peg$maxFailExpected } = parseFrom(kinds, Math.max(last, resumed), true);
    const context = { text, tokens, from: last, at: peg$maxFailPos };
    findings.push(syntaxFinding(context, peg$maxFailExpected, lines));
    interrupted.push(last);
    if (findings.length === MAX_SYNTAX_ERRORS) return { findings, stopped: true, interrupted };
    position = Math.max(resumeAfter(context), position + 1);
    resumed = position;
  }
  return { findings, stopped: false, interrupted };
}
