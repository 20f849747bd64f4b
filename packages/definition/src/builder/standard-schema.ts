/**
 * Schemas of a library in place of a JSON Schema: whatever follows Standard JSON Schema (zod from 4.2, ArkType,
 * Valibot with its converter) yields both the type that the compiler checks and the JSON Schema that the definition
 * carries. The interface is declared here as it is specified, so that nothing is needed at run time.
 * Spec: https://standardschema.dev/json-schema, DEF-normalized.
 */
import { type Diagnostic, isJsonObject, type JsonObject, own, quoted, toJson } from "@swl/base";
import type { JsonSchema } from "../model.js";
import { dialects } from "../registry.js";

/** What goes into something, or what comes out of it: `default`, `transform` and the like make them differ. */
export type SchemaSide = "input" | "output";

/** A value of a schema library that yields a JSON Schema: Standard JSON Schema, version 1. */
export interface StandardJsonSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema: {
      readonly [side in SchemaSide]: (options: { readonly target: "draft-2020-12" }) => {
        readonly [key: string]: unknown;
      };
    };
  };
}

/** Where a schema may stand in `defineWorkflow`. */
export type SchemaInput = JsonSchema | StandardJsonSchema;

/** The type that a schema says; `unknown` for a plain JSON Schema, about which the compiler knows nothing. */
export type TypeOf<Schema, Side extends SchemaSide> = Schema extends {
  readonly "~standard": { readonly types?: infer Types };
}
  ? NonNullable<Types> extends { readonly [side in Side]: infer Type }
    ? Type
    : unknown
  : unknown;

/** True for what says that it is of a library. Looking may throw: the value is a stranger's. */
export function isStandardSchema(value: unknown): value is StandardJsonSchema {
  if ((typeof value !== "object" || value === null) && typeof value !== "function") return false;
  const standard = (value as { readonly "~standard"?: unknown })["~standard"];
  // Two members of every such interface. A JSON Schema, which is data, holds no function.
  const { validate, jsonSchema } = (standard ?? {}) as { readonly [key: string]: unknown };
  return typeof validate === "function" || (typeof jsonSchema === "object" && jsonSchema !== null);
}

/** The JSON Schema of a library's value, or why there is none. Never throws. */
export type Written = { readonly schema: JsonSchema } | { readonly findings: readonly Diagnostic[] };

/**
 * Asks the library. `$schema` is left out where it says the dialect that the definition declares: what comes out is
 * what an author would have written by hand, and so is its identity.
 */
export function writtenSchema(value: StandardJsonSchema, side: SchemaSide, pointer: string): Written {
  let vendor = "the library";
  let written: unknown;
  try {
    const standard = value["~standard"];
    if (typeof standard.vendor === "string") vendor = standard.vendor;
    if (typeof standard.jsonSchema?.[side] !== "function") {
      return refused(pointer, `${word(vendor)} says no JSON Schema of this schema`, hint);
    }
    written = standard.jsonSchema[side]({ target: "draft-2020-12" });
  } catch (thrown) {
    return refused(pointer, `${word(vendor)} cannot say this schema as JSON Schema: ${reasonOf(thrown)}`);
  }
  const json = toJson(written);
  if (!json.ok) {
    return { findings: json.findings.map((found) => ({ ...found, pointer: `${pointer}${found.pointer}` })) };
  }
  if (typeof json.value === "boolean") return { schema: json.value };
  if (isJsonObject(json.value)) return { schema: withoutDialect(json.value) };
  return refused(pointer, `${word(vendor)} says something that is no JSON Schema`);
}

const hint =
  "what is asked is Standard JSON Schema: zod has it from 4.2; with zod/mini give z.toJSONSchema(schema)";

function refused(pointer: string, message: string, said?: string): Written {
  const finding = { code: "definition.schema-invalid", severity: "error", message, pointer } as const;
  return { findings: [said === undefined ? finding : { ...finding, hint: said }] };
}

function withoutDialect(schema: JsonObject): JsonObject {
  if (own(schema, "$schema") !== dialects.schema) return schema;
  const { $schema: _, ...rest } = schema;
  return rest;
}

function word(vendor: string): string {
  return /^[A-Za-z][\w .-]{0,40}$/.test(vendor) ? vendor : quoted(vendor);
}

/** The first line of what was thrown; a stranger's error may be anything. */
function reasonOf(thrown: unknown): string {
  try {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return quoted(message.split("\n", 1)[0] ?? "");
  } catch {
    return "it throws something that says nothing";
  }
}
