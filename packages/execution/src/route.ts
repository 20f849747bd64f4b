/**
 * From a node's outcome to the edge taken: records the latest result, keeps the streak of limited outcomes, and picks
 * the route. Spec: EXE-outcome-routing, EXE-loop-limit.
 */
import type { Json } from "@swl/base";
import type { Draft } from "./draft.js";
import type { Edge } from "./model.js";
import type { PreparedRouted } from "./prepared.js";

/** Records the result of the node the run stands on and gives the edge it takes. The outcome must be routed. */
export function takeRoute(draft: Draft, node: PreparedRouted, outcome: string, output: Json): Edge {
  const record = draft.node(node);
  let route = outcome;
  let streak: { outcome: string; count: number } | null = null;
  const limit = node.loopLimits?.get(outcome);
  if (limit !== undefined) {
    const count = record.streak?.outcome === outcome ? record.streak.count + 1 : 1;
    if (count > limit) route = "exhausted";
    else streak = { outcome, count };
  }
  draft.writeNode(node, { visits: record.visits, outcome, output, visit: record.visits, streak });
  return { node: node.id, route, target: node.routes.get(route) as string, visit: record.visits };
}

/** Records a result that takes no route: the streak stays as it was. */
export function recordOnly(draft: Draft, node: PreparedRouted, outcome: string, output: Json): void {
  const record = draft.node(node);
  draft.writeNode(node, {
    visits: record.visits,
    outcome,
    output,
    visit: record.visits,
    streak: record.streak,
  });
}
