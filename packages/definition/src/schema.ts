/**
 * The entry `./schema`: JSON Schema 2020-12 for whoever executes definitions. Loads the validator library, and neither
 * readers nor rules of definitions.
 */
import type { JsonSchema } from "./model.js";
import { compileSchema as compile, type SchemaCheck } from "./schema-check.js";

export type { SchemaCheck } from "./schema-check.js";
export { schemaFindings } from "./schema-check.js";
export { schemaDialect } from "./schema-keywords.js";
export type { SchemaFinding } from "./schema-rules.js";

/**
 * A check for a schema that `schemaFindings` accepts, built on first use. For one that it refuses, every value is
 * refused with the reason. A check of one value takes at most 1,000,000 steps; beyond, the value does not pass.
 */
export function compileSchema(schema: JsonSchema): SchemaCheck {
  return compile(schema);
}
