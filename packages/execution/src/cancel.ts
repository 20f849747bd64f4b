/**
 * Cancellation: a recorded request, applied in log order. It ends a run that has nothing out; else the run is
 * `canceling` and authorizes nothing further until the attempt settles, is withdrawn, or parks. Nothing that was
 * authorized is claimed to be undone. Spec: EXE-cancel, EXE-canceling.
 */
import { violation } from "./contract.js";
import type { Draft } from "./draft.js";
import { byAttempt, closeCall, endCanceled } from "./end.js";
import { keepEvidence, reconsidered, withAnswer } from "./evidence.js";
import { failureOutput } from "./failure.js";
import type { Call, Settled } from "./head.js";
import { unknownAgain } from "./inspect.js";
import type { EventBody } from "./model.js";
import { askToStop, handleOf, isScheduled, withdraw } from "./operation.js";
import type { Report, Settlement } from "./report.js";
import { recordOnly } from "./route.js";
import { doubted, isArmed, isDoubtful, openActivity, park, staleDeadline } from "./settle.js";

type Event<T extends EventBody["type"]> = Extract<EventBody, { readonly type: T }>;

/** `created` and `waiting`: nothing is out. */
export function cancelAtOnce(draft: Draft, event: Event<"cancel">): void {
  record(draft, event);
  endCanceled(draft);
}

/** `running`: the attempt may be claimed; it is asked back. */
export function cancelRunning(draft: Draft, event: Event<"cancel">): void {
  record(draft, event);
  const call = draft.head.call as Call;
  draft.head.status = "canceling";
  if (isScheduled(call)) {
    draft.head.call = { ...call, withdraw: true };
    withdraw(draft, call);
  }
  if (openActivity(draft).action.requestable) askToStop(draft);
}

/** `needs-intervention`: recorded; the parked invocation still needs its resolution. */
export function cancelParked(draft: Draft, event: Event<"cancel">): void {
  if (draft.head.cancel !== null) {
    cancelAgain(draft);
    return;
  }
  record(draft, event);
  draft.head.call = reconsidered(draft, draft.head.call as Call);
}

export function cancelAgain(draft: Draft): void {
  draft.none(
    "cancel.already-recorded",
    `the cancellation ${draft.head.cancel?.requestId} is recorded already`,
  );
}

function record(draft: Draft, event: Event<"cancel">): void {
  const { head } = draft;
  head.cancel = { requestId: event.requestId, at: head.time, reason: event.reason ?? null };
}

// ------------------------------------------------------------------------- what settles while canceling

/** A result or a failure of the latest attempt. */
export function reportWhileCanceling(draft: Draft, event: Event<"result"> | Event<"failure">): void {
  cancelWith(draft, event, event, byAttempt(draft.head.call as Call));
}

/**
 * What was reported of the work, by an event or by evidence at a position. A result is recorded and visible; no route
 * is taken, the streak stays. A failure is never retried, and the failed route is not taken.
 */
export function cancelWith(
  draft: Draft,
  report: Report,
  source: Settlement | number,
  settled: Settled,
): void {
  const node = openActivity(draft);
  const broken = "error" in report ? undefined : violation(node.action, report.outcome, report.output);
  if (broken !== undefined) {
    if (typeof source !== "number") draft.head.call = withAnswer(draft, draft.head.call as Call, source);
    draft.note("contract.violated", "warning", broken.message, node.id);
  } else if ("error" in report) recordOnly(draft, node, "failed", failureOutput(report.error));
  else recordOnly(draft, node, report.outcome, report.output);
  end(draft, settled);
}

/** The attempt never began. What an operation with a handle became of is another question. */
export function withdrawnWhileCanceling(draft: Draft, event: Event<"withdrawn">): void {
  const call = draft.head.call as Call;
  if (handleOf(call) !== null) keepEvidence(draft, event);
  else end(draft, byAttempt(call));
}

/** Never repeated. What had no external effect is canceled; the rest needs a person. */
export function unknownWhileCanceling(draft: Draft, event: Event<"unknown">): void {
  const call = draft.head.call as Call;
  if (!isScheduled(call)) {
    unknownAgain(draft, event);
    return;
  }
  draft.head.call = doubted(call, event);
  unsettled(draft, `nobody knows what became of it (${event.reason})`);
}

export function deadlineWhileCanceling(draft: Draft, event: Event<"deadline">): void {
  if (!isArmed(draft, event)) {
    staleDeadline(draft, event);
    return;
  }
  // An attempt that nobody had claimed never began: nothing is unknown, unless the attempt before it is.
  const call = draft.head.call as Call;
  if (event.unclaimed === true && isScheduled(call) && !isDoubtful(call)) {
    end(draft, byAttempt(call));
    return;
  }
  unsettled(draft, "its operation deadline has passed");
}

/** Nobody knows what became of it, and nothing will be tried again. */
export function unsettled(draft: Draft, why: string): void {
  const { effect } = openActivity(draft).action;
  const call = draft.head.call as Call;
  if (effect === "pure" || effect === "read-only") {
    end(draft, handleOf(call) === null ? byAttempt(call) : null);
    return;
  }
  park(draft, "unknown-result", null, `attempt ${call.attempt} of action ${call.action}: ${why}`);
}

/** The run is canceled. */
export function end(draft: Draft, settled: Settled | null): void {
  closeCall(draft, settled);
  endCanceled(draft);
}
