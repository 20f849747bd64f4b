/**
 * The structure of the graph: every node is reachable from start, and from every node some path leads to a terminal.
 * All route keys count as edges. Linear, with stacks of its own. Spec: DEF-reachable, DEF-terminal-path.
 */
import { isJsonObject, type JsonObject, own } from "@swl/base";
import type { Findings, Spot } from "./findings.js";

/** A graph as numbers: targets of node `i` are `targets[offsets[i]] … targets[offsets[i + 1] - 1]`. */
export interface Graph {
  readonly ids: readonly string[];
  readonly indexOf: ReadonlyMap<string, number>;
  readonly offsets: Uint32Array;
  readonly targets: Uint32Array;
  /** Kind `complete` or `fail`. */
  readonly ends: readonly boolean[];
  /** May end as far as can be judged: a node whose edges are not all known is not blamed for leading nowhere. */
  readonly mayEnd: readonly boolean[];
}

/** Reads the graph out of nodes as they were written: also out of nodes in which other things are wrong. */
export function buildGraph(nodes: JsonObject): Graph {
  const ids = Object.keys(nodes);
  const indexOf = new Map<string, number>();
  for (const [index, id] of ids.entries()) indexOf.set(id, index);
  const offsets = new Uint32Array(ids.length + 1);
  const targets: number[] = [];
  const ends: boolean[] = [];
  const mayEnd: boolean[] = [];
  ids.forEach((id, index) => {
    const node = nodes[id]!;
    const routes = isJsonObject(node) ? own(node, "routes") : undefined;
    const edges = isJsonObject(routes) ? Object.values(routes) : [];
    let unknown = false;
    for (const target of edges) {
      const at = typeof target === "string" ? indexOf.get(target) : undefined;
      if (at === undefined) unknown = true;
      else targets.push(at);
    }
    offsets[index + 1] = targets.length;
    const kind = isJsonObject(node) ? own(node, "kind") : undefined;
    ends.push(kind === "complete" || kind === "fail");
    mayEnd.push(ends[index] || unknown || !isJsonObject(routes));
  });
  return { ids, indexOf, offsets, targets: Uint32Array.from(targets), ends, mayEnd };
}

/** Notes nodes that cannot be reached, and nodes that cannot end. */
export function checkGraph(graph: Graph, start: string, nodesSpot: Spot, findings: Findings): void {
  const first = graph.indexOf.get(start);
  if (first !== undefined) {
    const reached = flood(graph.ids.length, [first], graph.offsets, graph.targets);
    graph.ids.forEach((id, index) => {
      if (reached[index] === 1) return;
      const hint = "route to it, or remove it";
      findings.error(
        "definition.unreachable",
        `no path leads from start to this node`,
        nodesSpot.to(id, id),
        hint,
      );
    });
  }
  const ends: number[] = [];
  graph.mayEnd.forEach((may, index) => {
    if (may) ends.push(index);
  });
  if (ends.length === 0) {
    const hint = `add a node of kind "complete" or "fail"`;
    findings.error("definition.no-terminal", "no node ends the workflow", nodesSpot, hint);
    return;
  }
  const back = reverse(graph);
  const ending = flood(graph.ids.length, ends, back.offsets, back.targets);
  graph.ids.forEach((id, index) => {
    if (ending[index] === 1) return;
    findings.error("definition.no-terminal", "no path leads from this node to an end", nodesSpot.to(id, id));
  });
}

/** The same graph with its edges turned round. */
export function reverse(graph: Graph): { readonly offsets: Uint32Array; readonly targets: Uint32Array } {
  const offsets = new Uint32Array(graph.ids.length + 1);
  for (const target of graph.targets) offsets[target + 1]!++;
  for (let index = 0; index < graph.ids.length; index++) offsets[index + 1]! += offsets[index]!;
  const fill = offsets.slice();
  const targets = new Uint32Array(graph.targets.length);
  for (let from = 0; from < graph.ids.length; from++) {
    for (let edge = graph.offsets[from]!; edge < graph.offsets[from + 1]!; edge++) {
      targets[fill[graph.targets[edge]!]!++] = from;
    }
  }
  return { offsets, targets };
}

function flood(
  size: number,
  from: readonly number[],
  offsets: Uint32Array,
  targets: Uint32Array,
): Uint8Array {
  const seen = new Uint8Array(size);
  const open = [...from];
  for (const index of from) seen[index] = 1;
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    for (let edge = offsets[index]!; edge < offsets[index + 1]!; edge++) {
      const target = targets[edge]!;
      if (seen[target] === 1) continue;
      seen[target] = 1;
      open.push(target);
    }
  }
  return seen;
}
