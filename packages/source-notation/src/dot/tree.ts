/**
 * The tree that `parseDot` gives: what stands in the file, in order, each token with its offsets. Shape without
 * meaning: whether `kind` names a kind is asked later (src/dot/graph.ts). Spec: DOT-places.
 */
import type { Place } from "@swl/base";
import type { DotComment } from "./lexical.js";

export type { DotComment } from "./lexical.js";

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

export type DotStatement = DotAssignment | DotDefaults | DotNode | DotEdge;

/** `name = value;` in the body of the graph. */
export interface DotAssignment {
  readonly type: "assignment";
  readonly name: DotToken;
  readonly value: DotToken;
}

/** `graph [...]`, `node [...]` or `edge [...]`. */
export interface DotDefaults {
  readonly type: "defaults";
  readonly of: "graph" | "node" | "edge";
  readonly attributes: readonly DotAttribute[];
}

export interface DotNode {
  readonly type: "node";
  readonly id: DotToken;
  readonly attributes: readonly DotAttribute[];
}

/** `a -> b -> c [...]`: the attributes stand for each edge of the chain. */
export interface DotEdge {
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
  readonly comments: readonly DotComment[];
  placeAt(offset: number): Place;
}
