/**
 * Asking what became of an operation. The model asks where the contract says that the provider can answer (effect
 * `reconcilable`), by idempotency key or, once there is one, by handle; a host may ask about a handle by itself. The
 * answer moves a run that waits for it. Spec: EXE-reconcile, EXE-inspected.
 */
import { cancelWith, end, unsettled } from "./cancel.js";
import { mayRepeat } from "./contract.js";
import type { Draft } from "./draft.js";
import { byAttempt } from "./end.js";
import { keepEvidence } from "./evidence.js";
import type { Call, Operation } from "./head.js";
import type { EventBody } from "./model.js";
import { answered, ask, handleOf } from "./operation.js";
import type { PreparedActivity } from "./prepared.js";
import { reportOf } from "./report.js";
import { attemptLeft, retry, retryDelay } from "./retry.js";
import { doubted, giveUp, openActivity, settleFailure, takeReport } from "./settle.js";

type Event<T extends EventBody["type"]> = Extract<EventBody, { readonly type: T }>;

/** An unknown result of work that can be asked about, or whose handle is known. */
export function unknownOperation(draft: Draft, node: PreparedActivity, event: Event<"unknown">): void {
  const call = draft.head.call as Call;
  if (node.action.effect !== "reconcilable" || call.operation?.inspect !== null) {
    unknownAgain(draft, event);
    return;
  }
  const asked = handleOf(call) === null ? { ...doubted(call, event), failure: null } : call;
  ask(draft, asked, 0, false);
}

/** It says nothing that the run does not know, or that its handle will not tell. */
export function unknownAgain(draft: Draft, { invocation, attempt, reason }: Event<"unknown">): void {
  const handle = handleOf(draft.head.call as Call);
  const why = handle === null ? "its provider is being asked already" : "its operation has a handle";
  draft.none("event.stale", `unknown (${reason}) of ${invocation}, attempt ${attempt} says nothing: ${why}`);
}

/** The operation deadline has passed: one last question, and no answer leaves it open. */
export function askAtDeadline(draft: Draft, call: Call): void {
  const { attempt, unknown } = call;
  const known = handleOf(call) !== null || unknown?.attempt === attempt;
  const doubt = known ? unknown : { attempt, reason: "operation deadline", message: null };
  ask(draft, { ...call, deadline: null, unknown: doubt }, 0, true);
}

/** An attempt that nobody could tell of never began, says the host that held it. Nothing moves by that. */
export function withdrawnRunning(draft: Draft, event: Event<"withdrawn">): void {
  if (draft.head.call?.unknown?.attempt === event.attempt) keepEvidence(draft, event);
  else draft.impossible(`withdrawn of ${event.invocation}: attempt ${event.attempt} was never asked back`);
}

/** `running` and `canceling`. */
export function onInspected(draft: Draft, event: Event<"inspected">): void {
  const call = draft.head.call as Call;
  if (!wasAsked(draft, call)) {
    draft.none("event.stale", `nothing asked what became of ${event.invocation}, attempt ${event.attempt}`);
    return;
  }
  switch (event.status) {
    case "completed":
    case "failed":
      reported(draft, call, event);
      return;
    case "not-found":
      if (handleOf(call) === null) neverBegan(draft, call);
      else lost(draft, call);
      return;
    case "running":
      stillRunning(draft, call);
      return;
    case "unknown":
      if (handleOf(call) === null || draft.head.cancel !== null || isLast(call)) {
        unanswered(draft, "its provider does not know either");
      } else answered(draft, call);
      return;
  }
}

/** A question is in force, or the host asked by itself about a handle that it knows. */
function wasAsked(draft: Draft, call: Call): boolean {
  if (call.operation?.inspect) return true;
  return handleOf(call) !== null && draft.prepared.requirements.profiles.includes("reconciliation");
}

function isLast(call: Call): boolean {
  return call.operation?.inspect?.last === true;
}

function reported(draft: Draft, call: Call, event: Event<"inspected">): void {
  const report = reportOf(event);
  if (report === null || "outcome" in report !== (event.status === "completed")) {
    draft.impossible(`inspected ${event.status} of ${event.invocation} does not say with what`);
  } else if (draft.head.cancel !== null) cancelWith(draft, report, event, byAttempt(call));
  else takeReport(draft, report, event, byAttempt(call));
}

function stillRunning(draft: Draft, call: Call): void {
  if (isLast(call)) {
    unanswered(draft, "it is still running after its operation deadline");
    return;
  }
  if (handleOf(call) !== null) {
    answered(draft, call);
    return;
  }
  // Nobody else would ever say what became of it.
  const { retry: policy } = openActivity(draft).action;
  ask(draft, call, retryDelay(policy, call.invocation, call.operation?.inspect?.asked ?? 1), false);
}

/** The attempt counts, but nothing began. */
function neverBegan(draft: Draft, call: Call): void {
  if (draft.head.cancel !== null) {
    end(draft, byAttempt(call));
    return;
  }
  const node = openActivity(draft);
  if (attemptLeft(node, call) && !isLast(call)) {
    retry(draft, node, { ...call, failure: null, unknown: null });
    return;
  }
  const { action, attempt } = call;
  const message = `attempt ${attempt} of action ${action}: its provider has never heard of it, and no attempt is left`;
  const details = { action, attempts: attempt };
  settleFailure(draft, node, { code: "attempts.exhausted", message, details }, byAttempt(call));
}

/** A provider that does not know its own handle any more. */
function lost(draft: Draft, call: Call): void {
  const node = openActivity(draft);
  const { action, attempt } = call;
  const why = "its provider does not know the operation any more that it had accepted";
  draft.note("operation.lost", "warning", `attempt ${attempt} of action ${action}: ${why}`, node.id);
  const operation: Operation = { ...(call.operation as Operation), handle: null, inspect: null };
  const unknown = { attempt, reason: "operation.lost", message: null };
  const gone: Call = { ...call, failure: null, unknown, operation };
  draft.head.call = gone;
  const again = draft.head.cancel === null && mayRepeat(node.action) && attemptLeft(node, call);
  if (again && !isLast(call)) retry(draft, node, gone);
  else unanswered(draft, why);
}

/** No automatic attempt is left and nobody knows: by effect class. */
function unanswered(draft: Draft, why: string): void {
  if (draft.head.cancel !== null) unsettled(draft, why);
  else giveUp(draft, openActivity(draft), why);
}
