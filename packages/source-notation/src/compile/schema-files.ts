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

/** The member that holds a schema as it is, when the value is one: in it `$schemaFile` is a keyword like any other. */
export function schemaLiteralOf(schema: Json): { readonly schema: Json } | undefined {
  if (!isJsonObject(schema) || !Object.hasOwn(schema, "$schemaLiteral")) return undefined;
  return { schema: own(schema, "$schemaLiteral") ?? null };
}

/** Keywords whose members are named by the author, and keywords that hold data: in both the word is no reference. */
const NAMED: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependentRequired",
]);
const DATA: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);

/** The word, and what is likely to be meant for it: no keyword of JSON Schema is called so. */
function isFileWord(key: string): boolean {
  return key.toLowerCase().replace(/[-_]/g, "") === "$schemafile";
}

/**
 * Pointers of each `$schemaFile`, however it is spelt, inside a schema: files stand for whole schemas of the settings only, never for a part
 * of one, nor for another file. The root is looked at too.
 */
export function nestedReferences(schema: Json): readonly string[] {
  const found: string[] = [];
  const rest: { readonly value: Json; readonly pointer: string; readonly named: boolean }[] = [
    { value: schema, pointer: "", named: false },
  ];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { value, pointer, named } = next;
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries())
        rest.push({ value: item as Json, pointer: pointerTo(pointer, index), named: false });
    } else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        const at = pointerTo(pointer, key);
        if (!named && isFileWord(key)) found.push(at);
        else if (named || !DATA.has(key))
          rest.push({ value: member, pointer: at, named: !named && NAMED.has(key) });
      }
    }
  }
  return found;
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
