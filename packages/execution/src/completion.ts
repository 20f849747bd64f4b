/**
 * Operations that complete later: the provider accepts the work under a handle, and somebody authorized says how it
 * ended. The first word of all wins; a completion may overtake the answer that it belongs to.
 * Spec: EXE-deferred, EXE-completion, EXE-reattach.
 */
import { speaksOfLatest } from "./adoption.js";
import { cancelWith } from "./cancel.js";
import type { Draft } from "./draft.js";
import { evidenceAt, keepEvidence } from "./evidence.js";
import type { Call, Operation, Settled } from "./head.js";
import type { EventBody } from "./model.js";
import { askToStop, handleOf, isHandle, isScheduled, withdraw } from "./operation.js";
import type { Report, Settlement } from "./report.js";
import { armed } from "./retry.js";
import { openActivity, parkWith, takeReport } from "./settle.js";
import { unlist } from "./unsettled.js";

type Event<T extends EventBody["type"]> = Extract<EventBody, { readonly type: T }>;

/** `running` and `canceling`: the latest attempt answers with a handle. */
export function onAccepted(draft: Draft, event: Event<"accepted">): void {
  const call = draft.head.call as Call;
  if (call.operation?.deferred !== true) {
    const message = `action ${call.action} answered with a handle, which its contract does not declare`;
    parkWith(draft, "accepted-undeclared", event, message);
  } else if (!isHandle(event.handle)) {
    draft.impossible(`the handle of ${event.invocation} is not one that can be kept`);
  } else if (call.operation.handle === event.handle) {
    draft.none("event.stale", `${event.invocation} waits for this operation already`);
  } else if (call.operation.handle !== null) keepEvidence(draft, event);
  else attach(draft, { ...call, unknown: null }, event.handle, false);
}

/**
 * The invocation waits for the operation of a handle, or is settled at once by a completion of it that came before.
 * `rearm`: with a new operation deadline in full.
 */
export function attach(draft: Draft, call: Call, handle: string, rearm: boolean): void {
  const operation: Operation = { ...(call.operation as Operation), handle };
  const attached: Call = { ...call, operation, withdraw: false };
  unlist(draft, call.invocation, handle);
  const early = completionOf(draft, call, handle);
  if (early !== undefined) {
    draft.head.call = attached;
    settle(draft, early.result, early.position, completedBy(attached, handle));
    return;
  }
  draft.head.call = rearm ? armed(draft, openActivity(draft), attached) : attached;
  if (draft.head.cancel !== null && openActivity(draft).action.requestable) askToStop(draft);
}

/** The first completion of the operation that is kept as evidence. */
function completionOf(draft: Draft, call: Call, handle: string) {
  for (const { type, position } of call.evidence) {
    const record = type === "completion" ? evidenceAt(draft, position) : undefined;
    if (record?.type === "completion" && record.handle === handle) return { position, result: record.result };
  }
  return undefined;
}

/** `running` and `canceling`: of any attempt of the open invocation. */
export function onCompletion(draft: Draft, event: Event<"completion">): void {
  const call = draft.head.call as Call;
  if (moves(call, event)) {
    if (draft.head.cancel === null && isScheduled(call)) withdraw(draft, call);
    settle(draft, event.result, event, completedBy(call, event.handle));
  } else keepEvidence(draft, event);
}

/**
 * Whose attempt failed, or was given up, has had its word; and a failure that may be tried again says nothing new once a
 * later attempt is authorized.
 */
function moves(call: Call, { handle, result }: Event<"completion">): boolean {
  if (call.operation?.deferred !== true) return false;
  if (speaksOfLatest(call, handle)) return true;
  return call.operation.ended === 0 && !("error" in result && result.retryable);
}

function settle(draft: Draft, report: Report, source: Settlement | number, settled: Settled): void {
  if (draft.head.cancel === null) takeReport(draft, report, source, settled);
  else cancelWith(draft, report, source, settled);
}

function completedBy(call: Call, handle: string | undefined): Settled {
  const known = isHandle(handle) ? handle : handleOf(call);
  return { invocation: call.invocation, attempt: 0, handle: known };
}
