/** From raw tokens, which are offsets, to the text they stand for. SWL-DOT's escape rule lives here. Spec: DOT-strings. */
import type { RawToken } from "./items.js";
import { stringEnd } from "./lexical.js";

/**
 * Inside quotes: `\"` is a quote, a backslash before a line end joins the lines, and any other backslash stands as
 * written together with the character after it (so `"\\"` is a whole string of two backslashes).
 */
function unescaped(inner: string): string {
  return inner.replace(/\\(\r\n|[\s\S])/g, (pair, next: string) => {
    if (next === '"') return '"';
    return /^[\r\n]/.test(next) ? "" : pair;
  });
}

/** `text` is the source with comments blanked, so that a comment between joined strings is not read as one. */
export function tokenText(text: string, token: RawToken): string {
  if (token.form !== "quoted") return text.slice(token.start, token.end);
  let joined = "";
  for (let start = token.start; start < token.end; ) {
    const end = stringEnd(text, start);
    joined += unescaped(text.slice(start + 1, end - 1));
    const next = text.indexOf('"', end);
    start = next < 0 ? token.end : next;
  }
  return joined;
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
  return text.replace(/\n+$/, "");
}
