/**
 * A choice: the first case whose rule holds decides, else `otherwise`. Nothing is waited for, so it is left in the
 * transition that entered it. All choices of one event share one budget of evaluation steps; a rule that has no value
 * fails the run, because no route of a choice stands for that. Spec: EXE-choice.
 */
import { isTruthy, maxLogicSteps } from "@swl/definition/logic";
import { DraftContext } from "./context.js";
import type { Draft } from "./draft.js";
import { takeFailure } from "./failure.js";
import type { Edge } from "./model.js";
import type { PreparedChoice } from "./prepared.js";
import { takeRoute } from "./route.js";

/** The edge of the outcome that holds; null when the run has failed. */
export function choose(draft: Draft, node: PreparedChoice): Edge | null {
  const context = new DraftContext(draft);
  for (const [index, { when, outcome }] of node.cases.entries()) {
    const said = when.evaluate(context, { maxSteps: maxLogicSteps - draft.steps });
    if (!said.ok) {
      const message = `case ${index} of node ${node.id}: ${said.message}`;
      const error = { code: said.code, message, details: { node: node.id, case: index } };
      draft.note(said.code, "warning", message, node.id);
      return takeFailure(draft, node, error);
    }
    draft.steps += said.steps;
    if (isTruthy(said.value)) return takeRoute(draft, node, outcome, null);
  }
  return takeRoute(draft, node, node.otherwise, null);
}
