/**
 * The keywords of JSON Schema 2020-12 that are looked at, and the form that the value of each has. What is not listed
 * says nothing, as the dialect has it for unknown keywords. Spec: DEF-schema-valid.
 */
import type { Json } from "@swl/base";

export const schemaDialect = "https://json-schema.org/draft/2020-12/schema";

/** Forms of values that hold schemas, or of which more is to be known than whether they are right. */
export type Structure =
  | "schema"
  | "list"
  | "map"
  | "patterns"
  | "pattern"
  | "texts-map"
  | "ref"
  | "id"
  | "anchor"
  | "refused";

/** Forms of values that are right or wrong by themselves. */
export type Plain = "number" | "positive" | "count" | "flag" | "any" | "type" | "enum" | "texts" | "dialect";

const keywords: { readonly [form in Structure | Plain]: string } = {
  schema:
    "not if then else contains items additionalProperties unevaluatedProperties unevaluatedItems propertyNames",
  list: "allOf anyOf oneOf prefixItems",
  map: "$defs definitions properties dependentSchemas",
  patterns: "patternProperties",
  pattern: "pattern",
  "texts-map": "dependentRequired",
  ref: "$ref",
  id: "$id",
  anchor: "$anchor",
  refused: "$dynamicRef $dynamicAnchor $vocabulary",
  number: "minimum maximum exclusiveMinimum exclusiveMaximum",
  positive: "multipleOf",
  count: "minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains",
  flag: "uniqueItems",
  any: "const",
  type: "type",
  enum: "enum",
  texts: "required",
  dialect: "$schema",
};

/** By keyword. */
export const forms: ReadonlyMap<string, Structure | Plain> = new Map(
  Object.entries(keywords).flatMap(([form, words]) =>
    words.split(" ").map((word): [string, Structure | Plain] => [word, form as Structure | Plain]),
  ),
);

const types = ["null", "boolean", "object", "array", "number", "string", "integer"];

/** What is expected of a value that stands by itself, where it is something else; `undefined` where it is right. */
export function misfit(form: Plain, value: Json): string | undefined {
  switch (form) {
    case "number":
      return typeof value === "number" ? undefined : "expected a number";
    case "positive":
      return typeof value === "number" && value > 0 ? undefined : "expected a number above 0";
    case "count":
      return Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : "expected an integer from 0";
    case "flag":
      return typeof value === "boolean" ? undefined : "expected true or false";
    case "any":
      return undefined;
    case "type":
      return isType(value) ? undefined : `expected one of ${types.join(", ")}, or a list of these, each once`;
    case "enum":
      return Array.isArray(value) ? undefined : "expected a list of values";
    case "texts":
      return areTexts(value) ? undefined : "expected a list of different texts";
    case "dialect":
      return value === schemaDialect ? undefined : `the dialect is ${schemaDialect}`;
  }
}

function isType(value: Json): boolean {
  if (typeof value === "string") return types.includes(value);
  if (!Array.isArray(value) || value.length === 0 || value.length > types.length) return false;
  return value.every((item, index) => types.includes(item) && value.indexOf(item) === index);
}

function areTexts(value: Json): boolean {
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) return false;
  return value.length < 2 || new Set(value).size === value.length;
}
