/**
 * The tree that `parseDot` gives: what stands in the file, in order, each name with its offsets, each statement with its
 * range in the list of all tokens. Lossless: tokens, comments and the white space between them are the source. Shape
 * without meaning: whether `kind` names a kind is asked later (src/dot/graph.ts). Spec: DOT-places.
 */
import type { Place } from "@swl/base";
import type { DotComment } from "./lexical.js";
import type { DotTokens } from "./tokens.js";

export type { DotTokenKind } from "./kinds.js";
export type { DotComment } from "./lexical.js";
export type { DotTokens } from "./tokens.js";

/** A name or a value: one token of the file, or several strings joined by `+`. */
export interface DotToken {
  /** Decoded: quotes, concatenation, `\"` and line continuations are gone; other backslashes stand as written. */
  readonly text: string;
  readonly form: "bare" | "quoted" | "numeral";
  readonly start: number;
  readonly end: number;
}

export interface DotAttribute {
  readonly name: DotToken;
  readonly value: DotToken;
}

/** A part of the list of tokens. */
export interface DotTokenRange {
  /** Index of the first token. */
  readonly first: number;
  /** Index after the last one. Of a statement: without the `;` that may follow. */
  readonly end: number;
}

export type DotStatement = DotAssignment | DotDefaults | DotNode | DotEdge;

/** `name = value;` in the body of the graph. */
export interface DotAssignment extends DotTokenRange {
  readonly type: "assignment";
  readonly name: DotToken;
  readonly value: DotToken;
}

/** `graph [...]`, `node [...]` or `edge [...]`. */
export interface DotDefaults extends DotTokenRange {
  readonly type: "defaults";
  readonly of: "graph" | "node" | "edge";
  readonly attributes: readonly DotAttribute[];
}

export interface DotNode extends DotTokenRange {
  readonly type: "node";
  readonly id: DotToken;
  readonly attributes: readonly DotAttribute[];
}

/** `a -> b -> c [...]`: the attributes stand for each edge of the chain. */
export interface DotEdge extends DotTokenRange {
  readonly type: "edge";
  /** At least two. */
  readonly ids: readonly DotToken[];
  readonly attributes: readonly DotAttribute[];
}

export interface DotDocument {
  readonly file: string;
  /** The text as it was read, without a byte order mark. Offsets count its UTF-16 code units. */
  readonly source: string;
  readonly name: DotToken;
  readonly statements: readonly DotStatement[];
  readonly tokens: DotTokens;
  readonly comments: readonly DotComment[];
  /** What stands between the braces: `tokens.kind(body.first - 1)` is `{`, `tokens.kind(body.end)` is `}`. */
  readonly body: DotTokenRange;
  placeAt(offset: number): Place;
}
