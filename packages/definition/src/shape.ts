/**
 * Reading an object with a fixed set of members: types, ranges and unknown members, each finding at its place with
 * the near name. Returns what is right and notes what is not, so that one pass finds everything.
 * Spec: DEF-members, DEF-ranges.
 */
import { type Code, isJsonObject, type Json, type JsonObject, own, setOwn } from "@swl/base";
import { type Findings, quote, type Spot } from "./findings.js";

export interface TextRule {
  readonly code?: Code;
  readonly expected: string;
  test(text: string): boolean;
}

export interface Range {
  readonly min: number;
  readonly max: number;
  readonly code?: Code;
}

/** A JSON value as a word of a message. */
export function kindOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? quote(value) : String(value);
}

/** One object of which the members are known. */
export class Members {
  readonly value: JsonObject;
  readonly spot: Spot;
  readonly #findings: Findings;

  private constructor(value: JsonObject, spot: Spot, findings: Findings) {
    this.value = value;
    this.spot = spot;
    this.#findings = findings;
  }

  /** Checks that a value is an object with known members and `x-…` only; `undefined` when it is no object. */
  static read(value: Json, spot: Spot, findings: Findings, known: readonly string[]): Members | undefined {
    if (!isJsonObject(value)) {
      findings.error("definition.type", `expected an object, found ${kindOf(value)}`, spot);
      return undefined;
    }
    for (const key of Object.keys(value)) {
      if (known.includes(key) || key.startsWith("x-")) continue;
      findings.error(
        "definition.unknown-member",
        `${quote(key)} is not a member here; known are ${known.join(", ")}`,
        spot.to(key),
        findings.suggest(key, known),
      );
    }
    return new Members(value, spot, findings);
  }

  has(key: string): boolean {
    return Object.hasOwn(this.value, key);
  }

  get(key: string): Json | undefined {
    return own(this.value, key);
  }

  /** Notes a missing member. */
  require(key: string, hint?: string): Json | undefined {
    const value = this.get(key);
    if (value === undefined) {
      this.#findings.error(
        "definition.missing-member",
        `the member ${quote(key)} is missing`,
        this.spot,
        hint,
      );
    }
    return value;
  }

  text(key: string, rule: TextRule, required = false): string | undefined {
    const value = required ? this.require(key) : this.get(key);
    if (value === undefined) return undefined;
    if (typeof value !== "string") return this.#type(key, rule.expected, value);
    if (!rule.test(value)) {
      const message = `expected ${rule.expected}, found ${quote(value)}`;
      this.#findings.error(rule.code ?? "definition.value", message, this.spot.to(key));
      return undefined;
    }
    return value;
  }

  word<T extends string>(key: string, words: readonly T[], required = false): T | undefined {
    const value = required ? this.require(key) : this.get(key);
    if (value === undefined) return undefined;
    if (typeof value !== "string") return this.#type(key, `one of ${words.join(", ")}`, value);
    const word = words.find((candidate) => candidate === value);
    if (word === undefined) {
      const message = `expected one of ${words.join(", ")}, found ${quote(value)}`;
      this.#findings.error(
        "definition.value",
        message,
        this.spot.to(key),
        this.#findings.suggest(value, words),
      );
    }
    return word;
  }

  integer(key: string, range: Range): number | undefined {
    const value = this.get(key);
    if (value === undefined) return undefined;
    return readInteger(value, range, this.spot.to(key), this.#findings);
  }

  flag(key: string): boolean | undefined {
    const value = this.get(key);
    if (value === undefined || typeof value === "boolean") return value;
    return this.#type(key, "true or false", value);
  }

  object(key: string, required = false): JsonObject | undefined {
    const value = required ? this.require(key) : this.get(key);
    if (value === undefined || isJsonObject(value)) return value;
    return this.#type(key, "an object", value);
  }

  texts(key: string, rule: TextRule): readonly string[] | undefined {
    const value = this.get(key);
    if (value === undefined) return undefined;
    return readTexts(value, rule, this.spot.to(key), this.#findings);
  }

  /** The `x-…` members, kept as they are. */
  extensions(): { readonly [key: string]: Json } {
    const kept: { [key: string]: Json } = {};
    for (const key of Object.keys(this.value)) if (key.startsWith("x-")) setOwn(kept, key, this.value[key]!);
    return kept;
  }

  #type(key: string, expected: string, found: Json): undefined {
    this.#findings.error(
      "definition.type",
      `expected ${expected}, found ${kindOf(found)}`,
      this.spot.to(key),
    );
  }
}

/** An integer of a range, or a finding. */
export function readInteger(value: Json, range: Range, spot: Spot, findings: Findings): number | undefined {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= range.min && value <= range.max) {
    return value;
  }
  const code = range.code ?? (typeof value === "number" ? "definition.value" : "definition.type");
  findings.error(code, `expected an integer from ${range.min} to ${range.max}, found ${kindOf(value)}`, spot);
  return undefined;
}

/** A list of texts that keep a rule, each once. */
export function readTexts(value: Json, rule: TextRule, spot: Spot, findings: Findings): readonly string[] {
  if (!Array.isArray(value)) {
    findings.error("definition.type", `expected a list, found ${kindOf(value)}`, spot);
    return [];
  }
  const texts = new Set<string>();
  value.forEach((item: Json, index: number) => {
    if (typeof item !== "string") {
      findings.error("definition.type", `expected ${rule.expected}, found ${kindOf(item)}`, spot.to(index));
    } else if (!rule.test(item)) {
      const message = `expected ${rule.expected}, found ${quote(item)}`;
      findings.error(rule.code ?? "definition.value", message, spot.to(index));
    } else if (texts.has(item)) {
      findings.error("definition.value", `${quote(item)} stands in this list twice`, spot.to(index));
    } else texts.add(item);
  });
  return [...texts];
}
