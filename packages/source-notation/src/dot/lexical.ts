/**
 * What a grammar is bad at: comments, and HTML strings with their nested brackets. Both are blanked, offset by offset,
 * so that the grammar sees white space and flat `<   >` tokens; comments are kept aside for editors. One linear pass,
 * no recursion. Spec: DOT-lexical.
 */

export interface DotComment {
  /** With the characters that mark it as a comment. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Something that begins and never ends; nothing after its beginning can be read. */
export interface Unterminated {
  readonly what: "string" | "comment" | "HTML string";
  readonly start: number;
}

export interface Scan {
  /** As long as the source, or cut where something is unterminated. */
  readonly text: string;
  readonly comments: readonly DotComment[];
  readonly unterminated?: Unterminated;
}

const blank = (text: string): string => text.replace(/[^\r\n]/g, " ");

/** Offset after the closing quote of the string that opens at `start`, or -1. */
export function stringEnd(text: string, start: number): number {
  const stop = /["\\]/g;
  stop.lastIndex = start + 1;
  for (let found = stop.exec(text); found; found = stop.exec(text)) {
    if (found[0] === '"') return stop.lastIndex;
    stop.lastIndex += 1;
  }
  return -1;
}

function htmlEnd(text: string, start: number): number {
  const bracket = /[<>]/g;
  bracket.lastIndex = start;
  let depth = 0;
  for (let found = bracket.exec(text); found; found = bracket.exec(text)) {
    depth += found[0] === "<" ? 1 : -1;
    if (depth === 0) return bracket.lastIndex;
  }
  return -1;
}

function lineEnd(text: string, start: number): number {
  const end = /[\r\n]/g;
  end.lastIndex = start;
  return end.exec(text)?.index ?? text.length;
}

/** End of the comment that begins at `start`; undefined when none begins there, -1 when it is never closed. */
function commentEnd(source: string, start: number): number | undefined {
  if (source[start] === "#") {
    return start === 0 || /[\r\n]/.test(source.charAt(start - 1)) ? lineEnd(source, start) : undefined;
  }
  if (source[start + 1] === "/") return lineEnd(source, start);
  if (source[start + 1] !== "*") return undefined;
  const close = source.indexOf("*/", start + 2);
  return close < 0 ? -1 : close + 2;
}

export function scan(source: string): Scan {
  const comments: DotComment[] = [];
  const pieces: string[] = [];
  let copied = 0;
  const replace = (start: number, end: number): void => {
    pieces.push(source.slice(copied, start), blank(source.slice(start, end)));
    copied = end;
  };
  const cut = (what: Unterminated["what"], start: number): Scan => {
    pieces.push(source.slice(copied, start));
    return { text: pieces.join(""), comments, unterminated: { what, start } };
  };
  const special = /["/#<]/g;
  for (let found = special.exec(source); found; found = special.exec(source)) {
    const start = found.index;
    if (found[0] === '"') {
      const end = stringEnd(source, start);
      if (end < 0) return cut("string", start);
      special.lastIndex = end;
    } else if (found[0] === "<") {
      // `a <- b` is a mistaken edge, not the beginning of an HTML string.
      if (source[start + 1] === "-") continue;
      const end = htmlEnd(source, start);
      if (end < 0) return cut("HTML string", start);
      replace(start + 1, end - 1);
      special.lastIndex = end;
    } else {
      const end = commentEnd(source, start);
      if (end === undefined) continue;
      if (end < 0) return cut("comment", start);
      comments.push({ text: source.slice(start, end), start, end });
      replace(start, end);
      special.lastIndex = end;
    }
  }
  pieces.push(source.slice(copied));
  return { text: pieces.join(""), comments };
}
