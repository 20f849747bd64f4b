/** What every query of the graph begins with, worked out once: graph, reading order, dead routes, visits. */
import type { Definition } from "../model.js";
import { type Judged, judgeRoutes } from "./judge-routes.js";
import { type RouteGraph, readingOrder, routeGraph } from "./route-graph.js";
import { analyzeVisits, type VisitAnalysis } from "./visit-analysis.js";

export interface Survey extends Judged, VisitAnalysis {
  readonly definition: Definition;
  readonly graph: RouteGraph;
  readonly order: readonly number[];
}

export function survey(definition: Definition): Survey {
  const graph = routeGraph(definition);
  const judged = judgeRoutes(definition, graph);
  return { definition, graph, order: readingOrder(graph), ...judged, ...analyzeVisits(graph, judged.live) };
}
