/** How often a run visits each node at most: what makes the cost of bounded loops visible. */
import { lookingAtDefinition } from "../looking.js";
import type { Definition, Id } from "../model.js";
import { type Survey, survey } from "./survey.js";

export interface VisitBound {
  readonly node: Id;
  /**
   * What routes and loop limits allow, 0 where no run comes; not counting the limits of the run. An upper bound: no run
   * visits it more often, and where limits hold each other up less may be possible than is said.
   */
  readonly visits: number | "unbounded";
  /** The same under `maxNodeVisits` and `maxActivations`: beyond them the run fails. */
  readonly atMost: number;
}

/** How often each node is visited at most, in reading order. Linear; loops nested beyond 16 deep count as unbounded. */
export function boundedVisits(definition: Definition): readonly VisitBound[] {
  const found = survey(definition);
  return lookingAtDefinition(() => found.order.map((node) => visitBound(found, node)));
}

export function visitBound({ definition, graph, visits }: Survey, node: number): VisitBound {
  const { maxActivations, maxNodeVisits = maxActivations } = definition.limits;
  const count = visits[node]!;
  return {
    node: graph.ids[node]!,
    visits: count === Number.POSITIVE_INFINITY ? "unbounded" : count,
    atMost: Math.min(count, maxActivations, maxNodeVisits),
  };
}
