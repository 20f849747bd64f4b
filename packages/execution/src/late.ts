/**
 * Words that come after their time: about an attempt that is not the latest any more, or about an invocation that is
 * settled. They move nothing; what they tell of an operation is kept. Spec: EXE-evidence, EXE-unsettled.
 */
import type { Draft } from "./draft.js";
import { keepEvidence } from "./evidence.js";
import { activityOf } from "./relation.js";
import type { Settlement } from "./report.js";
import { isListed, isOver, listUnsettled, unlist } from "./unsettled.js";

/** Kept as evidence, unless it says again what is known. */
export function keepLate(draft: Draft, event: Settlement): void {
  if (saysAgain(draft, event)) {
    const { type, invocation } = event;
    draft.none("event.stale", `${type} of ${invocation} says again what is known: its operation is over`);
    return;
  }
  keepEvidence(draft, event);
  if (event.type === "completion") unlist(draft, event.invocation, event.handle);
  if (event.type !== "accepted" || draft.head.call?.invocation === event.invocation) return;
  // An operation is out, and nobody waits for it.
  if (!isDeferred(draft, event.invocation)) return;
  listUnsettled(draft, event.invocation, event.attempt, event.handle);
}

/** A word about the operation that settled its invocation: its answer overtaken, or a second completion. */
export function saysAgain(draft: Draft, event: { readonly type: string }): boolean {
  const { settled } = draft.head;
  const said = event as Settlement;
  if (settled === null || settled.invocation !== said.invocation) return false;
  switch (said.type) {
    case "accepted":
      return isDeferred(draft, said.invocation) && isOver(settled, said.attempt, said.handle);
    case "completion":
      if (said.handle === undefined || settled.handle === said.handle) return true;
      return settled.handle === null && !isListed(draft, said.invocation, said.handle);
    default:
      return false;
  }
}

function isDeferred(draft: Draft, invocation: string): boolean {
  return activityOf(draft, invocation)?.action.operation?.deferred === true;
}
