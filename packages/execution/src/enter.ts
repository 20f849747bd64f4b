/**
 * Entering nodes: a run moves along edges, one node at a time, until it stands on work, on a wait, or has ended.
 * Bounded: an activation whose input cannot be computed may take its failed route at once, and so on, but only so
 * often. Spec: EXE-entering, EXE-limits.
 */
import type { Code } from "@swl/base";
import { evaluateMapping } from "@swl/definition/mappings";
import { takeSignal } from "./buffer.js";
import { pointersOf } from "./checks.js";
import { choose } from "./choice.js";
import { DraftContext } from "./context.js";
import type { Draft } from "./draft.js";
import { endCompleted, endFailed } from "./end.js";
import { mappingError, takeFailure } from "./failure.js";
import type { Call } from "./head.js";
import type { Edge, ErrorData } from "./model.js";
import type {
  Bound,
  PreparedActivity,
  PreparedComplete,
  PreparedFail,
  PreparedRouted,
  PreparedWaiter,
} from "./prepared.js";
import { armed, authorizeWith } from "./retry.js";
import { takeRoute } from "./route.js";
import { stand } from "./wait.js";

/** Enters the start node. */
export function enterStart(draft: Draft): void {
  const edge = enterNode(draft, draft.prepared.start, null);
  if (edge !== null) follow(draft, edge);
}

/** Follows an edge, and every edge that is taken at once after it. */
export function follow(draft: Draft, edge: Edge): void {
  for (let next: Edge | null = edge; next !== null; ) next = enterNode(draft, next.target, next);
}

/** The edge that leaves the node at once; null when the run stands or has ended. */
function enterNode(draft: Draft, id: string, edge: Edge | null): Edge | null {
  const { head, prepared } = draft;
  const node = prepared.nodes.get(id)!;
  const record = draft.node(node);
  const visit = record.visits + 1;
  if (!withinLimits(draft, id, visit)) return null;
  draft.entered++;
  head.activations++;
  draft.writeNode(node, { ...record, visits: visit });
  head.position = { node: id, visit, since: head.time };
  head.from = edge === null ? null : { node: edge.node, route: edge.route };
  if (edge !== null) draft.edges.push(edge);
  switch (node.kind) {
    case "activity":
      return schedule(draft, node, visit);
    case "await-signal":
    case "await-timer":
      return wait(draft, node);
    case "choice":
      return choose(draft, node);
    case "complete":
      complete(draft, node);
      return null;
    case "fail":
      fail(draft, node);
      return null;
  }
}

function withinLimits(draft: Draft, id: string, visit: number): boolean {
  const { limits } = draft.prepared;
  return (
    within(draft, limits.internalTransitions, draft.entered + 1, "limit.internal-transitions", id) &&
    within(draft, limits.activations, draft.head.activations + 1, "limit.activations", id) &&
    within(draft, limits.nodeVisits, visit, "limit.node-visits", id)
  );
}

const limitNames = {
  "limit.internal-transitions": "maxInternalTransitions",
  "limit.activations": "maxActivations",
  "limit.node-visits": "maxNodeVisits",
} as const;

/** Counters rise by one, so that a bound is told to be near exactly once. */
function within(
  draft: Draft,
  bound: Bound,
  count: number,
  code: keyof typeof limitNames,
  node: string,
): boolean {
  const name = limitNames[code];
  if (count > bound.max) {
    const message = `entering node ${node} would exceed ${name} (${bound.max})`;
    draft.note(code, "error", message, node);
    endFailed(draft, { code, message, details: { node, limit: bound.max } });
    return false;
  }
  if (count === bound.near) {
    draft.note("limit.near", "warning", `${count} of ${bound.max} used of ${name}`, node);
  }
  return true;
}

/** Goes on at once with a signal that was kept for it, else stands there. */
function wait(draft: Draft, node: PreparedWaiter): Edge | null {
  const kept = node.kind === "await-signal" ? takeSignal(draft, node) : undefined;
  if (kept !== undefined) return takeRoute(draft, node, kept.outcome, kept.payload);
  const error = stand(draft, node);
  return error === undefined ? null : refused(draft, node, error);
}

/** Computes and checks the input, then authorizes the first attempt. */
function schedule(draft: Draft, node: PreparedActivity, visit: number): Edge | null {
  const input = evaluateMapping(node.input, new DraftContext(draft));
  if (!input.ok) return refused(draft, node, mappingError(input, node.id));
  const problems = node.action.input(input.value);
  if (problems.length > 0) {
    return refused(draft, node, {
      code: "input.invalid",
      message: `the input of node ${node.id} is not what action ${node.action.name} takes: ${problems[0]?.message}`,
      details: { pointers: pointersOf(problems) },
    });
  }
  const { head } = draft;
  const call: Call = {
    invocation: `${head.run}/${node.id}#${visit}`,
    activation: `${node.id}#${visit}`,
    action: node.action.name,
    idempotencyKey: `${head.run}/${node.id}/${visit}`,
    attempt: 1,
    attempts: node.action.retry.maxAttempts,
    resolved: 0,
    since: head.time,
    deadline: null,
    generation: 0,
    failure: null,
    unknown: null,
    parked: null,
    withdraw: false,
    evidence: noEvidence,
    adopt: null,
    operation: node.action.operation,
  };
  authorizeWith(draft, node, armed(draft, node, call), 0, input.value);
  return null;
}

/** An operational failure of the activation: there is no invocation, and nothing to wait for. */
function refused(draft: Draft, node: PreparedRouted, error: ErrorData): Edge | null {
  draft.note(error.code as Code, "warning", error.message, node.id);
  return takeFailure(draft, node, error);
}

const noEvidence: Call["evidence"] = [];

function complete(draft: Draft, node: PreparedComplete): void {
  const output = evaluateMapping(node.output, new DraftContext(draft));
  if (!output.ok) {
    const error = mappingError(output, node.id);
    draft.note(output.code, "error", error.message, node.id);
    endFailed(draft, error);
    return;
  }
  const problems = draft.prepared.output(output.value);
  if (problems.length > 0) {
    const message = `the output of node ${node.id} is not what outputSchema says: ${problems[0]?.message}`;
    draft.note("output.invalid", "error", message, node.id);
    const details = { pointers: pointersOf(problems) };
    endFailed(draft, { code: "output.invalid", message, details });
    return;
  }
  endCompleted(draft, output.value);
}

/** The author's error stands, whatever its mappings do. */
function fail(draft: Draft, node: PreparedFail): void {
  const context = new DraftContext(draft);
  let message = `fail node ${node.id} reached`;
  const said = evaluateMapping(node.message, context);
  if (!said.ok) draft.note(said.code, "warning", mappingError(said, node.id).message, node.id);
  else if (typeof said.value === "string") message = said.value;
  else draft.note("output.invalid", "warning", `the message of node ${node.id} is not a string`, node.id);
  const details = evaluateMapping(node.details, context);
  if (!details.ok) draft.note(details.code, "warning", mappingError(details, node.id).message, node.id);
  endFailed(draft, { code: node.code, message, details: details.ok ? details.value : null });
}
