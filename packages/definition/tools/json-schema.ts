/**
 * Writes `schema/*.schema.json` from the built schemas: `node tools/json-schema.ts` after a change of structure. A test
 * fails while the files say something else.
 */
import { writeFileSync } from "node:fs";
import { definitionJsonSchema, settingsJsonSchema } from "../dist/zod.js";

for (const [name, schema] of [
  ["definition", definitionJsonSchema()],
  ["settings", settingsJsonSchema()],
] as const) {
  const file = new URL(`../schema/${name}.schema.json`, import.meta.url);
  writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`);
}
