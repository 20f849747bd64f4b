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
import { type EvidenceRecord, reportOf, type Settlement } from "./report.js";
import { attemptLeft } from "./retry.js";

/** What an event, or evidence that is kept at the position, would decide. Null when it decides nothing. */
export function adoption(
  draft: Draft,
  call: Call,
  event: Settlement | EvidenceRecord,
  position: number,
): Adoption | null {
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
export function speaksOfLatest(call: Call, handle: string | null | undefined): boolean {
  const known = handleOf(call);
  return known === null ? call.attempt === 1 : (handle ?? known) === known;
}

/** With a recorded cancellation a withdrawal is not offered, and hides nothing that came after it. */
export function isVoid(adopt: Adoption | null, head: Pick<Head, "cancel">): boolean {
  return adopt !== null && head.cancel !== null && adopt.decision === "retry" && !adopt.failure;
}

/** What a host may append by itself as a recorded resolution. A canceled run never tries again. */
export function adoptable(head: Head): EvidenceResolution | undefined {
  const { call, cancel } = head;
  if (call === null || call.parked === null || call.adopt === null) return undefined;
  if (isVoid(call.adopt, head)) return undefined;
  const { position, decision } = call.adopt;
  const { invocation } = call;
  return {
    invocation,
    decision: cancel !== null && decision === "retry" ? "fail" : decision,
    fromEvidence: position,
  };
}
