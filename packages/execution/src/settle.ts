/**
 * What the latest attempt of the open invocation says while the run is `running`: a result, a failure, nothing known,
 * or the operation deadline. Who settles, routes; who cannot be believed, parks. Spec: EXE-outcome-routing,
 * EXE-attempts, EXE-unknown, EXE-contract-violation, EXE-operation-deadline.
 */
import { type Code, canonicalize, excerpt, type Json } from "@swl/base";
import { mayHaveActed, mayRepeat, violation } from "./contract.js";
import type { Draft } from "./draft.js";
import { byAttempt, clearDeadline, closeCall, deadlineKey } from "./end.js";
import { follow } from "./enter.js";
import { withAnswer } from "./evidence.js";
import { takeFailure } from "./failure.js";
import { type Call, maxDetails, maxWords, type ParkedReason, type Settled } from "./head.js";
import { askAtDeadline, unknownOperation } from "./inspect.js";
import type { ErrorData, EventBody } from "./model.js";
import { isScheduled } from "./operation.js";
import type { PreparedActivity } from "./prepared.js";
import type { Report, Settlement } from "./report.js";
import { attemptLeft, retry } from "./retry.js";
import { takeRoute } from "./route.js";

type Event<T extends EventBody["type"]> = Extract<EventBody, { readonly type: T }>;

/** The activity whose invocation is open. */
export function openActivity(draft: Draft): PreparedActivity {
  return draft.prepared.nodes.get(draft.head.position!.node) as PreparedActivity;
}

export function onResult(draft: Draft, event: Event<"result">): void {
  takeReport(draft, event, event, byAttempt(draft.head.call as Call));
}

export function onFailure(draft: Draft, event: Event<"failure">): void {
  takeReport(draft, event, event, byAttempt(draft.head.call as Call));
}

/**
 * Takes what a provider reports of the work: `source` is what said so, an event or the position of kept evidence,
 * `settled` what the invocation is settled by.
 */
export function takeReport(
  draft: Draft,
  report: Report,
  source: Settlement | number,
  settled: Settled,
): void {
  if ("error" in report) takeFailed(draft, report, settled);
  else takeDone(draft, report, source, settled);
}

function takeDone(
  draft: Draft,
  { outcome, output }: Extract<Report, { readonly outcome: string }>,
  source: Settlement | number,
  settled: Settled,
): void {
  const node = openActivity(draft);
  const broken = violation(node.action, outcome, output);
  if (broken === undefined) {
    settleResult(draft, node, outcome, output, settled);
    return;
  }
  if (mayHaveActed(node.action)) {
    parkWith(draft, "contract-violated", source, broken.message);
    return;
  }
  draft.note(broken.code as Code, "warning", broken.message, node.id);
  settleFailure(draft, node, broken, settled);
}

function takeFailed(
  draft: Draft,
  { error, retryable }: Extract<Report, { readonly error: ErrorData }>,
  settled: Settled,
): void {
  const node = openActivity(draft);
  const call = draft.head.call as Call;
  if (!retryable || !attemptLeft(node, call)) {
    settleFailure(draft, node, error, settled);
    return;
  }
  const kept = { ...error, details: boundedDetails(error.details) };
  const failed = { ...call, failure: { attempt: call.attempt, error: kept }, unknown: null };
  retry(draft, node, failed, call.attempt);
}

/** Records a business outcome and follows its route. */
export function settleResult(
  draft: Draft,
  node: PreparedActivity,
  outcome: string,
  output: Json,
  settled: Settled | null,
): void {
  closeCall(draft, settled);
  follow(draft, takeRoute(draft, node, outcome, output));
}

/** Takes the failed route, or fails the run. */
export function settleFailure(
  draft: Draft,
  node: PreparedActivity,
  error: ErrorData,
  settled: Settled | null,
): void {
  closeCall(draft, settled);
  const edge = takeFailure(draft, node, error);
  if (edge !== null) follow(draft, edge);
}

/** A head is bounded: a failure that is retried keeps only small details. */
function boundedDetails(details: Json): Json {
  return canonicalize(details).length <= maxDetails ? details : null;
}

/** The call with what was said of its attempt, of which nobody knows the result. */
export function doubted(call: Call, { attempt, reason, message }: Event<"unknown">): Call {
  const said = message === undefined ? null : excerpt(message, maxWords);
  return { ...call, unknown: { attempt, reason, message: said } };
}

export function onUnknown(draft: Draft, event: Event<"unknown">): void {
  const node = openActivity(draft);
  const call = draft.head.call as Call;
  if (!isScheduled(call) || node.action.effect === "reconcilable") {
    unknownOperation(draft, node, event);
    return;
  }
  if (mayRepeat(node.action) && attemptLeft(node, call)) {
    retry(draft, node, { ...doubted(call, event), failure: null });
    return;
  }
  draft.head.call = doubted(call, event);
  giveUp(draft, node, `nobody knows what became of it (${event.reason})`);
}

/** No automatic attempt is left and the latest result is unknown: what that means depends on the effect class. */
export function giveUp(draft: Draft, node: PreparedActivity, why: string): void {
  const call = draft.head.call as Call;
  const details = { action: call.action, attempts: call.attempt };
  const message = `attempt ${call.attempt} of action ${call.action}: ${why}`;
  const { effect, onExhausted } = node.action;
  if (effect === "pure" || effect === "read-only") {
    settleFailure(draft, node, { code: "attempts.exhausted", message, details }, null);
    return;
  }
  if (effect === "idempotent" && onExhausted === "fail") {
    settleFailure(draft, node, { code: "outcome.unknown", message, details }, null);
    return;
  }
  park(draft, "unknown-result", null, message);
}

/** An answer that the contract has no room for: it is evidence, now or already. */
export function parkWith(
  draft: Draft,
  reason: ParkedReason,
  answer: Settlement | number,
  message: string,
): void {
  if (typeof answer !== "number") draft.head.call = withAnswer(draft, draft.head.call as Call, answer);
  park(draft, reason, typeof answer === "number" ? answer : draft.event.position, message);
  draft.note("contract.violated", "error", message, draft.head.position?.node);
}

/** Leaves by a resolution only. A recorded cancellation stays recorded. */
export function park(draft: Draft, reason: ParkedReason, evidence: number | null, message: string): void {
  const { head } = draft;
  const call = clearDeadline(draft, head.call as Call);
  const operation = call.operation && { ...call.operation, inspect: null };
  const parked = { reason, since: head.time, position: draft.event.position, evidence };
  head.call = { ...call, parked, withdraw: false, operation };
  head.status = "needs-intervention";
  if (evidence === null) draft.note("outcome.unknown", "warning", message, head.position?.node);
}

/** True when the event names the deadline that is armed now. */
export function isArmed(draft: Draft, event: Event<"deadline">): boolean {
  const { call } = draft.head;
  return (
    event.kind === "operation" &&
    call !== null &&
    event.key === deadlineKey(call.activation) &&
    call.deadline?.generation === event.generation
  );
}

export function onDeadline(draft: Draft, event: Event<"deadline">): void {
  if (!isArmed(draft, event)) {
    staleDeadline(draft, event);
    return;
  }
  const node = openActivity(draft);
  const call = draft.head.call as Call;
  const why = `the operation deadline of ${node.action.operationMs} ms has passed`;
  const unclaimed = event.unclaimed === true && isScheduled(call);
  if (!unclaimed && node.action.effect === "reconcilable") {
    askAtDeadline(draft, call);
    return;
  }
  if (!unclaimed || isDoubtful(call)) {
    giveUp(draft, node, why);
    return;
  }
  const error = call.failure?.error ?? {
    code: "operation.timeout",
    message: `action ${call.action}: ${why} before an attempt began`,
    details: { action: call.action, attempts: call.attempt - 1 },
  };
  settleFailure(draft, node, error, null);
}

/** An unclaimed attempt never began, but the one before it may have acted without anybody knowing. */
export function isDoubtful(call: Call): boolean {
  return call.unknown?.attempt === call.attempt - 1;
}

export function staleDeadline(draft: Draft, event: Event<"deadline">): void {
  draft.none("event.stale", `deadline ${event.key} of generation ${event.generation} is not armed`);
}
