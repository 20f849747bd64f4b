/**
 * The state machine behind `readJson`: one pass over a text with a stack of its own, so that depth costs no
 * JavaScript stack. It either builds the value or, asked a second time, the shape: the same tree holding offsets.
 * What can be skipped over (a duplicate key, a bad number) is noted and reading goes on; a syntax error ends it.
 */
import type { Code } from "./codes.js";
import { pointerTo } from "./diagnostic.js";
import { type Json, setOwn } from "./json.js";
import { maxReadFindings } from "./limits.js";
import { type NumberDomain, readNumber } from "./number-token.js";
import { scanString } from "./string-token.js";
import { quoted, wellFormed } from "./text.js";

/** Where values stand: offset of the value (of the key, for a member) and the same of its children. */
export interface Shape {
  readonly offset: number;
  readonly children?: Map<string, Shape> | Shape[];
}

export interface Problem {
  readonly code: Code;
  readonly message: string;
  readonly pointer: string;
  readonly offset: number;
  readonly hint?: string;
}

export interface Parsed {
  readonly value: Json;
  readonly shape?: Shape;
  readonly problems: readonly Problem[];
}

interface ParseOptions {
  readonly numbers: NumberDomain;
  readonly maxDepth: number;
  readonly shape: boolean;
}

interface Frame {
  readonly array: Json[] | undefined;
  readonly object: { [key: string]: Json } | undefined;
  readonly shape: Map<string, Shape> | Shape[] | undefined;
  key: string;
  keyOffset: number;
  count: number;
}

const STOP = Symbol("stop");
const LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /[A-Za-z0-9_.+\-#$]+/y;

/** Parses a whole text. `value` means something only when there are no problems. */
export function parseJson(text: string, options: ParseOptions): Parsed {
  const parser = new Parser(text, options);
  try {
    parser.run();
  } catch (thrown) {
    if (thrown !== STOP) throw thrown;
  }
  return { value: parser.value, ...(parser.shape && { shape: parser.shape }), problems: parser.problems };
}

class Parser {
  readonly problems: Problem[] = [];
  value: Json = null;
  shape: Shape | undefined;
  readonly #text: string;
  readonly #options: ParseOptions;
  readonly #stack: Frame[] = [];
  #at = 0;

  constructor(text: string, options: ParseOptions) {
    this.#text = text;
    this.#options = options;
  }

  run(): void {
    this.#value();
    while (this.#stack.length > 0) this.#next(this.#stack[this.#stack.length - 1]!);
    this.#space();
    if (this.#at < this.#text.length) this.#fail(`unexpected ${this.#found()} after the end of the document`);
  }

  /** Reads one value at the cursor; a container that is not empty is pushed and filled by `#next`. */
  #value(): void {
    this.#space();
    const offset = this.#at;
    const unit = this.#text.charCodeAt(offset);
    if (unit === 0x7b || unit === 0x5b) this.#open(unit === 0x5b, offset);
    else if (unit === 0x22) this.#place(this.#string(), offset);
    else if (unit === 0x2d || (unit >= 0x30 && unit <= 0x39)) this.#place(this.#number(), offset);
    else this.#place(this.#literal(), offset);
  }

  #literal(): boolean | null {
    const word = this.#word();
    if (!LITERALS.has(word)) this.#fail(`expected a value, found ${this.#found()}`, this.#valueHint());
    this.#at += word.length;
    return LITERALS.get(word) ?? null;
  }

  #open(isArray: boolean, offset: number): void {
    const { maxDepth } = this.#options;
    if (this.#stack.length >= maxDepth) {
      this.#note("json.too-deep", `nesting is deeper than ${maxDepth}`, offset);
      throw STOP;
    }
    const shape = this.#options.shape ? (isArray ? [] : new Map<string, Shape>()) : undefined;
    const array: Json[] | undefined = isArray ? [] : undefined;
    const object: { [key: string]: Json } | undefined = isArray ? undefined : {};
    this.#place(array ?? object ?? null, offset, shape);
    this.#stack.push({ array, object, shape, key: "", keyOffset: offset, count: 0 });
    this.#at++;
  }

  /** Advances one container by one element, or closes it. */
  #next(frame: Frame): void {
    this.#space();
    const close = frame.array ? 0x5d : 0x7d;
    const unit = this.#text.charCodeAt(this.#at);
    if (unit === close) {
      this.#at++;
      this.#stack.pop();
      return;
    }
    if (frame.count > 0) {
      const comma = this.#at;
      if (unit !== 0x2c) this.#fail(`expected "," or "${frame.array ? "]" : "}"}", found ${this.#found()}`);
      this.#at++;
      this.#space();
      if (this.#text.charCodeAt(this.#at) === close) {
        this.#at = comma;
        this.#fail(`trailing comma before "${frame.array ? "]" : "}"}"`, "remove the comma");
      }
    }
    if (frame.object) this.#key(frame, frame.object);
    frame.count++;
    this.#value();
  }

  #key(frame: Frame, object: { [key: string]: Json }): void {
    const offset = this.#at;
    if (this.#text.charCodeAt(offset) !== 0x22) {
      this.#fail(`expected a key in double quotes, found ${this.#found()}`);
    }
    frame.key = this.#string(frame);
    frame.keyOffset = offset;
    if (Object.hasOwn(object, frame.key)) {
      this.#note("json.duplicate-key", `the key ${quoted(frame.key)} stands in this object twice`, offset);
    }
    this.#space();
    if (this.#text.charCodeAt(this.#at) !== 0x3a)
      this.#fail(`expected ":" after the key, found ${this.#found()}`);
    this.#at++;
  }

  /** Puts a value where it belongs: into the innermost container, or as the document. */
  #place(value: Json, offset: number, children?: Map<string, Shape> | Shape[]): void {
    const frame = this.#stack[this.#stack.length - 1];
    const shape = this.#options.shape
      ? { offset: frame?.object ? frame.keyOffset : offset, ...(children && { children }) }
      : undefined;
    if (frame === undefined) {
      this.value = value;
      this.shape = shape;
    } else if (frame.array) {
      frame.array.push(value);
      if (shape) (frame.shape as Shape[]).push(shape);
    } else {
      setOwn(frame.object!, frame.key, value);
      if (shape) (frame.shape as Map<string, Shape>).set(frame.key, shape);
    }
  }

  /** Reads a string; as a key of `keyOf`, what is wrong with it is wrong with that object. */
  #string(keyOf?: Frame): string {
    const start = this.#at;
    const token = scanString(this.#text, start);
    this.#at = token.end;
    if (token.error !== undefined) this.#fail(token.error);
    if (token.loneAt !== undefined) {
      const unit = token.lone!.toString(16).toUpperCase();
      this.#note(
        "json.lone-surrogate",
        `U+${unit} is half of a surrogate pair without the other half`,
        token.loneAt,
        keyOf ? { whole: keyOf } : {},
      );
    }
    return token.value;
  }

  #number(): number {
    NUMBER.lastIndex = this.#at;
    const token = NUMBER.exec(this.#text)?.[0];
    const word = this.#word();
    if (token === undefined || (word !== token && word.length > 0)) {
      this.#fail(`${quoted(word)} is not a JSON number`, this.#valueHint());
    }
    const number = readNumber(token, this.#options.numbers);
    if (typeof number === "string") this.#note("json.number-range", number, this.#at);
    this.#at += token.length;
    return typeof number === "string" ? 0 : number;
  }

  #space(): void {
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
      this.#at++;
    }
  }

  #word(): string {
    WORD.lastIndex = this.#at;
    return WORD.exec(this.#text)?.[0] ?? "";
  }

  #found(): string {
    if (this.#at >= this.#text.length) return "the end of the document";
    return quoted(this.#word() || String.fromCodePoint(this.#text.codePointAt(this.#at)!));
  }

  #valueHint(): string | undefined {
    const text = this.#text;
    if (this.#at >= text.length && this.#stack.length === 0) return "the document is empty";
    if (text.startsWith("//", this.#at) || text.startsWith("/*", this.#at)) return "JSON has no comments";
    if (text.startsWith("'", this.#at)) return "strings stand in double quotes";
    if (/^[+-]?(NaN|Infinity|Inf)/i.test(this.#word())) return "JSON has no NaN and no infinity";
    return undefined;
  }

  /** Of the value at hand; with `whole` of that container. Always text that JSON can hold. */
  #pointer(whole: Frame | undefined): string {
    const frames = whole ? this.#stack.slice(0, this.#stack.indexOf(whole)) : this.#stack;
    return pointerTo(
      "",
      ...frames.map((frame) => (frame.object ? wellFormed(frame.key) : Math.max(0, frame.count - 1))),
    );
  }

  #note(code: Code, message: string, offset: number, about: { hint?: string; whole?: Frame } = {}): void {
    const { hint, whole } = about;
    this.problems.push({ code, message, pointer: this.#pointer(whole), offset, ...(hint && { hint }) });
    if (this.problems.length >= maxReadFindings) throw STOP;
  }

  #fail(message: string, hint?: string): never {
    this.#note("json.syntax", message, Math.min(this.#at, this.#text.length), hint ? { hint } : {});
    throw STOP;
  }
}
