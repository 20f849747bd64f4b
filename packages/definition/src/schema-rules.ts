/**
 * Which JSON Schemas are accepted: the 2020-12 vocabulary, checked by form, without the keywords that would need
 * something from outside (`$dynamicRef`, remote references). Spec: DEF-schema-valid.
 */
import { isJsonObject, type Json, type JsonObject, pointerTo, SwlError } from "@swl/base";
import { forms, misfit, type Plain, type Structure } from "./schema-keywords.js";
import { readPattern } from "./schema-pattern.js";

export interface SchemaFinding {
  readonly pointer: string;
  readonly message: string;
}

/** Schemas inside each other. */
const maxSchemaDepth = 500;
/** Schemas in one schema, shared ones counted each time: as many as a document has values. */
const maxSchemas = 10_000_000;

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

  /** Work that may take only so many of the steps that are left. */
  within<T>(steps: number, work: () => T): T {
    const rest = Math.max(0, this.#left - steps);
    this.#left -= rest;
    try {
      return work();
    } finally {
      this.#left = Math.max(0, this.#left) + rest;
    }
  }
}

export interface Inspected {
  readonly findings: readonly SchemaFinding[];
  /** Some part has a `$ref`, an `$id` or an `$anchor`: whether these are right is seen when they are resolved. */
  readonly refers: boolean;
}

/** Inspects one schema by form, in linear time. */
export function inspectSchema(schema: Json): Inspected {
  const inspector = new Inspector();
  try {
    inspector.schema(schema);
  } catch {
    // A value that throws when it is looked at, or that has no end: what was found stands.
    const findings = [{ pointer: "", message: "the schema cannot be read, or is too large" }];
    return { findings: [...inspector.findings, ...findings], refers: inspector.refers };
  }
  return inspector;
}

class Inspector implements Inspected {
  readonly findings: SchemaFinding[] = [];
  refers = false;
  /** From the root to the value at hand: a pointer is made only when something is wrong. */
  readonly #path: (string | number)[] = [];
  #depth = 0;
  #left = maxSchemas;

  schema(schema: Json): void {
    if (--this.#left < 0) throw new SwlError("definition.schema-invalid", "too many schemas");
    if (typeof schema === "boolean") return;
    if (!isJsonObject(schema)) this.#note("a schema is an object, true or false");
    else if (this.#depth < maxSchemaDepth) this.#keywords(schema);
    else this.#note(`schemas are nested deeper than ${maxSchemaDepth} levels`);
  }

  #keywords(schema: JsonObject): void {
    this.#depth++;
    for (const key of Object.keys(schema)) {
      const form = forms.get(key);
      if (form === undefined) continue;
      this.#path.push(key);
      this.#keyword(key, form, schema[key]!);
      this.#path.pop();
    }
    this.#depth--;
  }

  #keyword(key: string, form: Structure | Plain, value: Json): void {
    switch (form) {
      case "schema":
        this.schema(value);
        break;
      case "list":
        this.#list(value);
        break;
      case "map":
        this.#map(value);
        break;
      case "patterns":
        this.#map(value);
        if (isJsonObject(value)) this.#names(value);
        break;
      case "pattern":
        this.#pattern(value);
        break;
      case "texts-map":
        this.#textsMap(value);
        break;
      case "ref":
      case "id":
      case "anchor":
        this.refers = true;
        this.#reference(form, value);
        break;
      case "refused":
        this.#note(`${key} is not supported; use $ref`);
        break;
      default:
        this.#plain(form, value);
    }
  }

  #list(value: Json): void {
    if (!Array.isArray(value) || value.length === 0) this.#note("expected a list of schemas");
    else for (let index = 0; index < value.length; index++) this.#inside(index, value[index] as Json);
  }

  #map(value: Json): void {
    if (!isJsonObject(value)) this.#note("expected an object of schemas");
    else for (const name of Object.keys(value)) this.#inside(name, value[name]!);
  }

  #inside(step: string | number, schema: Json): void {
    this.#path.push(step);
    this.schema(schema);
    this.#path.pop();
  }

  /** Names that are patterns. */
  #names(value: JsonObject): void {
    for (const name of Object.keys(value)) {
      this.#path.push(name);
      this.#pattern(name);
      this.#path.pop();
    }
  }

  #pattern(value: Json): void {
    const pattern = typeof value === "string" ? readPattern(value) : "expected a regular expression";
    if (typeof pattern === "string") this.#note(pattern);
  }

  #textsMap(value: Json): void {
    if (!isJsonObject(value)) this.#note("expected an object of lists");
    else {
      for (const name of Object.keys(value)) {
        this.#path.push(name);
        this.#plain("texts", value[name]!);
        this.#path.pop();
      }
    }
  }

  #reference(form: "ref" | "id" | "anchor", value: Json): void {
    if (typeof value !== "string") this.#note("expected a text");
    else if (form === "anchor" && !/^[A-Za-z_][-A-Za-z0-9._]*$/.test(value)) {
      this.#note("expected an anchor name");
    }
  }

  #plain(form: Plain, value: Json): void {
    const expected = misfit(form, value);
    if (expected !== undefined) this.#note(expected);
  }

  #note(message: string): void {
    this.findings.push({ pointer: pointerTo("", ...this.#path), message });
  }
}
