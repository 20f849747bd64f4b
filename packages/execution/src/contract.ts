/**
 * What an action's contract says about a reported result. Spec: EXE-contract-violation.
 */
import type { Json } from "@swl/base";
import { pointersOf } from "./checks.js";
import type { ErrorData } from "./model.js";
import type { PreparedAction } from "./prepared.js";

/** How a result breaks the contract; undefined when it keeps it. */
export function violation(action: PreparedAction, outcome: string, output: Json): ErrorData | undefined {
  const check = action.outputs.get(outcome);
  if (check === undefined) {
    const declared = [...action.outputs.keys()].sort();
    return {
      code: "outcome.undeclared",
      message: `action ${action.name} declares no outcome ${JSON.stringify(outcome)}`,
      details: { outcome, declared },
    };
  }
  const problems = check(output);
  if (problems.length === 0) return undefined;
  return {
    code: "output.invalid",
    message: `the output of action ${action.name} for ${outcome} is not what its contract says: ${problems[0]?.message}`,
    details: { outcome, pointers: pointersOf(problems) },
  };
}

/** The work may have been done: an unknown or contract-breaking word about it needs a person. */
export function mayHaveActed(action: PreparedAction): boolean {
  return action.effect === "unsafe" || action.effect === "reconcilable";
}

/** Done twice is as good as done once: a word that was lost may be asked for by trying again. */
export function mayRepeat(action: PreparedAction): boolean {
  return !mayHaveActed(action);
}
