/**
 * The kinds of tokens. Each is one character: a file's kinds, written one after the other, are the text that the
 * grammar parses (src/grammar/dot.peggy). Punctuation of one character stands for itself.
 */

/** What a token is, in words or as it is written. */
export type DotTokenKind =
  | "name"
  | "string"
  | "number"
  | "malformed"
  | "html"
  | "strict"
  | "digraph"
  | "graph"
  | "subgraph"
  | "node"
  | "edge"
  | "->"
  | "--"
  | "{"
  | "}"
  | "["
  | "]"
  | "="
  | ";"
  | ","
  | ":"
  | "+"
  | "unknown";

const CHARACTERS: Readonly<Record<DotTokenKind, string>> = {
  name: "i",
  string: "s",
  number: "n",
  /** Begins as a number and goes on as a name: `3in`. */
  malformed: "m",
  html: "h",
  strict: "T",
  digraph: "D",
  graph: "G",
  subgraph: "U",
  node: "N",
  edge: "E",
  "->": ">",
  "--": "-",
  "{": "{",
  "}": "}",
  "[": "[",
  "]": "]",
  "=": "=",
  ";": ";",
  ",": ",",
  ":": ":",
  "+": "+",
  /** One character that no token begins with. */
  unknown: "?",
};

const entries = Object.entries(CHARACTERS) as [DotTokenKind, string][];

/** Character codes by kind. */
export const KIND = Object.fromEntries(
  entries.map(([kind, character]) => [kind, character.charCodeAt(0)]),
) as Readonly<Record<DotTokenKind, number>>;

const byCode = new Map(entries.map(([kind, character]) => [character.charCodeAt(0), kind]));

export function kindOfCode(code: number): DotTokenKind {
  return byCode.get(code) ?? "unknown";
}

/** Keywords in lower case; DOT takes them in any. */
export const KEYWORDS: ReadonlyMap<string, number> = new Map(
  (["strict", "digraph", "graph", "subgraph", "node", "edge"] as const).map((word) => [word, KIND[word]]),
);

/** True for what stands as a name or a value. */
export function isWord(code: number): boolean {
  return (
    code === KIND.name ||
    code === KIND.string ||
    code === KIND.number ||
    code === KIND.malformed ||
    code === KIND.html
  );
}
