/**
 * How a run ends: completed, failed or canceled, once and for good. Spec: EXE-terminal.
 */
import type { Json } from "@swl/base";
import { tellLeftovers } from "./buffer.js";
import type { Draft } from "./draft.js";
import type { Call, Settled } from "./head.js";
import type { ErrorData } from "./model.js";
import { handleOf } from "./operation.js";
import { leaveOperations } from "./unsettled.js";
import { clearWait } from "./wait.js";

export function endCompleted(draft: Draft, output: Json): void {
  leave(draft);
  draft.head.status = "completed";
  draft.head.result = { output };
  draft.commands.push({ kind: "end", status: "completed", output });
}

export function endFailed(draft: Draft, error: ErrorData): void {
  leave(draft);
  draft.head.status = "failed";
  draft.head.result = { error };
  draft.commands.push({ kind: "end", status: "failed", error });
}

export function endCanceled(draft: Draft): void {
  leave(draft);
  draft.head.status = "canceled";
  draft.commands.push({ kind: "end", status: "canceled" });
}

/** A terminal run stands nowhere. */
function leave(draft: Draft): void {
  const { head } = draft;
  closeCall(draft, null);
  clearWait(draft);
  tellLeftovers(draft);
  head.position = null;
  head.from = null;
}

/** The open invocation is settled, by a word of its own or (null) by a decision. */
export function closeCall(draft: Draft, settled: Settled | null): void {
  const { head } = draft;
  const { call } = head;
  if (call === null) return;
  clearDeadline(draft, call);
  if (call.operation?.deferred === true) leaveOperations(draft, call, settled);
  head.settled = settled;
  head.call = null;
}

/** Settled by the word of the latest attempt. */
export function byAttempt(call: Call): Settled {
  return { invocation: call.invocation, attempt: call.attempt, handle: handleOf(call) };
}

/** Takes the operation deadline of a call back, when one is armed. */
export function clearDeadline(draft: Draft, call: Call): Call {
  if (call.deadline === null) return call;
  draft.commands.push({ kind: "clear-deadline", key: deadlineKey(call.activation) });
  return { ...call, deadline: null };
}

/** The due key of an invocation's operation deadline. */
export function deadlineKey(activation: string): string {
  return `operation:${activation}`;
}
