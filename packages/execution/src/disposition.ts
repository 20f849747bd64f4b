/**
 * What a host may do with a run: go on serving it, leave it to a person, or close it; and what a run that is not
 * closed waits for. Spec: EXE-disposition.
 */
import { excerpt } from "@swl/base";
import type { CoreState } from "./draft.js";
import { adoptable, type EvidenceRecord, summaryOf } from "./evidence.js";
import { type Call, type Head, maxWords, type ParkedReason, type Position, type Wait } from "./head.js";
import { instantText } from "./instant-text.js";
import type { Blocker, Disposition } from "./model.js";
import { waitKey } from "./wait.js";

export function disposition(state: CoreState): Disposition {
  const { head } = state;
  switch (head.status) {
    case "completed":
    case "failed":
    case "canceled":
      return { kind: "closed", status: head.status, ...head.result };
    case "needs-intervention": {
      const adopt = adoptable(head);
      return { kind: "parked", blockers: [intervention(state)], ...(adopt && { adopt }) };
    }
    case "waiting":
      return { kind: "open", blockers: waiters(head) };
    default:
      return { kind: "open", blockers: [openBlocker(head)] };
  }
}

/** Empty for a closed run, else at least one. */
export function blockersOf(state: CoreState): readonly Blocker[] {
  const said = disposition(state);
  return said.kind === "closed" ? [] : said.blockers;
}

function openBlocker(head: Head): Blocker {
  if (head.call !== null) return invocation(head, head.call);
  return {
    kind: "start",
    message: "The run has been created and no host has started it yet.",
    since: head.time,
    options: ["cancel"],
  };
}

/** The signal, then the time after which the run goes on without it. */
function waiters(head: Head): readonly Blocker[] {
  const position = head.position as Position;
  const { node, since } = position;
  const { signal, outcomes, deadline } = head.wait as Wait;
  const blockers: Blocker[] = [];
  if (signal !== null) {
    blockers.push({
      kind: "signal",
      node,
      message: `Node ${node} waits for signal ${signal} (${outcomes.join(", ")}).`,
      since,
      signal: { name: signal, outcomes },
      options: ["signal", "cancel"],
    });
  }
  if (deadline !== null) {
    const { kind, at, outcome } = deadline;
    const until = instantText(at);
    const message =
      kind === "timer"
        ? `Node ${node} waits for a timer until ${until}.`
        : `Node ${node} waits until ${until}, then goes on with ${outcome}.`;
    const timer = { key: waitKey(kind, position), at, outcome };
    blockers.push({ kind: "timer", node, message, since, timer, options: ["cancel"] });
  }
  return blockers;
}

function invocation(head: Head, call: Call): Blocker {
  const { node } = head.position as Position;
  const tail = head.status === "canceling" ? "; the run is canceled when it settles" : "";
  return {
    kind: "invocation",
    node,
    message: `Attempt ${call.attempt} of ${call.attempts} of action ${call.action} is authorized and has not reported${tail}${history(call)}.`,
    ...(head.status === "canceling" && { reason: "canceling" }),
    invocation: call.invocation,
    action: call.action,
    attempt: call.attempt,
    since: call.since,
    options: head.status === "canceling" ? [] : ["cancel"],
  };
}

/** What is known of the attempt before. */
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

function intervention(state: CoreState): Blocker {
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
    since: parked.since,
    evidence: call.evidence.map((kept) => ({
      position: kept.position,
      type: kept.type,
      attempt: kept.attempt,
      summary: summaryOf(state.slots.get(`evidence:${kept.position}`) as unknown as EvidenceRecord),
    })),
    options: options(head),
  };
}

/** With a recorded cancellation nothing further is authorized. */
function options(head: Head): readonly string[] {
  return head.cancel === null
    ? ["resolve complete", "resolve fail", "resolve retry", "cancel"]
    : ["resolve complete", "resolve fail"];
}
