/**
 * Static parameters against the contract of the action, at validation: what is wrong before any run is found before
 * any run. One compiled schema per action. Spec: DEF-parameters.
 */
import { own, pointerSegments } from "@swl/base";
import type { Findings, Spot } from "./findings.js";
import type { ActionContract, Node } from "./model.js";
import { compileSchema, type SchemaCheck } from "./schema-check.js";
import { Meter } from "./schema-rules.js";

/** Steps for the parameters of all nodes together. */
const maxParameterSteps = 10_000_000;

export function checkParameters(
  nodes: { readonly [id: string]: Node },
  contracts: ReadonlyMap<string, ActionContract>,
  nodesSpot: Spot,
  findings: Findings,
): void {
  const meter = new Meter();
  meter.start(maxParameterSteps);
  const checks = new Map<string, SchemaCheck>();
  for (const id of Object.keys(nodes)) {
    const node = own(nodes, id);
    if (node?.kind !== "activity") continue;
    const schema = contracts.get(node.action)?.parametersSchema;
    if (schema === undefined) continue;
    const check = checks.get(node.action) ?? compileSchema(schema, meter);
    checks.set(node.action, check);
    for (const { pointer, message } of check.check(node.parameters)) {
      const spot = nodesSpot
        .to(id, id)
        .to("parameters")
        .within(pointerSegments(pointer) ?? []);
      findings.error("definition.parameters-invalid", message, spot);
    }
  }
}
