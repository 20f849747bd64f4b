/** Strongly connected components (Tarjan) of a part of the graph, without recursion and in linear time. */
import type { RouteGraph } from "./route-graph.js";

/** Larger than every number of a visit: a node whose component is known. */
const closed = 0x7fffffff;

/** Finds components again and again, in parts that never overlap at one time, with one set of arrays. */
export class Components {
  readonly #graph: RouteGraph;
  readonly #live: Uint8Array;
  /** 0 before the visit, then a number that counts up, then `closed`. */
  readonly #number: Int32Array;
  readonly #low: Int32Array;
  readonly #cursor: Uint32Array;

  /** Only marked edges count. */
  constructor(graph: RouteGraph, live: Uint8Array) {
    this.#graph = graph;
    this.#live = live;
    this.#number = new Int32Array(graph.ids.length);
    this.#low = new Int32Array(graph.ids.length);
    this.#cursor = new Uint32Array(graph.ids.length);
  }

  /**
   * The components of the nodes whose piece is `want`: every component after all that it leads to.
   * `nodes` are exactly these nodes.
   */
  within(nodes: readonly number[], piece: Int32Array, want: number): readonly (readonly number[])[] {
    for (const node of nodes) {
      this.#number[node] = 0;
      this.#cursor[node] = this.#graph.offsets[node]!;
    }
    const groups: (readonly number[])[] = [];
    let count = 0;
    for (const root of nodes) {
      if (this.#number[root] === 0) count = this.#explore(root, count, piece, want, groups);
    }
    return groups;
  }

  #explore(
    root: number,
    counted: number,
    piece: Int32Array,
    want: number,
    groups: (readonly number[])[],
  ): number {
    const { offsets, targets } = this.#graph;
    const [number, low] = [this.#number, this.#low];
    let count = counted;
    const path = [root];
    const waiting = [root];
    number[root] = low[root] = ++count;
    while (path.length > 0) {
      const node = path[path.length - 1]!;
      const edge = this.#cursor[node]!++;
      if (edge < offsets[node + 1]!) {
        const target = targets[edge]!;
        if (this.#live[edge] === 0 || piece[target] !== want) continue;
        if (number[target] === 0) {
          number[target] = low[target] = ++count;
          path.push(target);
          waiting.push(target);
        } else low[node] = Math.min(low[node]!, number[target]!);
        continue;
      }
      path.pop();
      const parent = path[path.length - 1];
      if (parent !== undefined) low[parent] = Math.min(low[parent]!, low[node]!);
      if (low[node] === number[node]) groups.push(this.#close(node, waiting));
    }
    return count;
  }

  #close(first: number, waiting: number[]): readonly number[] {
    const group: number[] = [];
    for (let member = waiting.pop(); member !== undefined; member = waiting.pop()) {
      this.#number[member] = closed;
      group.push(member);
      if (member === first) break;
    }
    return group;
  }
}

/** The components of the whole graph over the marked edges. */
export function componentsOf(graph: RouteGraph, live: Uint8Array): readonly (readonly number[])[] {
  const nodes = graph.ids.map((_, index) => index);
  return new Components(graph, live).within(nodes, new Int32Array(graph.ids.length), 0);
}

/** By node: the index of its component. */
export function componentIndex(graph: RouteGraph, groups: readonly (readonly number[])[]): Int32Array {
  const index = new Int32Array(graph.ids.length);
  groups.forEach((group, at) => {
    for (const node of group) index[node] = at;
  });
  return index;
}

/** True when a component is a loop: several nodes, or one with a marked edge to itself. */
export function isLoop(graph: RouteGraph, group: readonly number[], live: Uint8Array): boolean {
  return group.length > 1 || hasSelfLoop(graph, group[0]!, live);
}

export function hasSelfLoop(graph: RouteGraph, node: number, live: Uint8Array): boolean {
  for (let edge = graph.offsets[node]!; edge < graph.offsets[node + 1]!; edge++) {
    if (live[edge] === 1 && graph.targets[edge] === node) return true;
  }
  return false;
}
