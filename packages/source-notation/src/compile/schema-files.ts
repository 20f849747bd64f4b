/**
 * Where settings may hold JSON Schemas, and the files that they name instead: `{"$schemaFile": "schemas/a.json"}`
 * stands for the whole content of that file. Declared, never discovered. Spec: DOT-schema-files.
 */
import { isJsonObject, type Json, type JsonObject, own, pointerTo, setOwn } from "@swl/base";

/** `*` stands for each member. */
const SCHEMA_POSITIONS: readonly (readonly string[])[] = [
  ["inputSchema"],
  ["outputSchema"],
  ["actions", "*", "inputSchema"],
  ["actions", "*", "parametersSchema"],
  ["actions", "*", "outcomes", "*", "outputSchema"],
  ["nodes", "*", "payloads", "*"],
];

export type Visit = (schema: Json, pointer: string) => Json;

function replaceAt(value: Json, path: readonly string[], pointer: string, visit: Visit): Json {
  const [head, ...rest] = path;
  if (head === undefined) return visit(value, pointer);
  if (!isJsonObject(value)) return value;
  const keys = head === "*" ? Object.keys(value) : Object.hasOwn(value, head) ? [head] : [];
  if (keys.length === 0) return value;
  const copy: { [key: string]: Json } = {};
  for (const key of Object.keys(value)) setOwn(copy, key, value[key] ?? null);
  for (const key of keys) {
    setOwn(copy, key, replaceAt(own(value, key) ?? null, rest, pointerTo(pointer, key), visit));
  }
  return copy;
}

/** A copy of the settings in which `visit` has replaced each schema. */
export function replaceSchemas(settings: JsonObject, visit: Visit): JsonObject {
  return SCHEMA_POSITIONS.reduce<Json>(
    (value, path) => replaceAt(value, path, "", visit),
    settings,
  ) as JsonObject;
}

/** The member that names a file, when the value is a reference; its value is not checked. */
export function schemaFileOf(schema: Json): { readonly file: Json } | undefined {
  if (!isJsonObject(schema) || !Object.hasOwn(schema, "$schemaFile")) return undefined;
  return { file: own(schema, "$schemaFile") ?? null };
}

/** The file names that settings declare, each once, in order of appearance; names that are no strings are left out. */
export function declaredFiles(settings: Json): readonly string[] {
  const files = new Set<string>();
  if (!isJsonObject(settings)) return [];
  replaceSchemas(settings, (schema) => {
    const file = schemaFileOf(schema)?.file;
    if (typeof file === "string") files.add(file);
    return schema;
  });
  return [...files];
}
