/** What every query of the graph begins with, worked out once: graph, reading order, dead routes, visits. */
import { lookingAtDefinition } from "../looking.js";
import type { Definition } from "../model.js";
import { type Judged, judgeRoutes } from "./judge-routes.js";
import { type RouteGraph, readingOrder, routeGraph } from "./route-graph.js";

export interface Survey extends Judged {
  readonly definition: Definition;
  readonly graph: RouteGraph;
  readonly order: readonly number[];
}

export function survey(definition: Definition): Survey {
  return lookingAtDefinition(() => {
    const graph = routeGraph(definition);
    return { definition, graph, order: readingOrder(graph), ...judgeRoutes(definition, graph) };
  });
}
