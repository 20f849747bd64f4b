/**
 * All tokens of a file, three numbers each. Between two of them stand white space and comments and nothing else, so
 * that tokens, comments and white space together are the source, byte for byte. Spec: DOT-lexical.
 */
import { type DotTokenKind, kindOfCode } from "./kinds.js";

/** Every token of a file in order, punctuation and keywords included, comments not. Indexes count from 0. */
export interface DotTokens {
  readonly length: number;
  kind(index: number): DotTokenKind;
  /** Offset of the first character; of the end of what was read when the index is `length` or more. */
  start(index: number): number;
  /** Offset after the last character. */
  end(index: number): number;
  /** Index of the token that stands at an offset, or else of the next one; `length` when none follows. */
  at(offset: number): number;
}

const FIRST_CAPACITY = 64;

function copied<T extends Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** A list that grows: what the lexer writes and everything else reads. */
export class TokenList implements DotTokens {
  length = 0;
  /** Where reading ended: the end of the source, or where something begins that never ends. */
  textEnd = 0;
  readonly #characters: number;
  #kinds: Uint8Array;
  #starts: Uint32Array;
  #ends: Uint32Array;

  /** For a text of so many characters. */
  constructor(characters: number) {
    const capacity = FIRST_CAPACITY + (characters >> 3);
    this.#characters = characters;
    this.#kinds = new Uint8Array(capacity);
    this.#starts = new Uint32Array(capacity);
    this.#ends = new Uint32Array(capacity);
  }

  push(code: number, start: number, end: number): void {
    const index = this.length;
    if (index === this.#kinds.length) this.#grow(start);
    this.#kinds[index] = code;
    this.#starts[index] = start;
    this.#ends[index] = end;
    this.length = index + 1;
  }

  /** To what the text will take if it goes on as it began, and to half as much again at least. */
  #grow(position: number): void {
    const expected = (this.length * this.#characters * 1.05) / Math.max(position, 1);
    const capacity = Math.ceil(
      Math.min(Math.max(expected, this.length * 1.5), this.length + this.#characters),
    );
    this.#kinds = copied(this.#kinds, new Uint8Array(capacity));
    this.#starts = copied(this.#starts, new Uint32Array(capacity));
    this.#ends = copied(this.#ends, new Uint32Array(capacity));
  }

  /** The kinds as the text that the grammar parses. */
  kindText(): string {
    return new TextDecoder().decode(this.#kinds.subarray(0, this.length));
  }

  /** Character code of the kind; 0 where there is no token. */
  code(index: number): number {
    return index < this.length ? (this.#kinds[index] ?? 0) : 0;
  }

  kind(index: number): DotTokenKind {
    return kindOfCode(this.code(index));
  }

  start(index: number): number {
    return index < this.length ? (this.#starts[index] ?? this.textEnd) : this.textEnd;
  }

  end(index: number): number {
    return index < this.length ? (this.#ends[index] ?? this.textEnd) : this.textEnd;
  }

  at(offset: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.end(middle) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
