/**
 * Random JSON and random schemas of the keywords `type`, `properties`, `required`, `enum`, `items`. Names and values are
 * chosen for what trips implementations: names of prototypes, keys that sort otherwise in UTF-8 than in UTF-16, numbers
 * at the edges of binary64, empty texts.
 */
import { type Json, setOwn } from "@swl/base";
import type { Random } from "./random.ts";

export const names = [
  "a",
  "b",
  "n",
  "",
  "__proto__",
  "constructor",
  "toString",
  "0",
  "10",
  "2",
  "a/b~c",
  "%41",
] as const;
const strangeNames = [
  "\u{1F600}",
  "\uFF5E",
  "é",
  "e\u0301",
  "length",
  "valueOf",
  " ",
  "\u0000",
  '"',
  "$ ",
] as const;
const texts = [
  "",
  "ok",
  "x",
  "null",
  "\u{1D11E}",
  "line\nbreak",
  "tab\t",
  "\u2028",
  "a".repeat(70),
  "\\",
  "0",
] as const;
const numbers = [
  0, 1, -1, 7, 0.5, -0.1, 1e21, 1e300, 5e-324, 1.7976931348623157e308, 9007199254740991, -9007199254740991,
  0.1, 1e-7, 123456789012345680000, 333333333.3333333, 100,
] as const;

export function someName(random: Random): string {
  return random.oneIn(5) ? random.pick(strangeNames) : random.pick(names);
}

export function someText(random: Random): string {
  return random.pick(texts);
}

export function someValue(random: Random, depth = 3): Json {
  switch (random.int(depth > 0 ? 9 : 6)) {
    case 0:
      return null;
    case 1:
      return random.oneIn(2);
    case 2:
    case 3:
      return random.pick(numbers);
    case 4:
    case 5:
      return someText(random);
    case 6:
      return Array.from({ length: random.int(4) }, () => someValue(random, depth - 1));
    default:
      return someObject(random, depth - 1);
  }
}

function someObject(random: Random, depth: number): Json {
  const object: { [name: string]: Json } = {};
  const members = random.int(4);
  for (let member = 0; member < members; member++) setOwn(object, someName(random), someValue(random, depth));
  return object;
}

const types = ["null", "boolean", "object", "array", "number", "string", "integer"] as const;

export function someSchema(random: Random, depth = 2): Json {
  if (random.oneIn(12)) return !random.oneIn(3);
  const schema: { [keyword: string]: Json } = {};
  if (random.oneIn(2))
    schema["type"] = random.oneIn(4) ? [random.pick(types), "object"].sort() : random.pick(types);
  if (Array.isArray(schema["type"])) schema["type"] = [...new Set(schema["type"])];
  if (random.oneIn(5)) schema["enum"] = unique([someValue(random, 2), someValue(random, 1), 1, "ok"]);
  if (depth > 0 && random.oneIn(2)) {
    const properties: { [name: string]: Json } = {};
    const count = 1 + random.int(3);
    for (let member = 0; member < count; member++) {
      setOwn(properties, someName(random), someSchema(random, depth - 1));
    }
    schema["properties"] = properties;
  }
  if (random.oneIn(5)) schema["required"] = [...new Set([someName(random), someName(random)])];
  if (depth > 0 && random.oneIn(4)) schema["items"] = someSchema(random, depth - 1);
  return schema;
}

function unique(values: readonly Json[]): readonly Json[] {
  const seen = new Map(values.map((value) => [JSON.stringify(value), value]));
  return [...seen.values()];
}

/** A value that has a good chance to fit the schema. */
export function likelyValue(random: Random, schema: Json | undefined, depth = 4): Json {
  if (typeof schema !== "object" || schema === null || random.oneIn(12) || depth === 0)
    return someValue(random, 2);
  const { type, enum: list, properties, required, items } = schema as { readonly [keyword: string]: Json };
  if (Array.isArray(list)) return random.pick(list as readonly Json[]);
  const kind = Array.isArray(type) ? random.pick(type as readonly string[]) : (type as string | undefined);
  switch (kind) {
    case "null":
      return null;
    case "boolean":
      return random.oneIn(2);
    case "number":
    case "integer":
      return random.pick(numbers.filter((number) => kind === "number" || Number.isInteger(number)));
    case "string":
      return someText(random);
    case "array":
      // Some are longer than an error names places.
      return Array.from({ length: random.oneIn(20) ? 19 + random.int(4) : random.int(3) }, () =>
        likelyValue(random, items, depth - 1),
      );
    default: {
      const object: { [name: string]: Json } = {};
      const known = (properties ?? {}) as { readonly [name: string]: Json };
      const wanted = new Set([...Object.keys(known), ...((required ?? []) as readonly string[])]);
      for (const name of wanted) {
        if (random.oneIn(8)) continue;
        const inner = Object.hasOwn(known, name) ? known[name] : undefined;
        setOwn(object, name, likelyValue(random, inner, depth - 1));
      }
      return kind === undefined && wanted.size === 0 ? someValue(random, 2) : object;
    }
  }
}
