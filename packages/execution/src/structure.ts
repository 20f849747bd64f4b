/**
 * Reading a stored definition without trusting it: each reader gives the member or notes a finding and gives
 * nothing. The full rules are the validator's; this only makes sure that what is compiled has the shape that the
 * rules of execution rely on.
 */
import {
  type Code,
  type Diagnostic,
  isJsonObject,
  type Json,
  type JsonObject,
  own,
  pointerTo,
} from "@swl/base";
import type { JsonSchema } from "@swl/definition/model";
import { schemaFindings } from "@swl/definition/schema";

export class Reader {
  readonly findings: Diagnostic[] = [];
  /** What the definition lists under `requires`. */
  readonly requires = new Set<string>();

  fault(pointer: string, message: string, code: Code = "definition.invalid"): undefined {
    this.findings.push({ code, severity: "error", message, pointer });
    return undefined;
  }

  /** Notes a finding when `what` stands in a definition that does not require the profile it belongs to. */
  needs(profile: string, what: string, pointer: string): void {
    if (this.requires.has(profile)) return;
    this.fault(
      pointer,
      `${what} needs profile ${profile}, which requires does not list`,
      "definition.profile-missing",
    );
  }

  object(value: Json | undefined, pointer: string): JsonObject | undefined {
    return isJsonObject(value) ? value : this.fault(pointer, "expected an object");
  }

  member(object: JsonObject, key: string, pointer: string): JsonObject | undefined {
    return this.object(own(object, key), pointerTo(pointer, key));
  }

  /** The member's entries; none when it is absent. */
  entries(object: JsonObject, key: string, pointer: string): readonly (readonly [string, Json])[] {
    const value = own(object, key);
    if (value === undefined) return [];
    return Object.entries(this.object(value, pointerTo(pointer, key)) ?? {});
  }

  string(object: JsonObject, key: string, pointer: string): string | undefined {
    const value = own(object, key);
    return typeof value === "string" && value !== ""
      ? value
      : this.fault(pointerTo(pointer, key), "expected a string");
  }

  /** A text of a form that keys can be made of. */
  name(object: JsonObject, key: string, pointer: string, form: RegExp): string | undefined {
    const value = this.string(object, key, pointer);
    if (value === undefined || form.test(value)) return value;
    return this.fault(pointerTo(pointer, key), "expected a name of at most 64 letters, digits, _, - or .");
  }

  /** A schema that can be checked; none where it is absent. */
  schema(schema: Json | undefined, pointer: string): Json | undefined {
    if (schema === undefined || schema === true) return schema;
    const [wrong] = schemaFindings(schema as JsonSchema);
    if (wrong === undefined) return schema;
    return this.fault(`${pointer}${wrong.pointer}`, wrong.message, "definition.schema-invalid");
  }

  word<W extends string>(
    object: JsonObject,
    key: string,
    pointer: string,
    words: readonly W[],
    absent?: W,
  ): W | undefined {
    const value = own(object, key) ?? absent;
    const word = words.find((known) => known === value);
    return word ?? this.fault(pointerTo(pointer, key), `expected one of ${words.join(", ")}`);
  }

  integer(object: JsonObject, key: string, pointer: string, least: number, most: number): number | undefined {
    const value = own(object, key);
    if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
    return this.fault(pointerTo(pointer, key), `expected a whole number from ${least} to ${most}`);
  }

  /** False when it is absent. */
  flag(object: JsonObject, key: string, pointer: string): boolean {
    const value = own(object, key);
    if (value === undefined || typeof value === "boolean") return value === true;
    this.fault(pointerTo(pointer, key), "expected true or false");
    return false;
  }

  strings(object: JsonObject, key: string, pointer: string): readonly string[] {
    const value = own(object, key);
    if (value === undefined) return [];
    if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value as string[];
    this.fault(pointerTo(pointer, key), "expected a list of strings");
    return [];
  }

  /**
   * What is marked as sensitive: a list of pointers under `list`, lists by outcome under `byOutcome`. A model keeps state
   * whole; the marks only must be readable for whoever shows it.
   */
  marks(of: JsonObject, pointer: string, list: string, byOutcome?: string): void {
    const marked = this.member(of, "sensitive", pointer);
    if (marked === undefined) return;
    const at = pointerTo(pointer, "sensitive");
    this.strings(marked, list, at);
    if (byOutcome === undefined) return;
    const lists = this.entries(marked, byOutcome, at);
    for (const [outcome] of lists) this.strings(Object.fromEntries(lists), outcome, pointerTo(at, byOutcome));
  }
}
