/**
 * Which JSON Schemas are accepted: the 2020-12 vocabulary, checked by form, without the keywords that would need
 * something from outside (`$dynamicRef`, remote references). Inspecting also makes the private copy that the
 * validator library gets: known keywords only, so that nothing a user wrote reaches it by another name.
 * Spec: DEF-schema-valid.
 */
import { isJsonObject, type Json, type JsonObject, pointerTo, SwlError, setOwn } from "@swl/base";
import { type Pattern, readPattern } from "./schema-pattern.js";

export interface SchemaFinding {
  readonly pointer: string;
  readonly message: string;
}

/** Schemas inside each other. */
const maxSchemaDepth = 500;

/** Schemas applied to values in one check; beyond, the value does not pass. */
export const maxSchemaSteps = 1_000_000;

/** Counts the steps of one check: a small schema can ask for endless work (references that double at every level). */
export class Meter {
  #left = 0;

  start(steps: number): void {
    this.#left = steps;
  }

  /** Throws when the steps are used up. */
  step(count = 1): undefined {
    this.#left -= count;
    if (this.#left < 0) throw new SwlError("definition.schema-invalid", "the check takes too many steps");
  }
}

export interface Inspected {
  readonly findings: readonly SchemaFinding[];
  /** The library's copy; it marks it, so it is never the user's object. */
  readonly copy: Json;
  /** Copied schemas with keywords that cost more than one step; the library must not see these before its references are resolved. */
  readonly costly: readonly Costly[];
  /** Steps as the copy is evaluated. */
  readonly meter: Meter;
  /** Every `$ref` with the copied object that holds it. */
  readonly refs: readonly { readonly holder: object; readonly ref: string; readonly pointer: string }[];
  /** Some part has an `$id` or an `$anchor`. */
  readonly identified: boolean;
}

/** A copied schema, and what in it takes time by the size of the value. */
export interface Costly {
  readonly holder: { [key: string]: Json };
  readonly pattern?: Pattern;
  readonly names?: readonly Pattern[];
  readonly unique?: true;
}

export const schemaDialect = "https://json-schema.org/draft/2020-12/schema";

type Form =
  | "schema"
  | "list"
  | "map"
  | "patterns"
  | "number"
  | "positive"
  | "count"
  | "text"
  | "flag"
  | "any";
type Special = "type" | "enum" | "texts" | "texts-map" | "pattern" | "ref" | "dialect" | "refused";

const forms: ReadonlyMap<string, Form | Special> = new Map(
  Object.entries({
    schema:
      "not if then else contains items additionalProperties unevaluatedProperties unevaluatedItems propertyNames",
    list: "allOf anyOf oneOf prefixItems",
    map: "$defs definitions properties dependentSchemas",
    patterns: "patternProperties",
    number: "minimum maximum exclusiveMinimum exclusiveMaximum",
    positive: "multipleOf",
    count: "minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains",
    text: "$id $anchor",
    flag: "uniqueItems",
    any: "const",
    type: "type",
    enum: "enum",
    texts: "required",
    "texts-map": "dependentRequired",
    pattern: "pattern",
    ref: "$ref",
    dialect: "$schema",
    refused: "$dynamicRef $dynamicAnchor $vocabulary",
  }).flatMap(([form, words]) =>
    words.split(" ").map((word): [string, Form | Special] => [word, form as Form]),
  ),
);
const types = ["null", "boolean", "object", "array", "number", "string", "integer"];

/** Inspects one schema, in linear time. */
export function inspectSchema(schema: Json, meter = new Meter()): Inspected {
  const inspector = new Inspector(meter);
  const copy = inspector.schema(schema, "");
  return {
    findings: inspector.findings,
    copy,
    costly: inspector.costly,
    meter,
    refs: inspector.refs,
    identified: inspector.identified,
  };
}

class Inspector {
  readonly findings: SchemaFinding[] = [];
  readonly refs: { holder: object; ref: string; pointer: string }[] = [];
  readonly costly: Costly[] = [];
  identified = false;
  #depth = 0;
  /** What every copy inherits: the library reads this keyword of an older dialect once for every schema it applies. */
  readonly #inherited: object;

  constructor(meter: Meter) {
    this.#inherited = Object.create(null, { $recursiveAnchor: { get: () => meter.step() } }) as object;
  }

  schema(schema: Json, pointer: string): Json {
    if (typeof schema === "boolean") return schema;
    if (!isJsonObject(schema)) {
      this.#note(pointer, "a schema is an object, true or false");
      return true;
    }
    if (this.#depth >= maxSchemaDepth) {
      this.#note(pointer, `schemas are nested deeper than ${maxSchemaDepth} levels`);
      return true;
    }
    this.#depth++;
    const copy = this.#keywords(schema, pointer);
    this.#depth--;
    return copy;
  }

  #keywords(schema: JsonObject, pointer: string): Json {
    const copy = Object.create(this.#inherited) as { [key: string]: Json };
    for (const key of Object.keys(schema)) {
      const form = forms.get(key);
      if (form === undefined) continue;
      const inner = pointerTo(pointer, key);
      if (form === "pattern") {
        const pattern = this.#pattern(schema[key]!, inner);
        if (pattern) this.costly.push({ holder: copy, pattern });
        continue;
      }
      const value = this.#member(key, form, schema[key]!, inner);
      if (value === undefined) continue;
      if (form === "text") this.identified = true;
      if (form === "ref") this.refs.push({ holder: copy, ref: value as string, pointer: inner });
      if (value === true && key === "uniqueItems") this.costly.push({ holder: copy, unique: true });
      if (form === "patterns") {
        const names = Object.keys(schema[key]!).map((name) => this.#pattern(name, pointerTo(inner, name)));
        this.costly.push({ holder: copy, names: names.filter((name) => name !== undefined) });
      }
      setOwn(copy, key, value);
    }
    return copy;
  }

  /** The value for the library's copy; `undefined` leaves the keyword out. */
  #member(key: string, form: Form | Special, value: Json, pointer: string): Json | undefined {
    switch (form) {
      case "schema":
        return this.schema(value, pointer);
      case "list":
        if (!Array.isArray(value) || value.length === 0)
          return this.#note(pointer, "expected a list of schemas");
        return value.map((item: Json, index: number) => this.schema(item, `${pointer}/${index}`));
      case "map":
      case "patterns":
        return this.#map(value, pointer);
      case "refused":
        return this.#note(pointer, `${key} is not supported; use $ref`);
      case "dialect":
        return value === schemaDialect ? undefined : this.#note(pointer, `the dialect is ${schemaDialect}`);
      case "texts-map":
        if (!isJsonObject(value)) return this.#note(pointer, "expected an object of lists");
        for (const name of Object.keys(value)) this.#texts(value[name]!, pointerTo(pointer, name));
        return value;
      default:
        return this.#plain(key, form, value, pointer);
    }
  }

  #plain(key: string, form: Form | Special, value: Json, pointer: string): Json | undefined {
    const number = typeof value === "number";
    const check = (right: boolean, expected: string): Json | undefined =>
      right ? value : this.#note(pointer, `expected ${expected}`);
    switch (form) {
      case "number":
        return check(number, "a number");
      case "positive":
        return check(number && value > 0, "a number above 0");
      case "count":
        return check(number && Number.isSafeInteger(value) && value >= 0, "an integer from 0");
      case "flag":
        return check(typeof value === "boolean", "true or false");
      case "type":
        return check(isType(value), `one of ${types.join(", ")}, or a list of these`);
      case "enum":
        return check(Array.isArray(value), "a list of values");
      case "texts":
        return this.#texts(value, pointer);
      case "ref":
      case "text":
        if (key === "$anchor" && typeof value === "string" && !/^[A-Za-z_][-A-Za-z0-9._]*$/.test(value)) {
          return this.#note(pointer, "expected an anchor name");
        }
        return check(typeof value === "string", "a text");
      default:
        return value;
    }
  }

  #map(value: Json, pointer: string): Json | undefined {
    if (!isJsonObject(value)) return this.#note(pointer, "expected an object of schemas");
    const copy: { [key: string]: Json } = {};
    for (const name of Object.keys(value)) {
      setOwn(copy, name, this.schema(value[name]!, pointerTo(pointer, name)));
    }
    return copy;
  }

  #pattern(value: Json, pointer: string): Pattern | undefined {
    if (typeof value !== "string") return this.#note(pointer, "expected a regular expression");
    const pattern = readPattern(value);
    return typeof pattern === "string" ? this.#note(pointer, pattern) : pattern;
  }

  #texts(value: Json, pointer: string): Json | undefined {
    const right = Array.isArray(value) && value.every((item) => typeof item === "string");
    if (!right || new Set(value).size !== value.length)
      return this.#note(pointer, "expected a list of different texts");
    return value;
  }

  #note(pointer: string, message: string): undefined {
    this.findings.push({ pointer, message });
  }
}

function isType(value: Json): boolean {
  if (typeof value === "string") return types.includes(value);
  return Array.isArray(value) && value.length > 0 && value.every((item) => types.includes(item));
}
