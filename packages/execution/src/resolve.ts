/**
 * Resolution of a parked invocation: the only way out of `needs-intervention`. Somebody decides, by own word or on
 * kept evidence; what is refused changes nothing and leaves the run parked. Spec: EXE-resolve, EXE-resolve-retry,
 * EXE-resolve-evidence, EXE-resolve-canceled, EXE-reattach.
 */
import type { Json } from "@swl/base";
import { attach } from "./completion.js";
import { violation } from "./contract.js";
import type { Draft } from "./draft.js";
import { endCanceled } from "./end.js";
import { evidenceAt } from "./evidence.js";
import { failureOutput } from "./failure.js";
import type { Call } from "./head.js";
import type { ErrorData, EventBody } from "./model.js";
import { handleOf, isHandle, nextOperation } from "./operation.js";
import { type EvidenceRecord, reportOf } from "./report.js";
import { armed, authorize } from "./retry.js";
import { recordOnly } from "./route.js";
import { openActivity, settleFailure, settleResult } from "./settle.js";
import { listUnsettled } from "./unsettled.js";

type Resolve = Extract<EventBody, { readonly type: "resolve" }>;

export function resolveNothing(draft: Draft): void {
  draft.refuse("resolve.not-parked", "no invocation of this run is parked");
}

export function resolveParked(draft: Draft, event: Resolve): void {
  const call = draft.head.call as Call;
  if (event.invocation !== call.invocation) {
    const message = `the parked invocation is ${call.invocation}, not ${event.invocation}`;
    draft.refuse("resolve.invocation-unknown", message);
    return;
  }
  const evidence = event.fromEvidence === undefined ? null : evidenceFor(draft, call, event);
  if (evidence === undefined) return;
  switch (event.decision) {
    case "complete":
      complete(draft, event, evidence);
      return;
    case "fail":
      fail(draft, event, evidence);
      return;
    case "retry":
      tryAgain(draft, call);
      return;
    case "reattach":
      reattach(draft, call, evidence);
      return;
  }
}

/** The named evidence; undefined when it was refused. */
function evidenceFor(draft: Draft, call: Call, event: Resolve): EvidenceRecord | undefined {
  const position = event.fromEvidence as number;
  const record = evidenceAt(draft, position);
  if (record === undefined || record.invocation !== call.invocation) {
    const listed = call.evidence.map((kept) => kept.position).join(", ") || "none";
    const message = `position ${position} is no evidence of ${call.invocation} (there is: ${listed})`;
    draft.refuse("resolve.evidence-unknown", message);
    return undefined;
  }
  if (!supports(record, event.decision, call)) {
    const message = `evidence ${position} is ${record.type}, which does not support ${event.decision}`;
    draft.refuse("resolve.evidence-mismatch", message);
    return undefined;
  }
  return record;
}

function supports(record: EvidenceRecord, decision: Resolve["decision"], call: Call): boolean {
  const report = reportOf(record);
  switch (decision) {
    case "complete":
      return report !== null && "outcome" in report;
    case "fail":
      return report !== null && "error" in report;
    case "retry":
      if (report !== null) return "error" in report && report.retryable;
      return record.type === "withdrawn" || (record.type === "inspected" && record.status === "not-found");
    case "reattach":
      return record.type === "accepted" && call.operation?.deferred === true;
  }
}

function complete(draft: Draft, event: Resolve, evidence: EvidenceRecord | null): void {
  const node = openActivity(draft);
  const report = evidence && reportOf(evidence);
  const said = report !== null && "outcome" in report ? report : undefined;
  const outcome = said === undefined ? event.outcome : said.outcome;
  const output: Json = said === undefined ? (event.output ?? null) : said.output;
  if (outcome === undefined || !node.action.outputs.has(outcome)) {
    const declared = [...node.action.outputs.keys()].join(", ");
    const said = outcome === undefined ? "no outcome is named" : `not ${JSON.stringify(outcome)}`;
    draft.refuse("resolve.outcome-undeclared", `action ${node.action.name} declares ${declared}; ${said}`);
    return;
  }
  const broken = violation(node.action, outcome, output);
  if (broken !== undefined) {
    draft.refuse("resolve.output-invalid", broken.message);
    return;
  }
  if (evidence !== null) heardOf(draft, evidence);
  if (draft.head.cancel === null) {
    settleResult(draft, node, outcome, output, null);
    return;
  }
  recordOnly(draft, node, outcome, output);
  endCanceled(draft);
}

function fail(draft: Draft, event: Resolve, evidence: EvidenceRecord | null): void {
  const node = openActivity(draft);
  const report = evidence && reportOf(evidence);
  const said = report !== null && "error" in report ? report.error : event.error;
  const error = said ?? unexplained(event);
  if (evidence !== null) heardOf(draft, evidence);
  if (draft.head.cancel === null) {
    settleFailure(draft, node, error, null);
    return;
  }
  recordOnly(draft, node, "failed", failureOutput(error));
  endCanceled(draft);
}

/** Evidence of how the latest attempt or its operation ended: nothing is left to be heard of that. */
function heardOf(draft: Draft, evidence: EvidenceRecord): void {
  const call = draft.head.call as Call;
  const handle = handleOf(call);
  const named = evidence.type === "completion" ? (evidence.handle ?? handle) === handle : false;
  if (handle === null || !(named || evidence.attempt === call.attempt)) return;
  draft.head.call = { ...call, operation: nextOperation(call.operation) };
}

function unexplained(event: Resolve): ErrorData {
  const message = `resolved as failed by ${event.by ?? "an operator"}`;
  return { code: "outcome.unknown", message, details: null };
}

/** Authorizes exactly one further attempt, beyond the cap if need be. */
function tryAgain(draft: Draft, call: Call): void {
  if (draft.head.cancel !== null) {
    draft.refuse("resolve.run-canceling", "a cancellation is recorded: nothing further is authorized");
    return;
  }
  const node = openActivity(draft);
  const handle = handleOf(call);
  if (handle !== null) listUnsettled(draft, call.invocation, call.attempt, handle);
  const next: Call = {
    ...call,
    attempt: call.attempt + 1,
    resolved: call.resolved + 1,
    since: draft.head.time,
    failure: null,
    unknown: null,
    parked: null,
    adopt: null,
    operation: nextOperation(call.operation, call.attempt),
  };
  authorize(draft, node, armed(draft, node, next), 0);
}

/** Waits for an accepted operation again: the one that evidence names, or the one that is recorded. */
function reattach(draft: Draft, call: Call, evidence: EvidenceRecord | null): void {
  const handle = evidence?.type === "accepted" ? evidence.handle : handleOf(call);
  if (!isHandle(handle) || call.operation?.deferred !== true) {
    const message = `no handle of ${call.invocation} is known that the run could wait for`;
    draft.refuse("resolve.handle-unknown", message);
    return;
  }
  const { head } = draft;
  head.status = head.cancel === null ? "running" : "canceling";
  attach(draft, { ...call, since: head.time, parked: null, adopt: null }, handle, true);
}
