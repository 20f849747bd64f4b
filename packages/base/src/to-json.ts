/**
 * The border between JavaScript values and JSON: `toJson` checks and copies, so that what is inside shares nothing
 * with the caller and holds nothing that JSON cannot say. Nothing is dropped or converted silently.
 * Spec: DEF-json-reader.
 */
import type { Code } from "./codes.js";
import { type Diagnostic, type Outcome, pointerTo } from "./diagnostic.js";
import { type Json, setOwn } from "./json.js";
import { defaultMaxValues, depthLimit, maxReadFindings } from "./limits.js";
import { excerpt, loneSurrogate, wellFormed } from "./text.js";

export interface ToJsonOptions {
  /** Nesting of arrays and objects; default 128, at most 1,000. */
  readonly maxDepth?: number;
  /** Values in all, shared ones counted each time; default 10,000,000. */
  readonly maxValues?: number;
}

/**
 * A deep copy of an arbitrary value as JSON, or every reason why it is none. Refuses `undefined`, functions, symbols,
 * BigInt, numbers that are not finite, holes, cycles, and objects that are not plain (dates, maps, class instances).
 * `-0` becomes `0`. Codes: `json.not-json`, `json.lone-surrogate`, `json.too-deep`, `json.too-large`. Never throws.
 */
export function toJson(value: unknown, options: ToJsonOptions = {}): Outcome<Json> {
  const copier = new Copier(depthLimit(options.maxDepth), options.maxValues ?? defaultMaxValues);
  let copy: Json = null;
  try {
    copy = copier.copy(value);
  } catch (thrown) {
    // A getter or a proxy of the caller threw, or there were too many findings: what was found stands.
    if (thrown !== STOP) copier.note("json.not-json", "reading the value threw an error", "whole");
  }
  if (copier.findings.length > 0) return { ok: false, findings: copier.findings };
  return { ok: true, value: copy, findings: [] };
}

/** An object literal of any realm, or one without a prototype. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const STOP = Symbol("stop");

class Copier {
  readonly findings: Diagnostic[] = [];
  readonly #maxDepth: number;
  readonly #maxValues: number;
  /** The objects around the value at hand: few, so that looking through them is quicker than a set. */
  readonly #open: object[] = [];
  /** Keys and indexes from the root to the value at hand: a pointer is made only when something is wrong. */
  readonly #path: (string | number)[] = [];
  #count = 0;

  constructor(maxDepth: number, maxValues: number) {
    this.#maxDepth = maxDepth;
    this.#maxValues = maxValues;
  }

  /** Notes what is wrong with the value at hand, or with the whole. */
  note(code: Code, message: string, where?: "whole"): null {
    const pointer = where === undefined ? pointerTo("", ...this.#path.map(wellFormedToken)) : "";
    this.findings.push({ code, severity: "error", message, pointer });
    if (this.findings.length >= maxReadFindings) throw STOP;
    return null;
  }

  copy(value: unknown): Json {
    if (++this.#count > this.#maxValues) {
      this.note("json.too-large", `the value holds more than ${this.#maxValues} values`);
      throw STOP;
    }
    if (value === null || typeof value === "boolean") return value;
    if (typeof value === "string") {
      if (!loneSurrogate.test(value)) return value;
      return this.note("json.lone-surrogate", "the string holds half of a surrogate pair");
    }
    if (typeof value === "number") {
      if (!Number.isFinite(value)) return this.note("json.not-json", `${value} is not a JSON number`);
      return value === 0 ? 0 : value;
    }
    if (typeof value !== "object") {
      const what = typeof value === "undefined" ? "undefined" : `a ${typeof value}`;
      return this.note("json.not-json", `${what} is not JSON`);
    }
    if (this.#open.includes(value)) return this.note("json.not-json", "the value contains itself");
    if (this.#path.length >= this.#maxDepth) {
      return this.note("json.too-deep", `nesting is deeper than ${this.#maxDepth}`);
    }
    this.#open.push(value);
    const copy = Array.isArray(value) ? this.#array(value) : this.#object(value);
    this.#open.pop();
    return copy;
  }

  #array(items: readonly unknown[]): Json {
    const copy: Json[] = [];
    for (let index = 0; index < items.length; index++) {
      this.#path.push(index);
      if (!Object.hasOwn(items, index)) this.note("json.not-json", "the array has a hole");
      else copy.push(this.copy(items[index]));
      this.#path.pop();
    }
    return copy;
  }

  #object(object: object): Json {
    if (!isPlainObject(object)) return this.note("json.not-json", `${nameOf(object)} is not a plain object`);
    if (Object.getOwnPropertySymbols(object).length > 0) {
      this.note("json.not-json", "an object with symbol keys is not JSON");
    }
    const copy: { [key: string]: Json } = {};
    for (const key of Object.keys(object)) {
      if (loneSurrogate.test(key)) this.note("json.lone-surrogate", "a key holds half of a surrogate pair");
      this.#path.push(key);
      setOwn(copy, key, this.copy((object as { [key: string]: unknown })[key]));
      this.#path.pop();
    }
    return copy;
  }
}

function wellFormedToken(token: string | number): string | number {
  return typeof token === "string" ? wellFormed(token) : token;
}

function nameOf(object: object): string {
  const name: unknown = (object as { constructor?: { name?: unknown } }).constructor?.name;
  return typeof name === "string" && name !== "" ? `an instance of ${excerpt(name)}` : "a class instance";
}
