/**
 * Operations that a provider accepted and of which nothing was heard, though no invocation waits for them any more:
 * orphans. They are listed in the slot `unsettled`, for people; a word about one takes it off the list. Bounded: the
 * newest 100. Spec: EXE-unsettled.
 */
import type { Json } from "@swl/base";
import type { Draft } from "./draft.js";
import { evidenceAt } from "./evidence.js";
import type { Call, Settled } from "./head.js";
import { handleOf, isHandle } from "./operation.js";

/** Unsettled operations listed per run. */
export const maxUnsettled = 100;

export const unsettledSlot = "unsettled";

export interface Unsettled {
  readonly invocation: string;
  readonly attempt: number;
  readonly handle: string;
  /** Run time since when nobody waits for it. */
  readonly since: number;
}

function listed(draft: Draft): readonly Unsettled[] {
  return (draft.slot(unsettledSlot) as unknown as readonly Unsettled[] | undefined) ?? [];
}

/** A handle that no head can keep is told in evidence only. */
export function listUnsettled(draft: Draft, invocation: string, attempt: number, handle: string): void {
  if (!isHandle(handle)) return;
  const list = listed(draft).filter((one) => one.invocation !== invocation || one.handle !== handle);
  const entry: Unsettled = { invocation, attempt, handle, since: draft.head.time };
  draft.write(unsettledSlot, [...list.slice(1 - maxUnsettled), entry] as unknown as Json);
}

export function isListed(draft: Draft, invocation: string, handle: string): boolean {
  return listed(draft).some((one) => one.invocation === invocation && one.handle === handle);
}

/** A word about the operation has been heard, or an invocation waits for it again. */
export function unlist(draft: Draft, invocation: string, handle: string | undefined): void {
  const list = listed(draft);
  if (list.length === 0) return;
  const rest = list.filter((one) => one.invocation !== invocation || one.handle !== handle);
  if (rest.length === list.length) return;
  if (rest.length === 0) draft.remove(unsettledSlot);
  else draft.write(unsettledSlot, rest as unknown as Json);
}

/** The operation is over by the word that settled its invocation; a completion without a handle may be of any. */
export function isOver(settled: Settled, attempt: number, handle: string): boolean {
  if (settled.handle === handle) return true;
  return settled.attempt === 0 ? settled.handle === null : settled.attempt === attempt;
}

/** The call is left: whatever was accepted for it and is not over has nobody who waits for it. */
export function leaveOperations(draft: Draft, call: Call, settled: Settled | null): void {
  const { invocation, attempt, evidence } = call;
  const handle = handleOf(call);
  const leave = (of: number, known: string) => {
    if (settled !== null && isOver(settled, of, known)) return;
    if (!heardOf(draft, call, known)) listUnsettled(draft, invocation, of, known);
  };
  for (const kept of evidence) {
    if (kept.type !== "accepted") continue;
    const record = evidenceAt(draft, kept.position);
    if (record?.type === "accepted") leave(kept.attempt, record.handle);
  }
  if (handle !== null) leave(attempt, handle);
}

/** Kept evidence says how the operation ended; where it names no handle, that of the recorded one. */
function heardOf(draft: Draft, call: Call, handle: string): boolean {
  return call.evidence.some(({ type, position }) => {
    if (type !== "completion" && type !== "inspected") return false;
    const record = evidenceAt(draft, position);
    if (record?.type === "completion") return (record.handle ?? handleOf(call)) === handle;
    return record?.type === "inspected" && record.result !== null && handleOf(call) === handle;
  });
}
