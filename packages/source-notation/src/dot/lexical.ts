/**
 * Text to tokens, by hand: one pass that never goes back, no recursion. White space and comments are no tokens; comments
 * are kept aside for editors. Every character belongs to a token, a comment or white space, whatever the text is.
 * Spec: DOT-lexical.
 */
import { KEYWORDS, KIND } from "./kinds.js";
import { TokenList } from "./tokens.js";

export interface DotComment {
  /** With the characters that mark it as a comment, without the line end after it. */
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
  readonly tokens: TokenList;
  readonly comments: readonly DotComment[];
  readonly unterminated?: Unterminated;
  /** Offset of the first carriage return without a line feed that ends a comment, for us: other readers go on. */
  readonly loneReturn?: number;
}

const OTHER = 0;
const SPACE = 1;
const LETTER = 2;
const DIGIT = 3;
const SINGLE = 4;

/** What a character below U+0080 is; every other one is a letter. */
const CLASSES = new Uint8Array(128);
for (const character of " \t\r\n") CLASSES[character.charCodeAt(0)] = SPACE;
for (const character of "{}[]=;,:+") CLASSES[character.charCodeAt(0)] = SINGLE;
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  if (/[A-Za-z_]/.test(character)) CLASSES[code] = LETTER;
  if (/[0-9]/.test(character)) CLASSES[code] = DIGIT;
}

const QUOTE = 0x22;
const HASH = 0x23;
const STAR = 0x2a;
const MINUS = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const LESS = 0x3c;
const GREATER = 0x3e;
const BACKSLASH = 0x5c;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

function classOf(code: number): number {
  return code < 128 ? (CLASSES[code] ?? OTHER) : LETTER;
}

/** End of the letters and digits that go on at `at`. At the end of the text the code is NaN, which is neither. */
function nameEnd(text: string, at: number): number {
  let end = at;
  for (;;) {
    const code = text.charCodeAt(end);
    const kind = code < 128 ? CLASSES[code] : code >= 128 ? LETTER : OTHER;
    if (kind !== LETTER && kind !== DIGIT) return end;
    end += 1;
  }
}

/** Offset after the closing quote of the string that opens at `start`, or -1. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at += 1;
  }
  return -1;
}

function htmlEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === LESS) depth += 1;
    else if (code === GREATER) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

function lineEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED || code === CARRIAGE_RETURN) break;
    at += 1;
  }
  return at;
}

/** End of the comment that begins at `start`; 0 when none begins there, -1 when it is never closed. */
function commentEnd(text: string, start: number): number {
  if (text.charCodeAt(start) === HASH) {
    return start === 0 || text.charCodeAt(start - 1) === LINE_FEED ? lineEnd(text, start) : 0;
  }
  const second = text.charCodeAt(start + 1);
  if (second === SLASH) return lineEnd(text, start);
  if (second !== STAR) return 0;
  const close = text.indexOf("*/", start + 2);
  return close < 0 ? -1 : close + 2;
}

const isDigit = (code: number): boolean => code < 128 && CLASSES[code] === DIGIT;

/** End of the digits with one dot among them that begin at `start`, or `start` when no number begins there. */
function numberEnd(text: string, start: number): number {
  let at = text.charCodeAt(start) === MINUS ? start + 1 : start;
  const first = at;
  while (isDigit(text.charCodeAt(at))) at += 1;
  const whole = at > first;
  if (text.charCodeAt(at) !== DOT) return whole ? at : start;
  if (!whole && !isDigit(text.charCodeAt(at + 1))) return start;
  at += 1;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

/** End of what makes a number no number: `3in`, `1.2.3`. */
function malformedEnd(text: string, start: number): number {
  let at = start;
  for (;;) {
    const end = nameEnd(text, at);
    if (text.charCodeAt(end) !== DOT) return end;
    at = end + 1;
  }
}

/** The kind of a name: keywords have four to eight letters. */
function wordKind(text: string, start: number, end: number): number {
  const length = end - start;
  if (length < 4 || length > 8) return KIND.name;
  // The keywords begin with d, e, g, n or s; 0x20 makes a letter small.
  const first = text.charCodeAt(start) | 0x20;
  if (first !== 0x64 && first !== 0x65 && first !== 0x67 && first !== 0x6e && first !== 0x73)
    return KIND.name;
  return KEYWORDS.get(text.slice(start, end).toLowerCase()) ?? KIND.name;
}

class Lexer {
  readonly tokens: TokenList;
  readonly comments: DotComment[] = [];
  unterminated: Unterminated | undefined;
  loneReturn: number | undefined;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    this.tokens = new TokenList(text.length);
  }

  read(): void {
    const text = this.#text;
    const { tokens } = this;
    let at = 0;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      const kind = classOf(code);
      if (kind === SPACE) at += 1;
      else if (kind === LETTER) {
        const end = nameEnd(text, at + 1);
        tokens.push(wordKind(text, at, end), at, end);
        at = end;
      } else if (kind === SINGLE) {
        tokens.push(code, at, at + 1);
        at += 1;
      } else {
        const end = kind === DIGIT ? this.#number(at) : this.#other(at, code);
        if (end < 0) break;
        at = end;
      }
    }
    tokens.textEnd = at;
  }

  #number(start: number): number {
    const end = numberEnd(this.#text, start);
    const malformed = malformedEnd(this.#text, end);
    this.tokens.push(malformed > end ? KIND.malformed : KIND.number, start, malformed);
    return malformed;
  }

  /** Takes what begins with another character; -1 where something never ends. */
  #other(start: number, code: number): number {
    const text = this.#text;
    const second = text.charCodeAt(start + 1);
    if (code === QUOTE) return this.#enclosed(KIND.string, "string", start, stringEnd(text, start));
    // `a <- b` is a mistaken edge, not the beginning of an HTML string.
    if (code === LESS && second !== MINUS) {
      return this.#enclosed(KIND.html, "HTML string", start, htmlEnd(text, start));
    }
    if (code === SLASH || code === HASH) {
      const end = commentEnd(text, start);
      if (end !== 0) return this.#comment(start, end);
    }
    if (code === MINUS && (second === GREATER || second === MINUS)) {
      this.tokens.push(second === GREATER ? KIND["->"] : KIND["--"], start, start + 2);
      return start + 2;
    }
    if ((code === MINUS || code === DOT) && numberEnd(text, start) > start) return this.#number(start);
    this.tokens.push(KIND.unknown, start, start + 1);
    return start + 1;
  }

  #enclosed(kind: number, what: Unterminated["what"], start: number, end: number): number {
    if (end < 0) this.unterminated = { what, start };
    else this.tokens.push(kind, start, end);
    return end;
  }

  #comment(start: number, end: number): number {
    if (end < 0) {
      this.unterminated = { what: "comment", start };
      return end;
    }
    const text = this.#text;
    this.comments.push({ text: text.slice(start, end), start, end });
    if (text.charCodeAt(end) === CARRIAGE_RETURN && text.charCodeAt(end + 1) !== LINE_FEED) {
      if (text.charCodeAt(start + 1) !== STAR) this.loneReturn ??= end;
    }
    return end;
  }
}

export function scan(text: string): Scan {
  const lexer = new Lexer(text);
  lexer.read();
  const { tokens, comments, unterminated, loneReturn } = lexer;
  return { tokens, comments, ...(unterminated && { unterminated }), ...(loneReturn && { loneReturn }) };
}
