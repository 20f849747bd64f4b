/**
 * Cancellation: a recorded request, applied in log order. It ends a run that has nothing out; else the run is
 * `canceling` and authorizes nothing further until the attempt settles, is withdrawn, or parks. Nothing that was
 * authorized is claimed to be undone. Spec: EXE-cancel, EXE-canceling.
 */
import { violation } from "./contract.js";
import type { Draft } from "./draft.js";
import { closeCall, endCanceled } from "./end.js";
import { withEvidence } from "./evidence.js";
import { failureOutput } from "./failure.js";
import type { Call } from "./head.js";
import type { EventBody } from "./model.js";
import { recordOnly } from "./route.js";
import { doubted, isArmed, openActivity, park, staleDeadline } from "./settle.js";

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
  draft.head.call = { ...call, withdraw: true };
  draft.head.status = "canceling";
  draft.commands.push({ kind: "withdraw", invocation: call.invocation, attempt: call.attempt });
}

/** `needs-intervention`: recorded; the parked invocation still needs its resolution. */
export function cancelParked(draft: Draft, event: Event<"cancel">): void {
  if (draft.head.cancel !== null) {
    cancelAgain(draft);
    return;
  }
  record(draft, event);
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

/** Recorded and visible; no route is taken, the streak stays. */
export function resultWhileCanceling(draft: Draft, event: Event<"result">): void {
  const { action, id } = openActivity(draft);
  const broken = violation(action, event.outcome, event.output);
  if (broken === undefined) recordOnly(draft, id, event.outcome, event.output);
  else {
    draft.head.call = withEvidence(draft, draft.head.call as Call, event);
    draft.note("contract.violated", "warning", broken.message, id);
  }
  settled(draft);
}

/** Never retried, and the failed route is not taken. */
export function failureWhileCanceling(draft: Draft, event: Event<"failure">): void {
  recordOnly(draft, openActivity(draft).id, "failed", failureOutput(event.error));
  settled(draft);
}

export function withdrawnWhileCanceling(draft: Draft): void {
  settled(draft);
}

/** Never repeated. What had no external effect is canceled; the rest needs a person. */
export function unknownWhileCanceling(draft: Draft, event: Event<"unknown">): void {
  draft.head.call = doubted(draft.head.call as Call, event);
  unsettled(draft, `nobody knows what became of it (${event.reason})`);
}

export function deadlineWhileCanceling(draft: Draft, event: Event<"deadline">): void {
  if (!isArmed(draft, event)) {
    staleDeadline(draft, event);
    return;
  }
  // An attempt that nobody had claimed never began: there is nothing that could be unknown.
  if (event.unclaimed === true) {
    settled(draft);
    return;
  }
  unsettled(draft, "its operation deadline has passed");
}

function unsettled(draft: Draft, why: string): void {
  const { effect } = openActivity(draft).action;
  if (effect === "pure" || effect === "read-only") {
    settled(draft);
    return;
  }
  const { action, attempt } = draft.head.call as Call;
  park(draft, "unknown-result", null, `attempt ${attempt} of action ${action}: ${why}`);
}

function settled(draft: Draft): void {
  closeCall(draft, true);
  endCanceled(draft);
}
