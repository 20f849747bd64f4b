/**
 * JSON Schemas (2020-12) of what an author may write, for editors and for whoever checks without this package. They
 * say the structure; what only rules can say (routes are complete, targets exist) is for `validate`.
 */
import type { JsonObject } from "@swl/base";
import * as z from "zod/mini";
import { definition, settings } from "./document-schemas.js";
import { containers, jsonSchema, type Schema } from "./members.js";
import { dialects } from "./registry.js";

/** The JSON Schema of a definition: as written, with or without defaults, so also of its normalized form. */
export function definitionJsonSchema(): JsonObject {
  return described(definition, "SWL definition");
}

/** The JSON Schema of `settings.json`. */
export function settingsJsonSchema(): JsonObject {
  return described(settings, "SWL settings");
}

function described(schema: Schema, title: string): JsonObject {
  const { $schema: _, ...rest } = inputOf(schema);
  return { $schema: dialects.schema, title, ...rest };
}

function inputOf(schema: Schema): JsonObject {
  const written = z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io: "input",
    reused: "inline",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema: json }) => {
      const more = zodSchema === jsonSchema ? { type: ["boolean", "object"] } : containerOf(zodSchema);
      Object.assign(json, more);
      if (json.additionalProperties === false) json.patternProperties = { "^x-": {} };
      // Lists of texts are sets; others, such as the cases of a choice, are not.
      if (json.type === "array" && !isObjectSchema(json.items)) json.uniqueItems = true;
    },
  });
  return written as JsonObject;
}

function isObjectSchema(items: unknown): boolean {
  return (items as { readonly type?: unknown } | undefined)?.type === "object";
}

function containerOf(schema: object): JsonObject | undefined {
  const container = containers.get(schema);
  if (!container) return undefined;
  const { $schema: _, ...value } = inputOf(container.value);
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = container.count ?? {};
  return {
    type: "object",
    ...(container.names && { propertyNames: { pattern: container.names.pattern.source } }),
    ...(min > 0 && { minProperties: min }),
    ...(max < Number.MAX_SAFE_INTEGER && { maxProperties: max }),
    additionalProperties: value,
  };
}
