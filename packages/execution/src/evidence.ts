/**
 * Evidence: settlements that came too late to move the run. They are kept in slots and listed; by itself none moves
 * anything. What the latest attempt of a parked invocation said can be adopted by a resolution. Bounded: a run keeps
 * at most 100 settlements of invocations that were no longer open; an open invocation lists its newest 16.
 * Spec: EXE-evidence, EXE-evidence-adoption.
 */
import type { Json, JsonObject } from "@swl/base";
import { adoption, isVoid } from "./adoption.js";
import type { Draft } from "./draft.js";
import type { Adoption, Call } from "./head.js";
import { type EvidenceRecord, reportOf, type Settlement } from "./report.js";

/** Settlements of closed invocations kept per run. */
export const maxRunEvidence = 100;
/** Settlements listed per open invocation. */
export const maxCallEvidence = 16;

/** Keeps a settlement that moves nothing, and tells its sender so. */
export function keepEvidence(draft: Draft, event: Settlement): void {
  const { call } = draft.head;
  const attempt = attemptOf(event);
  const what = `${event.type} of ${event.invocation}${attempt === 0 ? "" : `, attempt ${attempt}`}`;
  if (call !== null && call.invocation === event.invocation) {
    const kept = withEvidence(draft, call, event);
    // The latest attempt says each of these once; of the others there is no end.
    const once = attempt === call.attempt && event.type !== "inspected";
    if (!once && call.evidence.length >= maxCallEvidence && kept.adopt === call.adopt) {
      draft.none("event.evidence", `${what} is not kept: there are ${maxCallEvidence} already`);
      return;
    }
    writeEvidence(draft, event);
    draft.head.call = kept;
  } else {
    if (draft.head.evidence >= maxRunEvidence) {
      draft.none("event.evidence", `${what} is not kept: there are ${maxRunEvidence} already`);
      return;
    }
    draft.head.evidence++;
    writeEvidence(draft, event);
  }
  draft.none("event.evidence", `${what} is kept as evidence ${draft.event.position}`);
}

/** A completion names no attempt. */
function attemptOf(event: Settlement): number {
  return event.type === "completion" ? 0 : event.attempt;
}

/** The call with an answer kept that its contract has no room for. */
export function withAnswer(draft: Draft, call: Call, event: Settlement): Call {
  writeEvidence(draft, event);
  return withEvidence(draft, call, event);
}

/** The call with a settlement listed for it, adoptable when it is the latest attempt's and keeps the contract. */
function withEvidence(draft: Draft, call: Call, event: Settlement): Call {
  const { position } = draft.event;
  const newest = call.evidence.slice(1 - maxCallEvidence);
  const evidence = [...newest, { position, type: event.type, attempt: attemptOf(event) }];
  return { ...call, evidence, adopt: offered(draft, call, call.adopt, event, position) };
}

/** What is offered when one more piece of evidence is there. */
function offered(
  draft: Draft,
  call: Call,
  before: Adoption | null,
  event: Settlement | EvidenceRecord,
  position: number,
): Adoption | null {
  // That the work is over says more than that it has begun.
  const open = before === null || before.decision === "reattach" || isVoid(before, draft.head);
  return open ? (adoption(draft, call, event, position) ?? before) : before;
}

/** The call under a cancellation that has just been recorded: what is offered is looked for anew where it was void. */
export function reconsidered(draft: Draft, call: Call): Call {
  let { adopt } = call;
  if (!isVoid(adopt, draft.head)) return call;
  for (const { position } of call.evidence) {
    // What came before it was parked was not offered then either.
    const record = position > (call.parked?.position ?? 0) ? evidenceAt(draft, position) : undefined;
    if (record !== undefined) adopt = offered(draft, call, adopt, record, position);
  }
  return { ...call, adopt };
}

function writeEvidence(draft: Draft, event: Settlement): void {
  const of = { invocation: event.invocation, attempt: attemptOf(event), at: draft.event.at };
  let record: EvidenceRecord;
  switch (event.type) {
    case "result":
      record = { ...of, type: "result", outcome: event.outcome, output: event.output };
      break;
    case "failure":
      record = { ...of, type: "failure", error: event.error, retryable: event.retryable };
      break;
    case "accepted":
      record = { ...of, type: "accepted", handle: event.handle };
      break;
    case "withdrawn":
      record = { ...of, type: "withdrawn" };
      break;
    case "completion": {
      const { messageId, handle = null, result } = event;
      record = { ...of, type: "completion", messageId, handle, result };
      break;
    }
    case "inspected":
      record = { ...of, type: "inspected", status: event.status, result: reportOf(event) };
      break;
  }
  draft.write(`evidence:${draft.event.position}`, record as unknown as Json);
}

/** The kept settlement at a position, when there is one. */
export function evidenceAt(draft: Draft, position: number): EvidenceRecord | undefined {
  return draft.slot(`evidence:${position}`) as (EvidenceRecord & JsonObject) | undefined;
}
