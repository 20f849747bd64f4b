/**
 * Which keywords of JSON Schema 2020-12 the schemas of a definition use: a subject that checks only some of them is
 * not asked about the others. Annotations, and what no dialect knows, are no demands. Spec: CNF-stdio-subject.
 */
import { isJsonObject, type Json, own } from "@swl/base";

type Inside = "nothing" | "schema" | "schemas" | "named";

const keywords: { readonly [keyword: string]: Inside } = {
  $ref: "nothing",
  type: "nothing",
  enum: "nothing",
  const: "nothing",
  multipleOf: "nothing",
  maximum: "nothing",
  exclusiveMaximum: "nothing",
  minimum: "nothing",
  exclusiveMinimum: "nothing",
  maxLength: "nothing",
  minLength: "nothing",
  pattern: "nothing",
  maxItems: "nothing",
  minItems: "nothing",
  uniqueItems: "nothing",
  maxContains: "nothing",
  minContains: "nothing",
  maxProperties: "nothing",
  minProperties: "nothing",
  required: "nothing",
  dependentRequired: "nothing",
  allOf: "schemas",
  anyOf: "schemas",
  oneOf: "schemas",
  prefixItems: "schemas",
  not: "schema",
  if: "schema",
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: "schema",
  else: "schema",
  items: "schema",
  contains: "schema",
  additionalProperties: "schema",
  propertyNames: "schema",
  unevaluatedItems: "schema",
  unevaluatedProperties: "schema",
  properties: "named",
  patternProperties: "named",
  dependentSchemas: "named",
  $defs: "named",
};

/** Sorted. Takes any JSON: what is no definition uses none. */
export function schemaKeywordsOf(definition: Json): readonly string[] {
  const found = new Set<string>();
  if (!isJsonObject(definition)) return [];
  collect(own(definition, "inputSchema"), found);
  collect(own(definition, "outputSchema"), found);
  for (const contract of valuesOf(own(definition, "actions"))) {
    if (!isJsonObject(contract)) continue;
    collect(own(contract, "inputSchema"), found);
    collect(own(contract, "parametersSchema"), found);
    for (const outcome of valuesOf(own(contract, "outcomes"))) {
      if (isJsonObject(outcome)) collect(own(outcome, "outputSchema"), found);
    }
  }
  for (const node of valuesOf(own(definition, "nodes"))) {
    if (!isJsonObject(node)) continue;
    for (const schema of valuesOf(own(node, "payloads"))) collect(schema, found);
  }
  return [...found].sort();
}

function collect(schema: Json | undefined, found: Set<string>): void {
  if (!isJsonObject(schema)) return;
  for (const [keyword, value] of Object.entries(schema)) {
    const inside = own(keywords, keyword) as Inside | undefined;
    if (inside === undefined) continue;
    if (keyword !== "$defs") found.add(keyword);
    if (inside === "schema") collect(value, found);
    else if (inside !== "nothing") for (const inner of valuesOf(value)) collect(inner, found);
  }
}

function valuesOf(value: Json | undefined): readonly Json[] {
  return typeof value === "object" && value !== null ? Object.values(value) : [];
}
