/**
 * What `var` and `val` read: the context of a node, without building an object for it, or one value inside an operator
 * that goes over a list. Own properties only. Spec: EXE-logic-context.
 */
import { isJsonObject, type Json, own, setOwn } from "@swl/base";
import type { PathSegment } from "./mapping-compile.js";
import type { MappingContext } from "./mappings.js";

export interface Scope {
  /** The value at a path; `undefined` when there is none. */
  find(path: readonly PathSegment[]): Json | undefined;
  /** What reading the whole costs, in values that are made for it. */
  readonly size: number;
}

/** One value. */
export function scopeOf(data: Json): Scope {
  return { find: (path) => walk(data, path, 0), size: 0 };
}

/** The roots `input`, `nodes`, `from` and `run`. */
export function contextScope(context: MappingContext): Scope {
  return new ContextScope(context);
}

class ContextScope implements Scope {
  readonly #context: MappingContext;

  constructor(context: MappingContext) {
    this.#context = context;
  }

  find(path: readonly PathSegment[]): Json | undefined {
    const context = this.#context;
    const [root, id] = path;
    switch (root) {
      case undefined:
        return { input: context.input, nodes: allNodes(context), from: context.from, run: context.run };
      case "input":
      case "from":
      case "run":
        return walk(context[root], path, 1);
      case "nodes": {
        if (id === undefined) return allNodes(context);
        const result = typeof id === "string" ? resultOf(context, id) : undefined;
        return result && walk(result, path, 2);
      }
    }
    return undefined;
  }

  get size(): number {
    let nodes = 0;
    for (const _ of this.#context.nodeIds()) nodes++;
    return nodes;
  }
}

function resultOf(context: MappingContext, id: string): Json | undefined {
  const result = context.node(id);
  return result && { outcome: result.outcome, output: result.output, visit: result.visit };
}

function allNodes(context: MappingContext): Json {
  const nodes: { [id: string]: Json } = {};
  for (const id of context.nodeIds()) {
    const result = resultOf(context, id);
    if (result !== undefined) setOwn(nodes, id, result);
  }
  return nodes;
}

function walk(start: Json, path: readonly PathSegment[], first: number): Json | undefined {
  let value: Json | undefined = start;
  for (let index = first; index < path.length && value !== undefined; index++) {
    value = step(value, path[index]!);
  }
  return value;
}

const decimalIndex = /^(?:0|[1-9]\d{0,14})$/;

function step(value: Json, segment: PathSegment): Json | undefined {
  if (Array.isArray(value)) {
    const isIndex = typeof segment === "number" || decimalIndex.test(segment);
    return isIndex ? (value as readonly Json[])[Number(segment)] : undefined;
  }
  return isJsonObject(value) ? own(value, String(segment)) : undefined;
}
