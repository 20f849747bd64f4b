/**
 * Whether a schema rules out that anything stands at a path: only by what it says plainly (`type`, `properties` with
 * `additionalProperties: false`, `prefixItems` with `items: false`). In doubt the answer is no.
 */
import { isJsonObject, type Json, own } from "@swl/base";
import type { PathSegment } from "./mappings.js";
import type { JsonSchema } from "./model.js";

/** The index of the first segment that the schema rules out; `undefined` when it rules out none. */
export function excludes(schema: JsonSchema, path: readonly PathSegment[]): number | undefined {
  let current: Json | undefined = schema;
  for (let index = 0; index < path.length; index++) {
    if (current === false) return index;
    if (!isJsonObject(current) || own(current, "$ref") !== undefined) return undefined;
    const step = path[index]!;
    if (!allowsType(own(current, "type"), typeof step === "number" ? "array" : "object")) return index;
    const next: Json | undefined = typeof step === "number" ? element(current, step) : member(current, step);
    if (next === false) return index;
    current = next;
  }
  return undefined;
}

function allowsType(type: Json | undefined, wanted: string): boolean {
  if (type === undefined) return true;
  return Array.isArray(type) ? type.includes(wanted) : type === wanted;
}

function member(schema: { readonly [key: string]: Json }, key: string): Json | undefined {
  const properties = own(schema, "properties");
  if (isJsonObject(properties) && Object.hasOwn(properties, key)) return properties[key];
  if (own(schema, "patternProperties") !== undefined) return undefined;
  return own(schema, "additionalProperties");
}

function element(schema: { readonly [key: string]: Json }, index: number): Json | undefined {
  const prefix = own(schema, "prefixItems");
  if (Array.isArray(prefix) && index < prefix.length) return prefix[index];
  return own(schema, "items");
}
