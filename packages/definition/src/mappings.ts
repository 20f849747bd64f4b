/**
 * The `minimal` mapping profile: JSON in which `{"$get": [root, …segments]}` stands for a value of the evaluation
 * context and `{"$literal": any}` for itself. Compiled once, evaluated without copying what `$get` points at; a path
 * that leads nowhere is an error, never null. Depth and size of a result are bounded. Pure, own properties only.
 * Spec: DEF-mapping-paths.
 */
import { excerpt, isJsonObject, type Json, type JsonObject, own, quoted, setOwn } from "@swl/base";
import type { Mapping, MappingRoot, PathSegment } from "./mapping-compile.js";
import { keyNodes, maxMappingDepth, maxMappingNodes, type Size, sizeOf } from "./mapping-size.js";

export type { Mapping, MappingRoot, PathSegment } from "./mapping-compile.js";
export { compileMapping, mappingRoots, operatorProblem, pathProblem } from "./mapping-compile.js";
export { maxMappingDepth, maxMappingNodes } from "./mapping-size.js";

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
  | {
      readonly ok: true;
      readonly value: Json;
      /** Values in the result, shared ones each time, and one more for every 64 characters of a text or a key. */
      readonly nodes: number;
    }
  | {
      readonly ok: false;
      readonly code: "mapping.missing-path" | "mapping.too-deep" | "mapping.too-large";
      readonly message: string;
      /** The `$get` path up to and with the segment that is missing; empty for the other codes. */
      readonly path: readonly PathSegment[];
    };

export interface EvaluateOptions {
  /** Nodes that the result may have, counted as in `MappingResult`; at most 10,000,000, which is the default. */
  readonly maxNodes?: number;
}

type Failure = Extract<MappingResult, { ok: false }>;

/**
 * Evaluates a compiled mapping. Keys are visited in UTF-16 order, which decides what is reported as missing. A result
 * has at most 1,000 levels (`mapping.too-deep`) and `maxNodes` nodes (`mapping.too-large`); it is given up as soon as
 * it has more. Throws only what the context throws.
 */
export function evaluateMapping(
  mapping: Mapping,
  context: MappingContext,
  options?: EvaluateOptions,
): MappingResult {
  const evaluation = new Evaluation(context, Math.min(options?.maxNodes ?? maxMappingNodes, maxMappingNodes));
  const value = evaluation.build(mapping, 0);
  if (value === undefined) return evaluation.failure ?? nothing;
  return { ok: true, value, nodes: evaluation.nodes };
}

/** One evaluation: what is built so far is counted, and the first failure ends it. */
class Evaluation {
  readonly #context: MappingContext;
  readonly #maxNodes: number;
  nodes = 0;
  failure: Failure | undefined;

  constructor(context: MappingContext, maxNodes: number) {
    this.#context = context;
    this.#maxNodes = maxNodes;
  }

  /** The value, or `undefined` when there is a failure. */
  build(mapping: Mapping, depth: number): Json | undefined {
    switch (mapping.op) {
      case "value":
        return this.#shared(mapping.value, depth);
      case "get": {
        const found = this.#read(mapping.root, mapping.segments);
        return found === undefined ? undefined : this.#shared(found, depth);
      }
      case "array":
        return this.#array(mapping.items, depth);
      case "object":
        return this.#object(mapping.keys, mapping.values, depth);
      case "too-deep":
        return this.#fail(tooDeep);
    }
  }

  #array(mappings: readonly Mapping[], depth: number): Json | undefined {
    if (!this.#fits(container, depth)) return undefined;
    const items: Json[] = [];
    for (const mapping of mappings) {
      const item = this.build(mapping, depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items;
  }

  #object(keys: readonly string[], mappings: readonly Mapping[], depth: number): Json | undefined {
    if (!this.#fits(container, depth)) return undefined;
    const object: { [key: string]: Json } = {};
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index]!;
      this.nodes += keyNodes(key);
      const value = this.build(mappings[index]!, depth + 1);
      if (value === undefined) return undefined;
      setOwn(object, key, value);
    }
    return object;
  }

  #read(root: MappingRoot, segments: readonly PathSegment[]): Json | undefined {
    const context = this.#context;
    if (root !== "nodes") return this.#walk(context[root], root, segments, 0);
    if (segments.length === 0) return allNodes(context);
    const id = segments[0]!;
    const result = typeof id === "string" ? context.node(id) : undefined;
    if (result === undefined) return this.#missing(root, segments, 0, "the node has no result yet");
    return this.#walk(asJson(result), root, segments, 1);
  }

  #walk(start: Json, root: MappingRoot, segments: readonly PathSegment[], first: number): Json | undefined {
    let value = start;
    for (let index = first; index < segments.length; index++) {
      const segment = segments[index]!;
      let next: Json | undefined;
      if (typeof segment === "number") {
        if (!Array.isArray(value)) {
          return this.#missing(root, segments, index, `${nameOf(value)} has no index`);
        }
        next = value[segment];
      } else {
        if (!isJsonObject(value)) return this.#missing(root, segments, index, `${nameOf(value)} has no keys`);
        next = own(value, segment);
      }
      if (next === undefined) return this.#missing(root, segments, index, "there is none");
      value = next;
    }
    return value;
  }

  #missing(root: MappingRoot, segments: readonly PathSegment[], index: number, why: string): undefined {
    const path = [root, ...segments.slice(0, index + 1)];
    const message = `nothing at ${excerpt(JSON.stringify([root, ...segments]), longestPath)}: looking for ${segmentText(segments[index])}, ${why}`;
    return this.#fail({ ok: false, code: "mapping.missing-path", message, path });
  }

  /** A value that stands elsewhere too, if it fits. */
  #shared(value: Json, depth: number): Json | undefined {
    return this.#fits(sizeOf(value), depth) ? value : undefined;
  }

  #fits(size: Size, depth: number): boolean {
    this.nodes += size.nodes;
    if (depth + size.depth > maxMappingDepth) this.#fail(tooDeep);
    else if (this.nodes > this.#maxNodes) {
      const message = `the result of the mapping has more than ${this.#maxNodes} nodes`;
      this.#fail({ ok: false, code: "mapping.too-large", message, path: [] });
    }
    return this.failure === undefined;
  }

  #fail(failure: Failure): undefined {
    this.failure = failure;
  }
}

/** Code units of a path that a message shows. */
const longestPath = 200;

function segmentText(segment: PathSegment | undefined): string {
  return typeof segment === "string" ? quoted(segment, longestPath) : String(segment);
}

/** An array or an object, without what is in it. */
const container: Size = { depth: 1, nodes: 1 };

/** Of a context that has no such root, which is no JSON. */
const nothing: Failure = { ok: false, code: "mapping.missing-path", message: "nothing is there", path: [] };

const tooDeep: Failure = {
  ok: false,
  code: "mapping.too-deep",
  message: `the result of the mapping is nested deeper than ${maxMappingDepth} levels`,
  path: [],
};

function allNodes(context: MappingContext): Json {
  const nodes: { [id: string]: Json } = {};
  for (const id of context.nodeIds()) {
    const result = context.node(id);
    if (result) setOwn(nodes, id, asJson(result));
  }
  return nodes;
}

function asJson({ outcome, output, visit }: NodeResult): JsonObject {
  return { outcome, output, visit };
}

function nameOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
