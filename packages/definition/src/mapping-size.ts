/**
 * How large a value is that a mapping points at: how deep, and how many nodes it adds to a result. Values are immutable,
 * so that what took time to measure is remembered for as long as the value lives. Spec: DEF-mapping-paths.
 */
import type { Json } from "@swl/base";

/** Levels of arrays and objects that the result of a mapping may have. */
export const maxMappingDepth = 1_000;
/** Nodes that the result of a mapping may have at most, and when the caller names no other number. */
export const maxMappingNodes = 10_000_000;

/** Characters of a text or a key that count as one more node. */
const charactersPerNode = 64;
/** Values with more nodes than this are remembered. */
const worthKeeping = 64;

export interface Size {
  /** 0 for what is neither array nor object; beyond `maxMappingDepth` it is not exact. */
  readonly depth: number;
  /**
   * Values in all, shared ones counted each time, and one more for every 64 characters of a text or a key; infinite
   * beyond `maxMappingNodes`.
   */
  readonly nodes: number;
}

const known = new WeakMap<object, Size>();
const one: Size = { depth: 0, nodes: 1 };

export function sizeOf(value: Json): Size {
  if (typeof value === "string") return value.length < charactersPerNode ? one : textSize(value);
  if (typeof value !== "object" || value === null) return one;
  const before = known.get(value);
  if (before) return before;
  const measure = new Measure();
  measure.add(value, 0);
  const size = { depth: measure.depth, nodes: measure.nodes };
  if (size.nodes > worthKeeping) known.set(value, size);
  return size;
}

function textSize(text: string): Size {
  return { depth: 0, nodes: 1 + Math.floor(text.length / charactersPerNode) };
}

/** Nodes that a key adds. */
export function keyNodes(key: string): number {
  return Math.floor(key.length / charactersPerNode);
}

class Measure {
  depth = 0;
  nodes = 0;

  add(value: Json, level: number): void {
    if (typeof value === "string") {
      this.nodes += 1 + Math.floor(value.length / charactersPerNode);
      return;
    }
    this.nodes++;
    if (typeof value !== "object" || value === null) return;
    // What shares its parts may have more nodes than can be counted.
    if (this.nodes > maxMappingNodes) {
      this.nodes = Number.POSITIVE_INFINITY;
      return;
    }
    if (level >= this.depth) this.depth = level + 1;
    // One level more than may be says enough, and keeps the recursion inside any stack.
    if (level >= maxMappingDepth) return;
    if (Array.isArray(value)) {
      for (const item of value as readonly Json[]) this.add(item, level + 1);
      return;
    }
    const object = value as { readonly [key: string]: Json };
    for (const key of Object.keys(object)) {
      this.nodes += keyNodes(key);
      this.add(object[key]!, level + 1);
    }
  }
}
