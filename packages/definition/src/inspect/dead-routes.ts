/** Dead routes: drawn, but no event can ever take them. */
import { pointerTo } from "@swl/base";
import type { Definition } from "../model.js";
import type { DeadReason } from "./judge-routes.js";
import { type RouteReference, routeAt } from "./route-graph.js";
import { survey } from "./survey.js";

export type { DeadReason } from "./judge-routes.js";

export interface DeadRoute extends RouteReference {
  /** JSON Pointer to the route. */
  readonly pointer: string;
  readonly reason: DeadReason;
}

/** The routes that no event can take, in reading order. Linear. */
export function deadRoutes(definition: Definition): readonly DeadRoute[] {
  const { graph, order, reasons } = survey(definition);
  const dead: DeadRoute[] = [];
  for (const node of order) {
    for (let edge = graph.offsets[node]!; edge < graph.offsets[node + 1]!; edge++) {
      const reason = reasons[edge];
      if (reason === undefined) continue;
      const route = routeAt(graph, edge);
      dead.push({ ...route, pointer: pointerTo("/nodes", route.node, "routes", route.outcome), reason });
    }
  }
  return dead;
}
