/** Where a run can come to, and how far it is to the end without a repetition. Over the graph as drawn. */
import { lookingAtDefinition } from "../looking.js";
import type { Definition, Id } from "../model.js";
import { componentIndex, componentsOf } from "./components.js";
import { allEdges, flood, type RouteGraph, readingOrder, routeGraph } from "./route-graph.js";

/**
 * The nodes that routes lead to from a node, itself included, in reading order. All route keys count as edges
 * (DEF-reachable). An ID that is no node leads nowhere. Linear.
 */
export function reachable(definition: Definition, from: Id): readonly Id[] {
  const graph = lookingAtDefinition(() => routeGraph(definition));
  const seen = flood(graph, graph.indexOf.get(from) ?? -1, allEdges(graph));
  return readingOrder(graph)
    .filter((node) => seen[node] === 1)
    .map((node) => graph.ids[node]!);
}

/** Lengths count routes: a path of one node has length 0. */
export interface LongestPath {
  /**
   * `graph`: there is no loop of several nodes, the length is exact. `condensation`: every loop counts as one step of
   * the path, and the length lies between two bounds.
   */
  readonly over: "graph" | "condensation";
  /** A simple path from start of at least this length exists. */
  readonly atLeast: number;
  /** No simple path from start is longer. Equal to `atLeast` over the graph. */
  readonly atMost: number;
  /** The steps of a path that `atMost` stands for: one node each, or the nodes of a loop in reading order. */
  readonly path: readonly (readonly Id[])[];
}

/**
 * The longest simple path from start: no node twice. Exact where no loop has several nodes; elsewhere finding it would
 * not be linear, and bounds are given: a path through a loop visits at least one and at most all of its nodes.
 */
export function longestPath(definition: Definition): LongestPath {
  const graph = lookingAtDefinition(() => routeGraph(definition));
  const drawn = allEdges(graph);
  const groups = componentsOf(graph, drawn);
  const component = componentIndex(graph, groups);
  const reached = flood(graph, graph.start, drawn);
  const { fewest, largest, next } = lengths(graph, groups, component);
  const first = graph.start < 0 ? -1 : component[graph.start]!;
  const members: Id[][] = groups.map(() => []);
  let loop = false;
  for (const node of readingOrder(graph)) {
    members[component[node]!]!.push(graph.ids[node]!);
    if (reached[node] === 1 && groups[component[node]!]!.length > 1) loop = true;
  }
  const path: (readonly Id[])[] = [];
  for (let at = first; at >= 0; at = next[at]!) path.push(members[at]!);
  const over = loop ? "condensation" : "graph";
  if (first < 0) return { over, atLeast: 0, atMost: 0, path };
  return { over, atLeast: fewest[first]! - 1, atMost: largest[first]! - 1, path };
}

/** By component: nodes of the longest way on, loops counted as one node (`fewest`) and in full (`largest`). */
function lengths(graph: RouteGraph, groups: readonly (readonly number[])[], component: Int32Array) {
  const fewest = new Uint32Array(groups.length);
  const largest = new Uint32Array(groups.length);
  const next = new Int32Array(groups.length).fill(-1);
  // Every component comes after all that it leads to.
  groups.forEach((group, at) => {
    for (const node of group) {
      for (let edge = graph.offsets[node]!; edge < graph.offsets[node + 1]!; edge++) {
        const to = component[graph.targets[edge]!]!;
        if (to === at) continue;
        fewest[at] = Math.max(fewest[at]!, fewest[to]!);
        if (next[at] !== -1 && largest[to]! <= largest[next[at]!]!) continue;
        next[at] = to;
      }
    }
    fewest[at]! += 1;
    largest[at] = group.length + (next[at] === -1 ? 0 : largest[next[at]!]!);
  });
  return { fewest, largest, next };
}
