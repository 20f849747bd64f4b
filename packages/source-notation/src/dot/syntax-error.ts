/**
 * Syntax errors in words, and where to go on after one. The parser says where it stood and which tokens could have
 * come; this says `expected "->" or "[" after node "build", found ">"`.
 */
import { type Diagnostic, own } from "@swl/base";
import { renderAttributes, semanticAttributes } from "./attributes.js";
import { failure, quote } from "./finding.js";
import { isWord, KEYWORDS, KIND } from "./kinds.js";
import type { LineIndex } from "./lines.js";
import type { TokenList } from "./tokens.js";

/** One of the parser's expectations, as the generated code gives it. */
export interface Expectation {
  readonly type: string;
  readonly text?: string;
  readonly description?: string;
}

/** Numbers are indexes of tokens. */
export interface ErrorContext {
  readonly text: string;
  readonly tokens: TokenList;
  /** The first token of the last statement that could be read. */
  readonly from: number;
  /** The token that nothing could be read at. */
  readonly at: number;
}

interface Word {
  readonly text: string;
  readonly role: "node" | "attribute" | "value" | "graph name" | "mark";
}

/** As many characters of a token as a message may show. */
const SHOWN = 200;

/** A token as it is written, empty behind the last one. */
function written({ text, tokens }: ErrorContext, index: number): string {
  const start = tokens.start(index);
  return text.slice(start, Math.min(tokens.end(index), start + SHOWN));
}

function roleOf(code: number, before: number, inList: boolean): Word["role"] {
  if (!isWord(code) || code === KIND.html) return "mark";
  if (before === KIND["="]) return "value";
  if (inList) return "attribute";
  return before === KIND.digraph || before === KIND.graph ? "graph name" : "node";
}

/** The last token before the error with its role, and whether it stands in an attribute list. */
function lookBack(context: ErrorContext): { last: Word | undefined; inList: boolean } {
  const { tokens, from, at } = context;
  let inList = false;
  for (let index = from; index < at; index++) {
    const code = tokens.code(index);
    if (code === KIND["["]) inList = true;
    else if (code === KIND["]"]) inList = false;
  }
  if (at <= from) return { last: undefined, inList };
  let first = at - 1;
  while (tokens.code(first - 1) === KIND["+"] && first - 2 >= from) first -= 2;
  const role = roleOf(tokens.code(at - 1), first > from ? tokens.code(first - 1) : 0, inList);
  return { last: { text: written(context, at - 1).replace(/^"|"$/g, ""), role }, inList };
}

/** A name that can be written as it is: after an odd number of quotes all sorts of text look like one. */
function isPlain(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(text);
}

function describe(word: Word): string {
  return word.role === "mark" ? quote(word.text) : `${word.role} ${quote(word.text)}`;
}

const IN_ORDER = [
  '"digraph"',
  "a graph name",
  '"->"',
  '"["',
  "a node ID",
  "a port",
  "an attribute name",
  "a value",
  '"="',
  '"]"',
  '"{"',
  "a statement",
  '"}"',
];

function wordsOf(expected: readonly Expectation[]): ReadonlySet<string> {
  return new Set(
    expected.map(({ type, text, description = "" }) => (type === "literal" ? `"${text}"` : description)),
  );
}

/** Which of the possible tokens the message names: those an author may have meant, not all that DOT allows. */
function expectedWords(all: ReadonlySet<string>, last: Word | undefined): readonly string[] {
  if (last === undefined) return ['"digraph"'];
  if (all.has('"->"') && all.has('"["') && last.role === "node") return ['"->"', '"["'];
  if (all.has("a statement"))
    return [...(last.role === "mark" && /^[;{}]$/.test(last.text) ? [] : ['";"']), "a statement", '"}"'];
  return IN_ORDER.filter((word) => all.has(word));
}

function oneOf(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

const KEYWORD_CODES: ReadonlySet<number> = new Set(KEYWORDS.values());

/** A keyword where a name belongs, or as the beginning of a statement that is no statement of defaults. */
function keywordHint({ tokens, text, at }: ErrorContext, all: ReadonlySet<string>): string | undefined {
  const isName = ["a node ID", "a graph name", "an attribute name", "a value"].some((word) => all.has(word));
  const keyword = isName && KEYWORD_CODES.has(tokens.code(at)) ? at : all.has('"["') ? at - 1 : -1;
  if (!KEYWORD_CODES.has(tokens.code(keyword))) return undefined;
  const word = quote(text.slice(tokens.start(keyword), tokens.end(keyword)));
  return `${word} is a keyword; what is called so stands in quotes: ${word}`;
}

/** A value goes on where it must not: `50%`, `#ff0000`, `http://x`, `1,2`. */
function valueHint({ tokens, text, at }: ErrorContext): string | undefined {
  const isComma = tokens.code(at - 2) === KIND[","] && tokens.end(at - 3) === tokens.start(at - 2);
  const isPair = isComma && /^[-.0-9]/.test(text.slice(tokens.start(at - 1), tokens.end(at - 1)));
  const equals = [at - 1, at - 2, at - 4].find((index) => tokens.code(index) === KIND["="]);
  if (equals === undefined || (equals === at - 4) !== isPair) return undefined;
  if (!isPair && (tokens.start(at) !== tokens.end(at - 1) || isWord(tokens.code(at)))) return undefined;
  const start = tokens.start(equals + 1);
  const [value = ""] = /^[^\s"\];]+/.exec(text.slice(start, start + SHOWN)) ?? [];
  return isPlain(value) || value === "" ? undefined : `a value like this one must be quoted: ${quote(value)}`;
}

/** A string that ends in another line right before the error is likely to lack its quote. */
export function openStringHint(
  { tokens, text, at }: Omit<ErrorContext, "from">,
  lines: LineIndex,
): string | undefined {
  for (const index of [at - 2, at - 1, at]) {
    const start = tokens.start(index);
    if (tokens.code(index) !== KIND.string || !/[\r\n]/.test(text.slice(start, tokens.end(index)))) continue;
    return `the string that begins in line ${lines.at(start).line} ends in another line; is a quote missing there?`;
  }
  return undefined;
}

function hintFor(
  found: string,
  context: ErrorContext,
  last: Word | undefined,
  inList: boolean,
): string | undefined {
  const start = context.tokens.start(context.at);
  const rest = context.text.slice(start, start + 80);
  if (found === "-" && last && last.role !== "mark") {
    const whole = `${last.text}${/^[-\w]+/.exec(rest)?.[0] ?? ""}`;
    return `a name with "-" must be quoted: ${quote(whole)}`;
  }
  if (found === "'") return "strings stand in double quotes";
  if (/[\u2018-\u201f\u00ab\u00bb]/.test(found + (last?.text ?? ""))) return 'quotes are straight: "..."';
  if (found === ">" || rest.startsWith("=>")) return 'an edge is written "a -> b"';
  const value = inList || last?.role === "value" || last?.text === "=" ? valueHint(context) : undefined;
  if (value !== undefined) return value;
  if (found === "#")
    return 'a comment with "#" begins in the first column of its line; "//" begins one anywhere';
  if (rest.startsWith("<-")) return 'edges point forwards: write "b -> a"';
  if (found === ":" && inList) {
    const known = { ...renderAttributes, ...semanticAttributes };
    return last && own(known, last.text) !== undefined
      ? `an attribute is written with "=": ${last.text}="..."`
      : 'a namespaced name must be quoted: "acme:icon"';
  }
  if (found === "]" && !inList) return 'a list of attributes begins with "["';
  if (found === "," && !inList) return 'statements are separated by ";"';
  if (last?.role === "attribute" && isPlain(last.text))
    return `give attribute ${quote(last.text)} a value: ${last.text}="..."`;
  return undefined;
}

export function syntaxFinding(
  context: ErrorContext,
  expected: readonly Expectation[],
  lines: LineIndex,
): Diagnostic {
  const { last, inList } = lookBack(context);
  const found = written(context, context.at);
  const foundWord = found === "" ? "the end of the file" : quote(found.replace(/^"(.+)"$/, "$1"));
  const after = last ? ` after ${describe(last)}` : "";
  const words = wordsOf(expected);
  const hint =
    openStringHint(context, lines) ?? keywordHint(context, words) ?? hintFor(found, context, last, inList);
  return failure(
    "dot.syntax",
    `expected ${oneOf(expectedWords(words, last))}${after}, found ${foundWord}`,
    lines.at(context.tokens.start(context.at)),
    { hint },
  );
}

/** True when a line ends between a token and the next one. */
function endsLine({ text, tokens }: ErrorContext, index: number): boolean {
  const next = tokens.start(index + 1);
  for (let at = tokens.end(index); at < next; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0a || code === 0x0d) return true;
  }
  return false;
}

/**
 * Where reading goes on: after the next `;` or line end, before the next `}` that nothing unread opens, or after the
 * attribute list's `]`.
 */
export function resumeAfter(context: ErrorContext): number {
  const { tokens, at } = context;
  const { inList } = lookBack(context);
  const stop = inList ? KIND["]"] : KIND[";"];
  let opened = 0;
  for (let index = at; index < tokens.length; index++) {
    const code = tokens.code(index);
    if (code === KIND["{"]) opened += 1;
    if (code === KIND["}"] && opened === 0) return index;
    if (code === KIND["}"]) opened -= 1;
    if (code === stop || (!inList && endsLine(context, index))) return index + 1;
  }
  return tokens.length;
}
