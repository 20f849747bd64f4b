/**
 * How often a run can visit a node. A loop limit counts consecutive occurrences of one outcome (EXE-loop-limit), so it
 * ends a loop only at a node that stays in the loop by that one outcome and leaves it by `exhausted`: a second outcome
 * that stays resets the count, and then nothing but the limits of the run ends it. Loops inside loops are judged part
 * by part, after the nodes that end the outer one are taken out.
 */
import { Components, isLoop } from "./components.js";
import { flood, type RouteGraph } from "./route-graph.js";

export interface VisitAnalysis {
  /** By node; infinite where no loop limit bounds it. */
  readonly visits: Float64Array;
  /** By node: the edge whose limit ends a loop there, or -1. */
  readonly bounding: Int32Array;
}

const maxNesting = 16;
/** A part that holds a loop, and how often a run enters it at most. */
interface Piece {
  readonly nodes: readonly number[];
  readonly entries: number;
  readonly depth: number;
}

export function analyzeVisits(graph: RouteGraph, live: Uint8Array): VisitAnalysis {
  const size = graph.ids.length;
  const visits = new Float64Array(size);
  const bounding = new Int32Array(size).fill(-1);
  const piece = new Int32Array(size).fill(-1);
  const components = new Components(graph, live);
  const outside = outsideEntries(graph, live);
  const open: Piece[] = [];
  let pieces = 0;
  /** Splits nodes that stand in one piece into components; what is no loop has its answer. */
  const split = (nodes: readonly number[], entries: number, depth: number) => {
    if (nodes.length === 0) return;
    const want = pieces++;
    for (const node of nodes) piece[node] = want;
    for (const group of components.within(nodes, piece, want)) {
      if (isLoop(graph, group, live)) open.push({ nodes: group, entries, depth });
      else visits[group[0]!] = entries;
    }
  };
  const reached = flood(graph, graph.start, live);
  split(
    graph.ids.flatMap((_, node) => (reached[node] === 1 ? [node] : [])),
    1,
    0,
  );
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { nodes, entries, depth } = next;
    const label = pieces++;
    for (const node of nodes) piece[node] = label;
    let departures = 0;
    const rest: number[] = [];
    for (const node of nodes) {
      const edge = depth < maxNesting ? boundingEdge(graph, live, node, (at) => piece[at] === label) : -1;
      bounding[node] = edge;
      if (edge < 0) rest.push(node);
      else {
        visits[node] = most(entries, departuresBy(graph, edge) + 1);
        departures = most(1, departures + departuresBy(graph, edge));
      }
    }
    if (departures === 0) {
      for (const node of nodes) visits[node] = Number.POSITIVE_INFINITY;
      continue;
    }
    // Once for the way in, unless that leads to a node that ends the loop, and once after each departure from such.
    const direct = rest.some((node) => outside(node, (at) => piece[at] !== label)) ? 1 : 0;
    split(rest, most(entries, departures + direct), depth + 1);
  }
  return { visits, bounding };
}

/**
 * The edge that a run takes only so often (`departuresBy`) while it stays among some nodes, where it is the only one of
 * its node by which a run stays; else -1. It is a limited one whose `exhausted` leads out, or `exhausted` itself where
 * every limited outcome leads out: the count that brings it about is then not made in there.
 */
export function boundingEdge(
  graph: RouteGraph,
  live: Uint8Array,
  node: number,
  inside: (node: number) => boolean,
): number {
  let staying = -1;
  for (let edge = graph.offsets[node]!; edge < graph.offsets[node + 1]!; edge++) {
    if (live[edge] === 0 || !inside(graph.targets[edge]!)) continue;
    if (staying >= 0 || departuresBy(graph, edge) === 0) return -1;
    staying = edge;
  }
  return staying;
}

/** How often in one stay a bounding edge is taken at most; 0 for one that bounds nothing. */
export function departuresBy(graph: RouteGraph, edge: number): number {
  return graph.outcomes[edge] === "exhausted" ? 1 : graph.limits[edge]!;
}

/** A question: may a run come to a node from one for which `is` holds, or start there? */
function outsideEntries(
  graph: RouteGraph,
  live: Uint8Array,
): (node: number, is: (node: number) => boolean) => boolean {
  const offsets = new Uint32Array(graph.ids.length + 1);
  for (const target of graph.targets) offsets[target + 1]!++;
  for (let node = 0; node < graph.ids.length; node++) offsets[node + 1]! += offsets[node]!;
  const fill = offsets.slice();
  const incoming = new Uint32Array(graph.targets.length);
  graph.targets.forEach((target, edge) => {
    incoming[fill[target]!++] = edge;
  });
  return (node, is) => {
    if (node === graph.start) return true;
    for (let at = offsets[node]!; at < offsets[node + 1]!; at++) {
      const edge = incoming[at]!;
      if (live[edge] === 1 && is(graph.sources[edge]!)) return true;
    }
    return false;
  };
}

function most(a: number, b: number): number {
  return Math.min(a * b, Number.MAX_SAFE_INTEGER);
}
