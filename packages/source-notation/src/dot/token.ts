/** From tokens, which are offsets, to the text they stand for. SWL-DOT's escape rule lives here. Spec: DOT-strings. */
import { KIND } from "./kinds.js";
import type { TokenList } from "./tokens.js";

/**
 * Inside quotes: `\"` is a quote, a backslash before a line end joins the lines, and any other backslash stands as
 * written together with the character after it (so `"\\"` is a whole string of two backslashes). A line end is a line
 * feed, however the file writes it.
 */
function unescaped(inner: string): string {
  const text = inner.includes("\r\n") ? inner.replaceAll("\r\n", "\n") : inner;
  if (!text.includes("\\")) return text;
  return text.replace(/\\([\s\S])/g, (pair, next: string) => {
    if (next === '"') return '"';
    return next === "\n" ? "" : pair;
  });
}

/** Index after the last token of the name that begins at `first`: strings joined by `+` are one. */
export function wordEnd(tokens: TokenList, first: number): number {
  let end = first + 1;
  if (tokens.code(first) !== KIND.string) return end;
  while (tokens.code(end) === KIND["+"] && tokens.code(end + 1) === KIND.string) end += 2;
  return end;
}

/** So many characters at the end of a name tell it from others well enough. */
const HASHED = 12;
const MAX_SLOTS = 1 << 17;

/**
 * Gives the text of names. Most names of a graph stand there several times: of those one string is made, not many. What
 * was given last is remembered in as many slots as the file may need, by a hash of its characters.
 */
export class WordTexts {
  readonly #source: string;
  readonly #tokens: TokenList;
  readonly #recent: (string | undefined)[];
  readonly #mask: number;

  constructor(source: string, tokens: TokenList) {
    this.#source = source;
    this.#tokens = tokens;
    let slots = 64;
    while (slots < tokens.length >> 3 && slots < MAX_SLOTS) slots *= 2;
    this.#recent = new Array(slots);
    this.#mask = slots - 1;
  }

  /** The text of the name that begins at a token, decoded. */
  of(first: number): string {
    const tokens = this.#tokens;
    const start = tokens.start(first);
    const end = tokens.end(first);
    if (tokens.code(first) !== KIND.string) return this.#slice(start, end);
    let text = unescaped(this.#slice(start + 1, end - 1));
    const last = wordEnd(tokens, first);
    for (let next = first + 2; next < last; next += 2) {
      text += unescaped(this.#source.slice(tokens.start(next) + 1, tokens.end(next) - 1));
    }
    return text;
  }

  #slice(start: number, end: number): string {
    const source = this.#source;
    const length = end - start;
    let hash = length;
    for (let at = Math.max(start, end - HASHED); at < end; at++) {
      hash = (Math.imul(hash, 31) + source.charCodeAt(at)) | 0;
    }
    const slot = (hash ^ (hash >>> 15)) & this.#mask;
    const recent = this.#recent[slot];
    if (recent !== undefined && recent.length === length && source.startsWith(recent, start)) return recent;
    const text = source.slice(start, end);
    this.#recent[slot] = text;
    return text;
  }
}

/** A text without those of some characters that it ends in; a pattern would begin anew at each of them. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/**
 * A label as people read it: Graphviz's line breaks (`\n`, `\l`, `\r`) become line feeds, `\N` the node's and `\G` the
 * graph's name, `\\` a backslash.
 */
export function labelText(label: string, names: { readonly node?: string; readonly graph: string }): string {
  const text = label.replace(/\\([\s\S])/g, (_pair, next: string) => {
    if (next === "n" || next === "l" || next === "r") return "\n";
    if (next === "N") return names.node ?? "";
    return next === "G" ? names.graph : next;
  });
  return withoutEnd(text, "\n");
}
