/** Loops: where a run can come by again, how it gets in and out, and which loop limits end it. */
import type { Definition, Id } from "../model.js";
import { componentIndex, componentsOf, hasSelfLoop, isLoop } from "./components.js";
import { allEdges, type RouteGraph, type RouteReference, routeAt } from "./route-graph.js";
import { type Survey, survey } from "./survey.js";
import { boundingEdge } from "./visit-analysis.js";

/** A loop limit that ends a loop: `outcome` is taken so many times in a row, then `exhausted` leads out. */
export interface LoopBound {
  readonly node: Id;
  readonly outcome: string;
  readonly limit: number;
  /** Where `exhausted` leads. */
  readonly to: Id;
}

export interface Loop {
  /** In reading order. */
  readonly nodes: readonly Id[];
  /** Nodes by which it is entered from outside, start included. */
  readonly entries: readonly Id[];
  /** Routes that lead out of it. */
  readonly exits: readonly RouteReference[];
  /**
   * The loop limits that together bound every visit of it; none where what closes it cannot be taken again and again.
   * `"unbounded"`: as far as the graph shows only the limits of the run end it (`maxActivations`, `maxNodeVisits`). So
   * are called loops nested beyond 16 deep.
   */
  readonly bounds: "unbounded" | readonly LoopBound[];
  /** With `"unbounded"`: the nodes that no loop limit bounds, in reading order. */
  readonly unbounded?: readonly Id[];
}

/**
 * The strongly connected components of the graph as drawn, and apart from them each node that leads to itself within
 * a larger one. In reading order of their first nodes, the larger first. Bounds leave dead routes out. Linear.
 */
export function loops(definition: Definition): readonly Loop[] {
  return loopsOf(survey(definition));
}

export function loopsOf(found: Survey): readonly Loop[] {
  const { graph, order, live } = found;
  const drawn = allEdges(graph);
  const groups = componentsOf(graph, drawn);
  const component = componentIndex(graph, groups);
  const entered = enteredNodes(graph, component);
  const members: number[][] = groups.map(() => []);
  for (const node of order) members[component[node]!]!.push(node);
  const list: Loop[] = [];
  for (const node of order) {
    const at = component[node]!;
    const group = members[at]!;
    if (group[0] === node && isLoop(graph, group, drawn)) {
      const around = (other: number) => component[other] === at;
      const ways = group.filter((other) => entered[other] === 1).map((other) => graph.ids[other]!);
      list.push({ ...describe(graph, group, around), entries: ways, ...boundsOf(found, group) });
    }
    if (group.length > 1 && hasSelfLoop(graph, node, drawn)) list.push(selfLoop(graph, node, live));
  }
  return list;
}

/** By node: entered by a route from another component, or start. */
function enteredNodes(graph: RouteGraph, component: Int32Array): Uint8Array {
  const entered = new Uint8Array(graph.ids.length);
  if (graph.start >= 0) entered[graph.start] = 1;
  graph.targets.forEach((target, edge) => {
    if (component[graph.sources[edge]!] !== component[target]) entered[target] = 1;
  });
  return entered;
}

function describe(
  graph: RouteGraph,
  nodes: readonly number[],
  inside: (node: number) => boolean,
): { readonly nodes: readonly Id[]; readonly exits: readonly RouteReference[] } {
  const exits: RouteReference[] = [];
  for (const node of nodes) {
    for (let edge = graph.offsets[node]!; edge < graph.offsets[node + 1]!; edge++) {
      if (!inside(graph.targets[edge]!)) exits.push(routeAt(graph, edge));
    }
  }
  return { nodes: nodes.map((node) => graph.ids[node]!), exits };
}

function boundsOf({ graph, visits, bounding }: Survey, nodes: readonly number[]) {
  const endless = nodes.filter((node) => visits[node] === Number.POSITIVE_INFINITY);
  if (endless.length > 0) {
    return { bounds: "unbounded" as const, unbounded: endless.map((node) => graph.ids[node]!) };
  }
  return {
    bounds: nodes.flatMap((node) => boundAt(graph, bounding[node]!)),
  };
}

/** A node that leads to itself, within a larger loop: judged for one stay. */
function selfLoop(graph: RouteGraph, node: number, live: Uint8Array): Loop {
  const inside = (other: number) => other === node;
  const edge = boundingEdge(graph, live, node, inside);
  const id = graph.ids[node]!;
  const loop = { ...describe(graph, [node], inside), entries: [id] };
  if (!hasSelfLoop(graph, node, live)) return { ...loop, bounds: [] };
  return edge < 0
    ? { ...loop, bounds: "unbounded", unbounded: [id] }
    : { ...loop, bounds: boundAt(graph, edge) };
}

/** None where the bounding edge is `exhausted`, or none. */
function boundAt(graph: RouteGraph, edge: number): readonly LoopBound[] {
  if (edge < 0 || graph.limits[edge] === 0) return [];
  const { node, outcome } = routeAt(graph, edge);
  const source = graph.sources[edge]!;
  let out = edge;
  for (let other = graph.offsets[source]!; other < graph.offsets[source + 1]!; other++) {
    if (graph.outcomes[other] === "exhausted") out = other;
  }
  return [{ node, outcome, limit: graph.limits[edge]!, to: routeAt(graph, out).to }];
}
