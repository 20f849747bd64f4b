/**
 * What the keywords of one schema cost by their own size, whatever the value: names that are looked up in it and values
 * that it is compared with. And how a schema of any size shows in a reason. Spec: DEF-schema-dialect.
 */
import { isJsonObject, type Json, type JsonObject, setOwn } from "@swl/base";

/** Names that are looked up, or parts of values that are compared, for one step. */
export const namesPerStep = 20;
/** Beyond so many names of one schema each is a step: engines keep objects of that size another way, much slower. */
const manyNames = 1_000;
/** Texts and numbers that a value is compared with, for one step. */
const textsPerStep = 100;
/** Characters that a reason quotes of what was expected, for one step. */
const quotedPerStep = 64;
/** Parts of a value beyond which they are not counted. */
const maxParts = 10_000_000;
/** A reason is cut long before; no more is written out of what it quotes. */
const longestQuote = 500;

/** The steps of applying a schema once: one, and more only where it is large. */
export function staticSteps(schema: JsonObject): number {
  let names = size(schema["required"]) + size(schema["properties"]) + size(schema["dependentSchemas"]);
  const dependent = schema["dependentRequired"];
  if (isJsonObject(dependent)) for (const list of Object.values(dependent)) names += 1 + size(list);
  const looked = names > manyNames ? names : Math.floor(names / namesPerStep);
  return 1 + looked + compared(schema["enum"]) + compared(schema["const"]);
}

function size(value: Json | undefined): number {
  if (typeof value !== "object" || value === null) return 0;
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

function compared(value: Json | undefined): number {
  if (typeof value === "string") {
    return value.length <= longestQuote ? 0 : Math.floor(value.length / quotedPerStep);
  }
  if (typeof value !== "object" || value === null) return 0;
  if (Array.isArray(value) && value.every((item) => typeof item !== "object" || item === null)) {
    return Math.floor(value.length / textsPerStep);
  }
  return Math.floor(parts(value).values / namesPerStep);
}

/** The value of `enum` or `const`. */
export interface Choices {
  /** Objects in it, at any depth. */
  readonly objects: number;
  /** The same value, of which only the beginning is written out where it is large. */
  readonly shown: Json;
  readonly key: "enum" | "const";
}

export function choicesOf(value: Json, key: "enum" | "const"): Choices {
  if (typeof value !== "object" || value === null) return { objects: 0, shown: value, key };
  const copy = Array.isArray(value) ? [...value] : { ...value };
  // A member of this name is data, and stays.
  if (!Object.hasOwn(copy, "toJSON")) {
    const beginning = begin(value, { left: longestQuote });
    Object.defineProperty(copy, "toJSON", { value: () => beginning });
  }
  return { objects: parts(value).objects, shown: copy as Json, key };
}

interface Parts {
  values: number;
  objects: number;
}

function parts(value: Json, found: Parts = { values: 0, objects: 0 }): Parts {
  found.values++;
  // More than can be paid for: what shares its parts may have no end.
  if (typeof value !== "object" || value === null || found.values > maxParts) return found;
  if (!Array.isArray(value)) found.objects++;
  for (const inner of Object.values(value) as Json[]) parts(inner, found);
  return found;
}

/** A value whose JSON begins like that of another, and is not much longer than what is left. */
function begin(value: Json, room: { left: number }): Json {
  if (typeof value === "string") {
    const text = value.slice(0, Math.max(0, room.left));
    room.left -= text.length;
    return text;
  }
  room.left--;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (const item of value as readonly Json[]) {
      if (room.left <= 0) break;
      items.push(begin(item, room));
    }
    return items;
  }
  const object: { [key: string]: Json } = {};
  for (const key of Object.keys(value)) {
    if (room.left <= 0) break;
    room.left -= key.length;
    setOwn(object, key, begin((value as JsonObject)[key]!, room));
  }
  return object;
}
