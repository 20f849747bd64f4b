/**
 * Text as the reader needs it: UTF-8 that is checked byte by byte only when it is wrong, offsets that become lines and
 * columns, and foreign text on its way into a message. Spec: DEF-json-encoding.
 */
import type { Place } from "./diagnostic.js";

/** Matches a surrogate that is not half of a pair, and nothing else. */
export const loneSurrogate = /\p{Surrogate}/u;

/** The text with U+FFFD for each half of a surrogate pair, so that JSON can hold it. */
export function wellFormed(text: string): string {
  return loneSurrogate.test(text) ? text.replace(/\p{Surrogate}/gu, "\ufffd") : text;
}

/** What steers a terminal, turns the direction of text, breaks a line or is no character: C0, DEL, C1, bidi, halves. */
const steering =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is made visible
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;

/**
 * Foreign text as a message may hold it: at most `max` UTF-16 code units of it, never half a character, with `…` where
 * it is cut, and every character that steers instead of being seen written as `\uXXXX`.
 */
export function excerpt(text: string, max = 60): string {
  return visible(cut(text, max));
}

/** As `excerpt`, in double quotes and with the escapes of JSON. */
export function quoted(text: string, max = 60): string {
  return visible(JSON.stringify(cut(text, max)));
}

function visible(text: string): string {
  return text.replace(steering, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 2);
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 2 : max - 1)}…`;
}

/** The text of UTF-8 bytes, or the byte offset of the first byte that is not UTF-8. A byte order mark is kept. */
export function decodeUtf8(bytes: Uint8Array): { readonly text: string } | { readonly invalidAt: number } {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { invalidAt: firstInvalid(bytes) };
  }
}

/** The longest prefix that is UTF-8, as text: what stands before the byte at `end`. */
export function decodePrefix(bytes: Uint8Array, end: number): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, end));
}

function firstInvalid(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return bytes.length;
}

/** Length of the well-formed sequence at an offset, 0 when there is none (RFC 3629 table). */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const tail = (index: number, low = 0x80, high = 0xbf): boolean => {
    const byte = bytes[at + index];
    return byte !== undefined && byte >= low && byte <= high;
  };
  if (first >= 0xc2 && first <= 0xdf) return tail(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const low = first === 0xe0 ? 0xa0 : 0x80;
    const high = first === 0xed ? 0x9f : 0xbf;
    return tail(1, low, high) && tail(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const low = first === 0xf0 ? 0x90 : 0x80;
    const high = first === 0xf4 ? 0x8f : 0xbf;
    return tail(1, low, high) && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

/** Turns offsets of one text into places; finds the line starts once, on first use. A line ends with LF, CR or CRLF. */
export class Lines {
  readonly #file: string;
  readonly #text: string;
  #starts: number[] | undefined;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
  }

  place(offset: number): Place {
    this.#starts ??= lineStarts(this.#text);
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { file: this.#file, line: low + 1, column: offset - this.#starts[low]! + 1 };
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 10 || (unit === 13 && text.charCodeAt(at + 1) !== 10)) starts.push(at + 1);
  }
  return starts;
}
