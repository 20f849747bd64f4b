/**
 * Evidence: settlements that came too late to move the run. They are kept in slots and listed; by itself none moves
 * anything. What the latest attempt of a parked invocation said can be adopted by a resolution. Bounded: a run keeps
 * at most 100 settlements of invocations that were no longer open; an open invocation lists its newest 16.
 * Spec: EXE-evidence, EXE-evidence-adoption.
 */
import type { Json, JsonObject } from "@swl/base";
import { violation } from "./contract.js";
import type { Draft } from "./draft.js";
import type { Adoption, Call, Head } from "./head.js";
import type { ErrorData, EventBody, EvidenceResolution } from "./model.js";
import type { PreparedActivity } from "./prepared.js";
import { attemptLeft } from "./retry.js";

/** Settlements of closed invocations kept per run. */
export const maxRunEvidence = 100;
/** Settlements listed per open invocation. */
export const maxCallEvidence = 16;

export type Settlement = Extract<
  EventBody,
  { readonly type: "result" | "failure" | "accepted" | "withdrawn" }
>;

/** Slot `evidence:<position>`. */
export type EvidenceRecord = {
  readonly invocation: string;
  readonly attempt: number;
  readonly at: number;
} & (
  | { readonly type: "result"; readonly outcome: string; readonly output: Json }
  | { readonly type: "failure"; readonly error: ErrorData; readonly retryable: boolean }
  | { readonly type: "accepted"; readonly handle: string }
  | { readonly type: "withdrawn" }
);

/** Keeps a settlement that moves nothing, and tells its sender so. */
export function keepEvidence(draft: Draft, event: Settlement): void {
  const { call } = draft.head;
  const what = `${event.type} of ${event.invocation}, attempt ${event.attempt}`;
  if (call !== null && call.invocation === event.invocation) {
    if (event.attempt !== call.attempt && call.evidence.length >= maxCallEvidence) {
      draft.none("event.evidence", `${what} is not kept: there are ${maxCallEvidence} already`);
      return;
    }
    draft.head.call = withEvidence(draft, call, event);
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

/** The call with a settlement kept for it, adoptable when it is the latest attempt's and keeps the contract. */
export function withEvidence(draft: Draft, call: Call, event: Settlement): Call {
  writeEvidence(draft, event);
  const { position } = draft.event;
  const newest = call.evidence.slice(1 - maxCallEvidence);
  const evidence = [...newest, { position, type: event.type, attempt: event.attempt }];
  const adopt = call.adopt ?? adoption(draft, call, event);
  return { ...call, evidence, adopt };
}

function writeEvidence(draft: Draft, event: Settlement): void {
  const { invocation, attempt } = event;
  const of = { invocation, attempt, at: draft.event.at };
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
  }
  draft.write(`evidence:${draft.event.position}`, record as unknown as Json);
}

function adoption(draft: Draft, call: Call, event: Settlement): Adoption | null {
  const { position } = draft.event;
  if (call.parked === null || event.attempt !== call.attempt) return null;
  const node = draft.prepared.nodes.get(draft.head.position!.node) as PreparedActivity;
  switch (event.type) {
    case "result":
      if (violation(node.action, event.outcome, event.output) !== undefined) return null;
      return { position, decision: "complete", failure: false };
    case "failure": {
      const again = event.retryable && attemptLeft(node, call);
      return { position, decision: again ? "retry" : "fail", failure: true };
    }
    case "withdrawn":
      return { position, decision: "retry", failure: false };
    case "accepted":
      return null;
  }
}

/** What a host may append by itself as a recorded resolution. A canceled run never tries again. */
export function adoptable(head: Head): EvidenceResolution | undefined {
  const { call, cancel } = head;
  if (call === null || call.parked === null || call.adopt === null) return undefined;
  const { position, decision, failure } = call.adopt;
  const { invocation } = call;
  if (decision !== "retry" || cancel === null) return { invocation, decision, fromEvidence: position };
  return failure ? { invocation, decision: "fail", fromEvidence: position } : undefined;
}

/** One line for people, without the content. */
export function summaryOf(record: EvidenceRecord): string {
  switch (record.type) {
    case "result":
      return `result ${record.outcome}`;
    case "failure":
      return `failure ${record.error.code}${record.retryable ? " (retryable)" : ""}`;
    case "accepted":
      return "accepted";
    case "withdrawn":
      return "withdrawn: the attempt never began";
  }
}

/** The kept settlement at a position, when there is one. */
export function evidenceAt(draft: Draft, position: number): EvidenceRecord | undefined {
  return draft.slot(`evidence:${position}`) as (EvidenceRecord & JsonObject) | undefined;
}
