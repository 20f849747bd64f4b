/**
 * Which routes no event can ever take. What is judged dead surely is; a schema that happens to allow no value may keep
 * others from being taken, and is not looked into beyond `false`.
 */
import { own } from "@swl/base";
import { compileLogic, isTruthy, logicFindings } from "../logic.js";
import type { ChoiceNode, Definition, JsonSchema, OutcomeName } from "../model.js";
import { isMapped } from "../written-time.js";
import { componentIndex, componentsOf } from "./components.js";
import { allEdges, type RouteGraph } from "./route-graph.js";
import { analyzeVisits, type VisitAnalysis } from "./visit-analysis.js";

/**
 * - `no-producer`: nothing produces this outcome (`failed` of a node that waits, `exhausted` without a limit);
 * - `schema`: its outcome needs a value that the schema `false` refuses;
 * - `never-chosen`: a choice never has this outcome, because a case before always holds, or its own never does;
 * - `no-repetition`: `exhausted`, but no limited outcome brings a run back often enough;
 * - `limit-first`: `exhausted`, but a limit of the run ends it before;
 * - `not-reached`: the node itself can be reached over dead routes only, or not at all.
 */
export type DeadReason =
  | "no-producer"
  | "schema"
  | "never-chosen"
  | "no-repetition"
  | "limit-first"
  | "not-reached";

export interface Judged extends VisitAnalysis {
  /** By edge; `undefined` where some event may take it. */
  readonly reasons: readonly (DeadReason | undefined)[];
  /** By edge: 1 where some event may take it. */
  readonly live: Uint8Array;
}

/** A dead route may make others dead: so often that is followed. */
const maxRounds = 8;

export function judgeRoutes(definition: Definition, graph: RouteGraph): Judged {
  const live = allEdges(graph);
  const reasons: (DeadReason | undefined)[] = Array.from(live, (_, edge) => {
    const reason = byItself(definition, graph, edge);
    if (reason !== undefined) live[edge] = 0;
    return reason;
  });
  for (let round = 1; ; round++) {
    const analysis = analyzeVisits(graph, live);
    const component = componentIndex(graph, componentsOf(graph, live));
    const dead: number[] = [];
    for (let edge = 0; edge < live.length; edge++) {
      if (live[edge] === 0) continue;
      const node = graph.sources[edge]!;
      const visits = analysis.visits[node]!;
      if (visits === 0) reasons[edge] = "not-reached";
      else if (graph.outcomes[edge] === "exhausted") {
        reasons[edge] = unexhausted(definition, graph, node, live, component, visits);
      }
      if (reasons[edge] !== undefined) dead.push(edge);
    }
    // What is judged in the last round is not taken out any more: bounds stay true, only wider than they could be.
    if (dead.length === 0 || round === maxRounds) return { reasons, live, ...analysis };
    for (const edge of dead) live[edge] = 0;
  }
}

/** What node and contract alone say. */
function byItself(definition: Definition, graph: RouteGraph, edge: number): DeadReason | undefined {
  const outcome = graph.outcomes[edge]!;
  const node = own(definition.nodes, graph.ids[graph.sources[edge]!]!);
  if (outcome === "exhausted") {
    const limited = node && "loopLimits" in node && Object.keys(node.loopLimits ?? {}).length > 0;
    return limited ? undefined : "no-producer";
  }
  if (node?.kind === "choice") return chosen(node).has(outcome) ? undefined : "never-chosen";
  if (node?.kind === "await-signal") {
    if (outcome === "failed") return isMapped(node.deadline) ? undefined : "no-producer";
    if (node.deadline?.outcome === outcome) return undefined;
    return refuses(own(node.payloads ?? {}, outcome)) ? "schema" : undefined;
  }
  if (node?.kind !== "activity" || outcome === "failed") return undefined;
  return refused(definition, node.action, outcome) ? "schema" : undefined;
}

/** The outcomes that a choice may have, as far as rules without operators say. */
function chosen({ cases, otherwise }: ChoiceNode): ReadonlySet<OutcomeName> {
  const outcomes = new Set<OutcomeName>();
  for (const { when, outcome } of cases) {
    const constant = logicFindings(when).length === 0 ? compileLogic(when).constant : undefined;
    if (constant !== undefined && !isTruthy(constant)) continue;
    outcomes.add(outcome);
    if (constant !== undefined) return outcomes;
  }
  return outcomes.add(otherwise);
}

function refused(definition: Definition, action: string, outcome: OutcomeName): boolean {
  const contract = own(definition.actions, action);
  return refuses(contract?.inputSchema) || refuses(own(contract?.outcomes ?? {}, outcome)?.outputSchema);
}

function refuses(schema: JsonSchema | undefined): boolean {
  return schema === false;
}

/** Why the node never uses up a loop limit; `undefined` when it may. */
function unexhausted(
  definition: Definition,
  graph: RouteGraph,
  node: number,
  live: Uint8Array,
  component: Int32Array,
  visits: number,
): DeadReason | undefined {
  const { maxActivations, maxNodeVisits = maxActivations } = definition.limits;
  let reason: DeadReason = "no-repetition";
  for (let edge = graph.offsets[node]!; edge < graph.offsets[node + 1]!; edge++) {
    const limit = graph.limits[edge]!;
    const returns = component[graph.targets[edge]!] === component[node];
    if (live[edge] === 0 || limit === 0 || !returns || visits <= limit) continue;
    if (limit < Math.min(maxActivations, maxNodeVisits)) return undefined;
    reason = "limit-first";
  }
  return reason;
}
