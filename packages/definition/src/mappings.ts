/**
 * The `minimal` mapping profile: JSON in which `{"$get": [root, …segments]}` stands for a value of the evaluation
 * context and `{"$literal": any}` for itself. Compiled once, evaluated without copying what `$get` points at; a path
 * that leads nowhere is an error, never null. Pure, own properties only. Spec: DEF-mapping-paths.
 */
import { isJsonObject, type Json, type JsonObject, own, pointerTo, SwlError, setOwn } from "@swl/base";

/** Levels of arrays and objects that a mapping itself may have; what `$get` copies in does not count. */
export const maxMappingDepth = 1_000;

export const mappingRoots = ["input", "nodes", "from", "run"] as const;
export type MappingRoot = (typeof mappingRoots)[number];
export type PathSegment = string | number;

/** The latest result of a node. */
export interface NodeResult {
  readonly outcome: string;
  readonly output: Json;
  readonly visit: number;
}

/** What a mapping sees. Nodes are reached through functions, so that an engine builds no object for them. */
export interface MappingContext {
  readonly input: Json;
  /** The latest result of a node; `undefined` when it has none yet. */
  node(id: string): NodeResult | undefined;
  /** Nodes that have a result; asked only when a mapping takes `["nodes"]` as a whole. */
  nodeIds(): Iterable<string>;
  /** `{node, route, outcome, output, visit}`, or null at start. */
  readonly from: Json | null;
  /** `{id, definition}` */
  readonly run: Json;
}

export type MappingResult =
  | { readonly ok: true; readonly value: Json }
  | {
      readonly ok: false;
      readonly code: "mapping.missing-path" | "mapping.too-deep";
      readonly message: string;
      /** The `$get` path up to and with the segment that is missing; empty for `mapping.too-deep`. */
      readonly path: readonly PathSegment[];
    };

/** A compiled mapping: opaque, immutable, good for any number of evaluations. */
export type Mapping =
  | { readonly op: "value"; readonly value: Json }
  | { readonly op: "get"; readonly root: MappingRoot; readonly segments: readonly PathSegment[] }
  | { readonly op: "array"; readonly items: readonly Mapping[] }
  | { readonly op: "object"; readonly keys: readonly string[]; readonly values: readonly Mapping[] }
  | { readonly op: "too-deep" };

/**
 * Compiles a mapping. Throws `mapping.operator` or `mapping.path` for one that validation refuses. A part without
 * operators is kept as it is and shared by every result.
 */
export function compileMapping(mapping: Json): Mapping {
  return compile(mapping, "", 0);
}

/** Evaluates a compiled mapping. Keys are visited in UTF-16 order, which decides what is reported as missing. */
export function evaluateMapping(mapping: Mapping, context: MappingContext): MappingResult {
  switch (mapping.op) {
    case "value":
      return { ok: true, value: mapping.value };
    case "get":
      return read(mapping.root, mapping.segments, context);
    case "array": {
      const items: Json[] = [];
      for (const item of mapping.items) {
        const result = evaluateMapping(item, context);
        if (!result.ok) return result;
        items.push(result.value);
      }
      return { ok: true, value: items };
    }
    case "object": {
      const object: { [key: string]: Json } = {};
      for (let index = 0; index < mapping.keys.length; index++) {
        const result = evaluateMapping(mapping.values[index]!, context);
        if (!result.ok) return result;
        setOwn(object, mapping.keys[index]!, result.value);
      }
      return { ok: true, value: object };
    }
    case "too-deep": {
      const message = `the mapping is nested deeper than ${maxMappingDepth} levels`;
      return { ok: false, code: "mapping.too-deep", message, path: [] };
    }
  }
}

function compile(mapping: Json, pointer: string, depth: number): Mapping {
  if (typeof mapping !== "object" || mapping === null) return { op: "value", value: mapping };
  if (depth >= maxMappingDepth) return { op: "too-deep" };
  if (Array.isArray(mapping)) {
    const items = mapping.map((item: Json, index) => compile(item, `${pointer}/${index}`, depth + 1));
    return items.every((item) => item.op === "value")
      ? { op: "value", value: mapping }
      : { op: "array", items };
  }
  const object = mapping as JsonObject;
  const keys = Object.keys(object);
  if (keys.some((key) => key.startsWith("$"))) return compileOperator(object, keys, pointer);
  keys.sort();
  const values = keys.map((key) => compile(object[key]!, pointerTo(pointer, key), depth + 1));
  if (values.every((value) => value.op === "value")) return { op: "value", value: mapping };
  return { op: "object", keys, values };
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
  if (unknown !== undefined)
    return `${JSON.stringify(unknown)} is not an operator of the minimal mapping profile`;
  if (keys.length > 1) return `an operator is the only key of its object, found ${keys.length} keys`;
  return undefined;
}

/** Why a value is not a `$get` path; `undefined` when it is one. */
export function pathProblem(path: Json): string | undefined {
  if (!Array.isArray(path) || path.length === 0) return `"$get" takes a list that begins with a root`;
  if (!mappingRoots.includes(path[0])) {
    return `a path begins with ${mappingRoots.join(", ")}, found ${JSON.stringify(path[0]).slice(0, 60)}`;
  }
  for (const segment of path) {
    if (typeof segment !== "string" && !(Number.isSafeInteger(segment) && segment >= 0)) {
      return `a path segment is a key or an index from 0, found ${JSON.stringify(segment).slice(0, 60)}`;
    }
  }
  return undefined;
}

function read(root: MappingRoot, segments: readonly PathSegment[], context: MappingContext): MappingResult {
  if (root === "nodes") {
    if (segments.length === 0) return { ok: true, value: allNodes(context) };
    const id = segments[0]!;
    const result = typeof id === "string" ? context.node(id) : undefined;
    if (result === undefined) return missing(root, segments, 0, "the node has no result yet");
    const value: JsonObject = { outcome: result.outcome, output: result.output, visit: result.visit };
    return walk(value, root, segments, 1);
  }
  return walk(context[root], root, segments, 0);
}

function walk(
  start: Json,
  root: MappingRoot,
  segments: readonly PathSegment[],
  first: number,
): MappingResult {
  let value = start;
  for (let index = first; index < segments.length; index++) {
    const segment = segments[index]!;
    let next: Json | undefined;
    if (typeof segment === "number") {
      if (!Array.isArray(value)) return missing(root, segments, index, `${nameOf(value)} has no index`);
      next = value[segment];
    } else {
      if (!isJsonObject(value)) return missing(root, segments, index, `${nameOf(value)} has no keys`);
      next = own(value, segment);
    }
    if (next === undefined) return missing(root, segments, index, "there is none");
    value = next;
  }
  return { ok: true, value };
}

function missing(
  root: MappingRoot,
  segments: readonly PathSegment[],
  index: number,
  why: string,
): MappingResult {
  const path = [root, ...segments.slice(0, index + 1)];
  const message = `nothing at ${JSON.stringify([root, ...segments])}: looking for ${JSON.stringify(segments[index])}, ${why}`;
  return { ok: false, code: "mapping.missing-path", message, path };
}

function allNodes(context: MappingContext): Json {
  const nodes: { [id: string]: Json } = {};
  for (const id of context.nodeIds()) {
    const result = context.node(id);
    if (result) setOwn(nodes, id, { outcome: result.outcome, output: result.output, visit: result.visit });
  }
  return nodes;
}

function nameOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
