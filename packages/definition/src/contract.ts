/**
 * Reading one action contract: its structure by the schema, then what the schema cannot say. Spec: DEF-contract,
 * DEF-retry.
 */
import type { Json } from "@swl/base";
import type { Check } from "./check.js";
import { quote, type Spot } from "./findings.js";
import type { Path } from "./issues.js";
import type { ActionContract, Effect } from "./model.js";
import { parse, type Said, without } from "./parse.js";
import { actionContract } from "./schemas.js";

/** The contract, normalized; `undefined` when effect or outcomes are wrong (the findings say what). */
export function readContract(value: Json, spot: Spot, check: Check): ActionContract | undefined {
  const said: Said<ActionContract> | undefined = parse(actionContract, value, spot, check.findings);
  if (!said) return undefined;
  const refused = refusedSchemas(said, spot, check);
  if (said.effect === "reconcilable")
    check.profile("reconciliation", `the effect "reconcilable"`, spot.to("effect"));
  if (said.deferred) check.profile("deferred-actions", `"deferred": true`, spot.to("deferred"));
  if (said.cancellation === "requestable") {
    check.profile("cancellation-acks", `"cancellation": "requestable"`, spot.to("cancellation"));
  }
  if (Object.hasOwn(said, "onExhausted")) checkOnExhausted(said.effect, spot.to("onExhausted"), check);
  const outputs = said.sensitive?.outputs;
  if (outputs)
    checkMarks(outputs, Object.keys(said.outcomes ?? {}), spot.to("sensitive").to("outputs"), check);
  if (!said.outcomes || !said.effect) return undefined;
  // Complete when nothing was found; otherwise later rules look at outcomes and schemas only.
  return without(said as ActionContract, refused);
}

/** Where schemas are none: they are left out, so that no value is judged by them. */
function refusedSchemas(said: Said<ActionContract>, spot: Spot, check: Check): readonly Path[] {
  const refused: Path[] = [];
  for (const key of ["inputSchema", "parametersSchema"] as const) {
    if (!check.schema(said, key, spot.to(key))) refused.push([key]);
  }
  for (const [name, outcome] of Object.entries(said.outcomes ?? {})) {
    const path = ["outcomes", name, "outputSchema"];
    // Undefined when it is no object: that it is declared stands all the same.
    if (outcome && !check.schema(outcome, "outputSchema", spot.within(path))) refused.push(path);
  }
  return refused;
}

function checkOnExhausted(effect: Effect | undefined, spot: Spot, check: Check): void {
  if (effect === "idempotent" || effect === undefined) return;
  const message = `"onExhausted" belongs to the effect "idempotent" only, not to ${quote(effect)}`;
  check.findings.error("definition.value", message, spot);
}

/** Marks are on outcomes that exist. */
export function checkMarks(marks: object, outcomes: readonly string[], spot: Spot, check: Check): void {
  const known = new Set(outcomes);
  for (const name of Object.keys(marks)) {
    if (known.has(name)) continue;
    const hint = check.findings.suggest(name, outcomes);
    check.findings.error("definition.value", `there is no outcome ${quote(name)} here`, spot.to(name), hint);
  }
}
