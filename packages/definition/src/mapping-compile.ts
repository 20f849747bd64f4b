/**
 * Compiles mappings of the `minimal` profile: operators and paths are checked once, keys are sorted once, and a part
 * without operators becomes one constant that every result shares. Spec: DEF-mapping-operators, DEF-mapping-paths.
 */
import { excerpt, type Json, type JsonObject, pointerTo, quoted, SwlError, setOwn } from "@swl/base";
import { looking } from "./looking.js";
import { maxMappingDepth, maxMappingNodes } from "./mapping-size.js";

export const mappingRoots = ["input", "nodes", "from", "run"] as const;
export type MappingRoot = (typeof mappingRoots)[number];
export type PathSegment = string | number;

/** A compiled mapping: opaque, immutable, good for any number of evaluations. */
export type Mapping =
  | { readonly op: "value"; readonly value: Json }
  | { readonly op: "get"; readonly root: MappingRoot; readonly segments: readonly PathSegment[] }
  | { readonly op: "array"; readonly items: readonly Mapping[] }
  | { readonly op: "object"; readonly keys: readonly string[]; readonly values: readonly Mapping[] }
  | { readonly op: "too-deep" };

/**
 * Compiles a mapping. Throws `mapping.operator` or `mapping.path` for one that validation refuses, `mapping.too-large`
 * beyond 10,000,000 values, shared ones counted each time, and `json.not-json` for a value that throws when it is
 * looked at. A part without operators is kept as it is and shared by every result.
 */
export function compileMapping(mapping: Json): Mapping {
  const compiler = new Compiler();
  return looking("json.not-json", "the mapping cannot be read", () => compiler.compile(mapping, "", 0));
}

class Compiler {
  #left = maxMappingNodes;

  compile(mapping: Json, pointer: string, depth: number): Mapping {
    if (--this.#left < 0) {
      const message = `a mapping has at most ${maxMappingNodes} values`;
      throw new SwlError("mapping.too-large", message, { pointer });
    }
    if (typeof mapping !== "object" || mapping === null) return { op: "value", value: mapping };
    const keys = Array.isArray(mapping) ? [] : Object.keys(mapping);
    if (keys.some((key) => key.startsWith("$"))) return compileOperator(mapping as JsonObject, keys, pointer);
    if (depth >= maxMappingDepth) return { op: "too-deep" };
    if (Array.isArray(mapping)) {
      const items = mapping.map((item: Json, index) => this.compile(item, `${pointer}/${index}`, depth + 1));
      const values = constants(items);
      if (!values) return { op: "array", items };
      // Not the same where a literal stood: what it quotes is the value.
      const same = values.every((value, index) => value === mapping[index]);
      return { op: "value", value: same ? mapping : values };
    }
    const object = mapping as JsonObject;
    keys.sort();
    const members = keys.map((key) => this.compile(object[key]!, pointerTo(pointer, key), depth + 1));
    const values = constants(members);
    if (!values) return { op: "object", keys, values: members };
    if (values.every((value, index) => value === object[keys[index]!]))
      return { op: "value", value: mapping };
    const built: { [key: string]: Json } = {};
    for (const [index, key] of keys.entries()) setOwn(built, key, values[index]!);
    return { op: "value", value: built };
  }
}

/** The values of mappings that all are constant. */
function constants(mappings: readonly Mapping[]): readonly Json[] | undefined {
  const values: Json[] = [];
  for (const mapping of mappings) {
    if (mapping.op !== "value") return undefined;
    values.push(mapping.value);
  }
  return values;
}

function compileOperator(object: JsonObject, keys: readonly string[], pointer: string): Mapping {
  const problem = operatorProblem(keys);
  if (problem !== undefined) throw new SwlError("mapping.operator", problem, { pointer });
  if (keys[0] === "$literal") return { op: "value", value: object["$literal"]! };
  const path = object["$get"]!;
  const fault = pathProblem(path);
  if (fault !== undefined) throw new SwlError("mapping.path", fault, { pointer });
  const [root, ...segments] = path as readonly [MappingRoot, ...PathSegment[]];
  return { op: "get", root, segments };
}

/** Why keys that hold an operator (one with `$`) are no operator object; `undefined` when they are one. */
export function operatorProblem(keys: readonly string[]): string | undefined {
  const unknown = keys.find((key) => key.startsWith("$") && key !== "$get" && key !== "$literal");
  if (unknown !== undefined) return `${quoted(unknown)} is not an operator of the minimal mapping profile`;
  if (keys.length > 1) return `an operator is the only key of its object, found ${keys.length} keys`;
  return undefined;
}

/** Why a value is not a `$get` path; `undefined` when it is one. */
export function pathProblem(path: Json): string | undefined {
  if (!Array.isArray(path) || path.length === 0) return `"$get" takes a list that begins with a root`;
  if (!mappingRoots.includes(path[0])) {
    return `a path begins with ${mappingRoots.join(", ")}, found ${excerpt(JSON.stringify(path[0]))}`;
  }
  for (const segment of path) {
    if (typeof segment !== "string" && !(Number.isSafeInteger(segment) && segment >= 0)) {
      return `a path segment is a key or an index from 0, found ${excerpt(JSON.stringify(segment))}`;
    }
  }
  return undefined;
}
