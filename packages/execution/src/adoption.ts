/**
 * What kept evidence would decide: only the word of the latest attempt of a parked invocation, and only what keeps the
 * contract. A host may append it as a resolution; by itself it moves nothing. Spec: EXE-evidence-adoption.
 */
import { violation } from "./contract.js";
import type { Draft } from "./draft.js";
import type { Adoption, Call, Head } from "./head.js";
import type { EvidenceResolution } from "./model.js";
import { handleOf, isHandle } from "./operation.js";
import type { PreparedActivity } from "./prepared.js";
import { reportOf, type Settlement } from "./report.js";
import { attemptLeft } from "./retry.js";

/** Null when it decides nothing. */
export function adoption(draft: Draft, call: Call, event: Settlement): Adoption | null {
  const { position } = draft.event;
  if (call.parked === null) return null;
  const node = draft.prepared.nodes.get(draft.head.position!.node) as PreparedActivity;
  const latest =
    event.type === "completion"
      ? node.action.operation?.deferred === true && speaksOfLatest(call, event.handle)
      : event.attempt === call.attempt;
  if (!latest) return null;
  const report = reportOf(event);
  if (report !== null && "outcome" in report) {
    if (violation(node.action, report.outcome, report.output) !== undefined) return null;
    return { position, decision: "complete", failure: false };
  }
  // Work that was reported as done has not failed to begin, whatever is said later.
  if (call.parked.reason === "contract-violated") return null;
  if (report !== null) {
    const again = report.retryable && attemptLeft(node, call);
    return { position, decision: again ? "retry" : "fail", failure: true };
  }
  switch (event.type) {
    case "withdrawn":
      return { position, decision: "retry", failure: false };
    case "accepted": {
      const { operation } = call;
      if (operation?.deferred !== true || operation.handle !== null || !isHandle(event.handle)) return null;
      return { position, decision: "reattach", failure: false };
    }
    default:
      return null;
  }
}

/**
 * Whether a completion is one of the latest attempt: it names the recorded handle, or no handle where one is recorded;
 * or none is, and there has been no other attempt.
 */
export function speaksOfLatest(call: Call, handle: string | undefined): boolean {
  const known = handleOf(call);
  return known === null ? call.attempt === 1 : handle === undefined || handle === known;
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
