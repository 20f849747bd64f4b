/**
 * Syntax errors in words, and where to go on after one. The parser says where it stood and which tokens could have
 * come; this says `expected "->" or "[" after node "build", found ">"`.
 */
import type { Diagnostic } from "@swl/base";
import { failure, quote } from "./finding.js";
import { stringEnd } from "./lexical.js";
import type { LineIndex } from "./lines.js";

/** One of the parser's expectations, as the generated code gives it. */
export interface Expectation {
  readonly type: string;
  readonly text?: string;
  readonly description?: string;
}

export interface ErrorContext {
  readonly text: string;
  /** Where the last statement that could be read begins. */
  readonly from: number;
  /** The offset that nothing could be read at. */
  readonly at: number;
}

interface Word {
  readonly text: string;
  readonly role: "node" | "attribute" | "value" | "graph name" | "mark";
}

const NAME = /[A-Za-z0-9_.\u0080-\uffff]+/y;

/** End of the token at an offset that is no white space. */
function tokenEnd(text: string, start: number): number {
  if (text[start] === '"') return stringEnd(text, start);
  if (/^(->|--)$/.test(text.slice(start, start + 2))) return start + 2;
  NAME.lastIndex = start;
  return NAME.test(text) ? NAME.lastIndex : start + 1;
}

function isName(token: string): boolean {
  return token.startsWith('"') || /^[A-Za-z0-9_.\u0080-\uffff]/.test(token);
}

/** The last token before the error with its role, and whether it stands in an attribute list. */
function lookBack({ text, from, at }: ErrorContext): { last: Word | undefined; inList: boolean } {
  let inList = false;
  let before = "";
  let last: Word | undefined;
  for (let position = from; position < at; ) {
    if (/\s/.test(text.charAt(position))) {
      position += 1;
      continue;
    }
    const end = Math.max(tokenEnd(text, position), position + 1);
    const token = text.slice(position, end);
    if (isName(token)) {
      const role =
        before === "="
          ? "value"
          : inList
            ? "attribute"
            : /^(di)?graph$/i.test(before)
              ? "graph name"
              : "node";
      last = {
        text: token.replace(/^"|"$/g, ""),
        role: /^(strict|(di|sub)?graph|node|edge)$/i.test(token) ? "mark" : role,
      };
    } else {
      if (token === "[") inList = true;
      if (token === "]") inList = false;
      last = { text: token, role: "mark" };
    }
    before = token;
    position = end;
  }
  return { last, inList };
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
  "an attribute name",
  "a value",
  '"="',
  '"]"',
  '"{"',
  "a statement",
  '"}"',
];

/** Which of the possible tokens the message names: those an author may have meant, not all that DOT allows. */
function expectedWords(expected: readonly Expectation[], last: Word | undefined): readonly string[] {
  const all = new Set(
    expected.map(({ type, text, description }) => (type === "literal" ? `"${text}"` : description)),
  );
  if (last === undefined) return ['"digraph"'];
  if (all.has('"->"') && all.has('"["') && last.role === "node") return ['"->"', '"["'];
  if (all.has("a statement"))
    return [...(last.role === "mark" && /^[;{}]$/.test(last.text) ? [] : ['";"']), "a statement", '"}"'];
  return IN_ORDER.filter((word) => all.has(word));
}

function oneOf(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function hintFor(
  found: string,
  context: ErrorContext,
  last: Word | undefined,
  inList: boolean,
): string | undefined {
  const rest = context.text.slice(context.at, context.at + 80);
  if (found === "-" && last && last.role !== "mark") {
    const whole = `${last.text}${/^[-\w]+/.exec(rest)?.[0] ?? ""}`;
    return `a name with "-" must be quoted: ${quote(whole)}`;
  }
  if (found === "#")
    return 'a comment with "#" begins in the first column of its line; "//" begins one anywhere';
  if (found === "'") return "strings stand in double quotes";
  if (found === ">" || rest.startsWith("=>")) return 'an edge is written "a -> b"';
  if (rest.startsWith("<-")) return 'edges point forwards: write "b -> a"';
  if (found === ":" && inList) return 'a namespaced name must be quoted: "acme:icon"';
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
  const { text, at } = context;
  const { last, inList } = lookBack(context);
  const found = at < text.length ? text.slice(at, Math.max(tokenEnd(text, at), at + 1)) : "";
  const foundWord = found === "" ? "the end of the file" : quote(found.replace(/^"(.+)"$/, "$1"));
  const after = last ? ` after ${describe(last)}` : "";
  return failure(
    "dot.syntax",
    `expected ${oneOf(expectedWords(expected, last))}${after}, found ${foundWord}`,
    lines.at(at),
    { hint: hintFor(found, context, last, inList) },
  );
}

/** Where reading goes on: after the next `;` or line end, before the next `}`, or after the attribute list's `]`. */
export function resumeAfter(context: ErrorContext): number {
  const { text, at } = context;
  const stop = lookBack(context).inList ? /["\]}]/g : /[";}\r\n]/g;
  stop.lastIndex = at;
  for (let found = stop.exec(text); found; found = stop.exec(text)) {
    if (found[0] === "}") return found.index;
    if (found[0] !== '"') return stop.lastIndex;
    const end = stringEnd(text, found.index);
    if (end < 0) return text.length;
    stop.lastIndex = end;
  }
  return text.length;
}
