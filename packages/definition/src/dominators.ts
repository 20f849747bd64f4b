/**
 * Dominators (Lengauer and Tarjan, the simple version): which nodes stand on every path from start to a node. It is
 * what "has surely run before" means in a graph with cycles. O(m log n), no recursion.
 */
import { type Graph, reverse } from "./graph.js";

/**
 * A question answered in constant time: does `before` stand on every path from start to `node`, and differ from it?
 * Nodes that cannot be reached count as dominated by everything: their own finding says what is wrong.
 */
export function dominators(graph: Graph, start: number): (before: number, node: number) => boolean {
  const size = graph.ids.length;
  const tree = depthFirst(graph, start);
  const idom = immediate(graph, tree);
  const { enter, leave } = intervals(idom, tree.order.length);
  const numberOf = new Int32Array(size).fill(-1);
  tree.order.forEach((node, number) => {
    numberOf[node] = number;
  });
  return (before, node) => {
    const a = numberOf[before]!;
    const b = numberOf[node]!;
    if (b < 0) return true;
    return a >= 0 && a !== b && enter[a]! <= enter[b]! && leave[b]! <= leave[a]!;
  };
}

interface Tree {
  /** Nodes in the order of discovery; everything below counts in this order. */
  readonly order: readonly number[];
  readonly parent: Int32Array;
  readonly numberOf: Int32Array;
}

function depthFirst(graph: Graph, start: number): Tree {
  const size = graph.ids.length;
  const numberOf = new Int32Array(size).fill(-1);
  const parent = new Int32Array(size).fill(-1);
  const cursor = graph.offsets.slice();
  const order = [start];
  const open = [start];
  numberOf[start] = 0;
  while (open.length > 0) {
    const node = open[open.length - 1]!;
    const edge = cursor[node]!++;
    if (edge >= graph.offsets[node + 1]!) {
      open.pop();
      continue;
    }
    const target = graph.targets[edge]!;
    if (numberOf[target] !== -1) continue;
    numberOf[target] = order.length;
    parent[order.length] = numberOf[node]!;
    order.push(target);
    open.push(target);
  }
  return { order, parent, numberOf };
}

function immediate(graph: Graph, tree: Tree): Int32Array {
  const count = tree.order.length;
  const back = reverse(graph);
  const semi = Int32Array.from({ length: count }, (_, index) => index);
  const idom = new Int32Array(count).fill(0);
  const forest = new Forest(semi);
  // Buckets as linked lists: head per node, next per member.
  const bucket = new Int32Array(count).fill(-1);
  const next = new Int32Array(count).fill(-1);
  for (let node = count - 1; node > 0; node--) {
    const original = tree.order[node]!;
    for (let edge = back.offsets[original]!; edge < back.offsets[original + 1]!; edge++) {
      const from = tree.numberOf[back.targets[edge]!]!;
      if (from < 0) continue;
      semi[node] = Math.min(semi[node]!, semi[forest.best(from)]!);
    }
    next[node] = bucket[semi[node]!]!;
    bucket[semi[node]!] = node;
    const parent = tree.parent[node]!;
    forest.link(parent, node);
    for (let member = bucket[parent]!; member !== -1; member = next[member]!) {
      const best = forest.best(member);
      idom[member] = semi[best]! < semi[member]! ? best : parent;
    }
    bucket[parent] = -1;
  }
  for (let node = 1; node < count; node++) {
    if (idom[node] !== semi[node]) idom[node] = idom[idom[node]!]!;
  }
  return idom;
}

/** The link-eval forest with path compression. */
class Forest {
  readonly #semi: Int32Array;
  readonly #ancestor: Int32Array;
  readonly #label: Int32Array;

  constructor(semi: Int32Array) {
    this.#semi = semi;
    this.#ancestor = new Int32Array(semi.length).fill(-1);
    this.#label = semi.slice();
  }

  link(parent: number, node: number): void {
    this.#ancestor[node] = parent;
  }

  /** The node of least semidominator on the path from a node up to, but not with, the root of its tree. */
  best(node: number): number {
    const path: number[] = [];
    let top = node;
    while (this.#ancestor[top]! !== -1 && this.#ancestor[this.#ancestor[top]!]! !== -1) {
      path.push(top);
      top = this.#ancestor[top]!;
    }
    for (let index = path.length - 1; index >= 0; index--) {
      const at = path[index]!;
      const above = this.#ancestor[at]!;
      if (this.#semi[this.#label[above]!]! < this.#semi[this.#label[at]!]!)
        this.#label[at] = this.#label[above]!;
      this.#ancestor[at] = this.#ancestor[above]!;
    }
    return this.#label[node]!;
  }
}

/** Entry and exit numbers of a walk over the dominator tree: an ancestor's interval holds its descendants'. */
function intervals(
  idom: Int32Array,
  count: number,
): { readonly enter: Int32Array; readonly leave: Int32Array } {
  const size = new Int32Array(count).fill(1);
  for (let node = count - 1; node > 0; node--) size[idom[node]!]! += size[node]!;
  const enter = new Int32Array(count);
  const leave = new Int32Array(count);
  const free = new Int32Array(count).fill(1);
  leave[0] = size[0]!;
  // A dominator is discovered before what it dominates, so its interval is known when a child asks for a part of it.
  for (let node = 1; node < count; node++) {
    const parent = idom[node]!;
    enter[node] = enter[parent]! + free[parent]!;
    free[parent]! += size[node]!;
    leave[node] = enter[node]! + size[node]!;
  }
  return { enter, leave };
}
