/**
 * What a run waits for while an invocation is open: its attempt, its operation, the answer to a question, or somebody
 * who decides. Spec: EXE-disposition.
 */
import { excerpt } from "@swl/base";
import type { CoreState } from "./draft.js";
import { type Call, type Head, maxWords, type ParkedReason, type Position } from "./head.js";
import type { Blocker } from "./model.js";
import { handleMember, handleOf } from "./operation.js";
import { type EvidenceRecord, summaryOf } from "./report.js";

export function invocation(head: Head, call: Call): Blocker {
  const canceling = head.status === "canceling";
  const reason = canceling ? "canceling" : openReason(call);
  const tail = canceling ? `; the run is canceled when it settles${acknowledgement(call)}` : "";
  const options = canceling ? [] : ["cancel"];
  return {
    kind: "invocation",
    node: (head.position as Position).node,
    message: `${waited(call)}${tail}${history(call)}.`,
    ...(reason !== undefined && { reason }),
    invocation: call.invocation,
    action: call.action,
    attempt: call.attempt,
    ...handleMember(call),
    ...acknowledgedMember(call),
    since: call.since,
    options: handleOf(call) === null ? options : ["complete", ...options],
  };
}

function openReason(call: Call): string | undefined {
  if (handleOf(call) !== null) return "accepted";
  return call.operation?.inspect ? "inspecting" : undefined;
}

function waited(call: Call): string {
  const { action, attempt, attempts } = call;
  const handle = handleOf(call);
  const asked = call.operation?.inspect ? "; its provider is asked what became of it" : "";
  if (handle !== null) {
    const of = JSON.stringify(excerpt(handle, 80));
    return `Attempt ${attempt} of ${attempts} of action ${action} was accepted: waiting for a completion of operation ${of}${asked}`;
  }
  if (asked !== "")
    return `Attempt ${attempt} of ${attempts} of action ${action} is not known to have ended${asked}`;
  return `Attempt ${attempt} of ${attempts} of action ${action} is authorized and has not reported`;
}

function acknowledgement({ operation }: Call): string {
  const cancel = operation?.cancel ?? null;
  if (cancel === null) return "";
  return cancel.acknowledged === null
    ? "; its provider was asked to stop"
    : "; its provider has heard that it should stop";
}

function acknowledgedMember({ operation }: Call): Pick<Blocker, "acknowledged"> {
  const at = operation?.cancel?.acknowledged ?? null;
  return at === null ? {} : { acknowledged: at };
}

/** What is known of the attempt before, or of this one. */
function history({ failure, unknown }: Call): string {
  if (failure !== null) {
    const { code, message } = failure.error;
    return `; attempt ${failure.attempt} failed: ${code}${message === "" || message === code ? "" : ` (${excerpt(message, maxWords)})`}`;
  }
  return unknown === null ? "" : `; of attempt ${unknown.attempt} nobody knows: ${saidOf(unknown)}`;
}

function saidOf({ reason, message }: NonNullable<Call["unknown"]>): string {
  return message === null || message === "" ? reason : `${reason} (${message})`;
}

const sentences: { readonly [R in ParkedReason]: string } = {
  "unknown-result": "nobody knows what became of it, and it may not be repeated blindly",
  "contract-violated": "it reported a result that breaks its contract, and the work may have been done",
  "accepted-undeclared": "it answered with a handle, which its contract does not declare",
};

export function intervention(state: CoreState): Blocker {
  const { head } = state;
  const call = head.call as Call;
  const parked = call.parked as NonNullable<Call["parked"]>;
  const { action, attempt } = call;
  const doubt = call.unknown === null ? "" : `; ${saidOf(call.unknown)}`;
  return {
    kind: "intervention",
    node: (head.position as Position).node,
    message: `Attempt ${attempt} of action ${action} needs a decision: ${sentences[parked.reason]}${doubt}.`,
    reason: parked.reason,
    invocation: call.invocation,
    action,
    attempt,
    ...handleMember(call),
    ...acknowledgedMember(call),
    since: parked.since,
    evidence: call.evidence.map(({ position, type, attempt }) => ({
      position,
      type,
      // A completion names no attempt.
      ...(attempt > 0 && { attempt }),
      summary: summaryOf(state.slots.get(`evidence:${position}`) as unknown as EvidenceRecord),
    })),
    options: options(head, call),
  };
}

/** With a recorded cancellation nothing further is authorized; what was accepted and not reported may be waited for. */
function options(head: Head, call: Call): readonly string[] {
  const { operation, evidence, parked } = call;
  const known = handleOf(call) !== null || evidence.some((kept) => kept.type === "accepted");
  const open = known && operation?.deferred === true && parked?.reason !== "contract-violated";
  const reattach = open ? ["resolve reattach"] : [];
  return head.cancel === null
    ? ["resolve complete", "resolve fail", "resolve retry", ...reattach, "cancel"]
    : ["resolve complete", "resolve fail", ...reattach];
}
