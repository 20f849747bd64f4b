/**
 * Static parameters against the contract of the action, at validation: what is wrong before any run is found before
 * any run. One compiled schema per action. Spec: DEF-parameters.
 */
import { own, pointerSegments } from "@swl/base";
import type { Findings, Spot } from "./findings.js";
import type { ActionContract, Node } from "./model.js";
import { compileSchema, type SchemaCheck } from "./schema-check.js";
import { Meter, maxSchemaSteps } from "./schema-rules.js";

export function checkParameters(
  nodes: { readonly [id: string]: Node },
  contracts: ReadonlyMap<string, ActionContract>,
  nodesSpot: Spot,
  findings: Findings,
): void {
  if (![...contracts.values()].some((contract) => contract.parametersSchema !== undefined)) return;
  const meter = new Meter();
  // What all of them together may take, so that none is accepted here and refused where it is checked alone.
  meter.start(maxSchemaSteps);
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
