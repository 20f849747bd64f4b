/**
 * One JSON string token: where it ends, what it says, and the first lone surrogate in it, raw or escaped.
 */

export interface StringToken {
  readonly value: string;
  /** Offset after the closing quote; the offset of the fault when there is an `error`. */
  readonly end: number;
  readonly error?: string;
  /** Offset and value of the first surrogate that is not half of a pair. */
  readonly loneAt?: number;
  readonly lone?: number;
}

const ESCAPES: { readonly [letter: string]: string } = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};
const HEX4 = /[0-9a-fA-F]{4}/y;

/** Scans the string whose opening quote stands at `start`. Linear. */
export function scanString(text: string, start: number): StringToken {
  let value = "";
  let chunk = start + 1;
  let at = chunk;
  /** A high surrogate that waits for its other half, with the offset it stands at. */
  let high: { readonly unit: number; readonly at: number } | undefined;
  let lone: { readonly unit: number; readonly at: number } | undefined;
  for (;;) {
    const unit = text.charCodeAt(at);
    if (Number.isNaN(unit)) return { value, end: at, error: "the string is not closed" };
    if (unit < 0x20) return { value, end: at, error: controlMessage(unit) };
    let said = unit;
    let length = 1;
    if (unit === 0x5c) {
      const escaped = readEscape(text, at);
      if (typeof escaped === "string") return { value, end: at, error: escaped };
      value += text.slice(chunk, at) + escaped.text;
      said = escaped.text.charCodeAt(0);
      length = escaped.length;
      chunk = at + length;
    }
    if (high !== undefined) {
      if (said < 0xdc00 || said > 0xdfff) lone ??= high;
      else said = 0;
      high = undefined;
    }
    if (said >= 0xd800 && said <= 0xdbff) high = { unit: said, at };
    else if (said >= 0xdc00 && said <= 0xdfff) lone ??= { unit: said, at };
    if (unit === 0x22) {
      value += text.slice(chunk, at);
      return { value, end: at + 1, ...(lone && { loneAt: lone.at, lone: lone.unit }) };
    }
    at += length;
  }
}

function readEscape(text: string, at: number): { readonly text: string; readonly length: number } | string {
  const letter = text[at + 1] ?? "";
  if (letter === "u") {
    HEX4.lastIndex = at + 2;
    const hex = HEX4.exec(text)?.[0];
    if (hex === undefined) return "\\u is followed by four hexadecimal digits";
    return { text: String.fromCharCode(Number.parseInt(hex, 16)), length: 6 };
  }
  const said = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
  if (said === undefined) return `JSON has no escape ${JSON.stringify(`\\${letter}`)}`;
  return { text: said, length: 2 };
}

function controlMessage(unit: number): string {
  const name =
    unit === 10 || unit === 13 ? "line break" : `control character U+${unit.toString(16).padStart(4, "0")}`;
  return `a ${name} stands in a string; it must be escaped`;
}
