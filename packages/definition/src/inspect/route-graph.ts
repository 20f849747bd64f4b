/**
 * A definition as a graph that keeps what its edges mean: which outcome, which loop limit. Nodes and routes stand in an
 * order of their own (IDs by UTF-16 units; outcomes likewise, `failed` and `exhausted` last), so that answers do not
 * depend on how a definition was written. Linear, without recursion.
 */
import { own } from "@swl/base";
import type { Definition, Id, OutcomeName } from "../model.js";

/** One route: an outcome at a node, and where it leads. */
export interface RouteReference {
  readonly node: Id;
  readonly outcome: OutcomeName;
  readonly to: Id;
}

/** Edges of node `i` are `offsets[i]` to `offsets[i + 1] - 1`, in the arrays by edge. */
export interface RouteGraph {
  readonly ids: readonly Id[];
  readonly indexOf: ReadonlyMap<Id, number>;
  /** The start node, or -1. */
  readonly start: number;
  readonly offsets: Uint32Array;
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  readonly outcomes: readonly OutcomeName[];
  /** The loop limit of an edge's outcome; 0 where there is none. */
  readonly limits: Uint32Array;
}

/** Routes to nodes that do not exist are left out. */
export function routeGraph(definition: Definition): RouteGraph {
  const ids = Object.keys(definition.nodes).sort();
  const indexOf = new Map(ids.map((id, index) => [id, index]));
  const offsets = new Uint32Array(ids.length + 1);
  const sources: number[] = [];
  const targets: number[] = [];
  const outcomes: OutcomeName[] = [];
  const limits: number[] = [];
  ids.forEach((id, index) => {
    const node = definition.nodes[id]!;
    if ("routes" in node) {
      const loopLimits = "loopLimits" in node ? (node.loopLimits ?? {}) : {};
      for (const outcome of Object.keys(node.routes).sort(byOutcome)) {
        const target = indexOf.get(node.routes[outcome]!);
        if (target === undefined) continue;
        sources.push(index);
        targets.push(target);
        outcomes.push(outcome);
        limits.push(own(loopLimits, outcome) ?? 0);
      }
    }
    offsets[index + 1] = targets.length;
  });
  return {
    ids,
    indexOf,
    start: indexOf.get(definition.start) ?? -1,
    offsets,
    sources: Uint32Array.from(sources),
    targets: Uint32Array.from(targets),
    outcomes,
    limits: Uint32Array.from(limits),
  };
}

/** Business outcomes first, by UTF-16 units; then `failed`, then `exhausted`. */
function byOutcome(a: OutcomeName, b: OutcomeName): number {
  return rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0);
}

function rank(outcome: OutcomeName): number {
  return outcome === "exhausted" ? 2 : outcome === "failed" ? 1 : 0;
}

/** Marks by edge with every edge in. */
export function allEdges(graph: RouteGraph): Uint8Array {
  return new Uint8Array(graph.targets.length).fill(1);
}

export function routeAt(graph: RouteGraph, edge: number): RouteReference {
  return {
    node: graph.ids[graph.sources[edge]!]!,
    outcome: graph.outcomes[edge]!,
    to: graph.ids[graph.targets[edge]!]!,
  };
}

/** Marks by node: what can be come to over the marked edges, the first node included. -1 comes to nothing. */
export function flood(graph: RouteGraph, from: number, live: Uint8Array): Uint8Array {
  const seen = new Uint8Array(graph.ids.length);
  if (from < 0) return seen;
  const open = [from];
  seen[from] = 1;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (let edge = graph.offsets[node]!; edge < graph.offsets[node + 1]!; edge++) {
      const target = graph.targets[edge]!;
      if (live[edge] === 0 || seen[target] === 1) continue;
      seen[target] = 1;
      open.push(target);
    }
  }
  return seen;
}

/**
 * The order in which a workflow is read: from start, every node after what leads to it as far as loops allow, the
 * first route first. What start does not lead to follows, by ID.
 */
export function readingOrder(graph: RouteGraph): readonly number[] {
  const seen = new Uint8Array(graph.ids.length);
  const left: number[] = [];
  // Routes are walked from the last to the first: turned round, the order of leaving begins with the first.
  const cursor = Uint32Array.from(graph.ids, (_, index) => graph.offsets[index + 1]!);
  const open: number[] = [];
  if (graph.start >= 0) {
    open.push(graph.start);
    seen[graph.start] = 1;
  }
  while (open.length > 0) {
    const node = open[open.length - 1]!;
    if (cursor[node]! === graph.offsets[node]!) {
      left.push(node);
      open.pop();
      continue;
    }
    cursor[node]!--;
    const target = graph.targets[cursor[node]!]!;
    if (seen[target] === 1) continue;
    seen[target] = 1;
    open.push(target);
  }
  left.reverse();
  for (let node = 0; node < graph.ids.length; node++) if (seen[node] === 0) left.push(node);
  return left;
}
