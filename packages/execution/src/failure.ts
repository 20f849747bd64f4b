/**
 * Operational failure of an activation: the failed route if it is drawn, else the run fails. A business outcome is
 * never one. Spec: EXE-failed-route.
 */
import { type Json, pointerTo } from "@swl/base";
import type { Draft } from "./draft.js";
import { endFailed } from "./end.js";
import type { Edge, ErrorData } from "./model.js";
import type { PreparedRouted } from "./prepared.js";
import { recordOnly, takeRoute } from "./route.js";

/** The edge to follow, or null when the run has failed. */
export function takeFailure(draft: Draft, node: PreparedRouted, error: ErrorData): Edge | null {
  const output = failureOutput(error);
  if (node.routes.has("failed")) return takeRoute(draft, node, "failed", output);
  recordOnly(draft, node, "failed", output);
  endFailed(draft, error);
  return null;
}

/** What a failed route records as output: exactly these three members. */
export function failureOutput(error: ErrorData): Json {
  return { code: error.code, message: error.message, details: error.details };
}

/** A mapping of a node that has no value. */
export function mappingError(
  problem: { readonly code: string; readonly message: string; readonly path: readonly (string | number)[] },
  node: string,
): ErrorData {
  const details = { node, path: pointerTo("", ...problem.path) };
  return { code: problem.code, message: `mapping of node ${node}: ${problem.message}`, details };
}
