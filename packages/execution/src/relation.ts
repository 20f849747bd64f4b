/**
 * Which attempt an event speaks of: the latest of the open invocation, an older one, or one that was never
 * authorized. Spec: EXE-attempts, EXE-evidence.
 */
import type { Draft } from "./draft.js";
import type { PreparedActivity } from "./prepared.js";

export type Relation = "latest" | "older" | "never-authorized";

/**
 * With no invocation open, `latest` is the attempt whose own word settled the last one. Anything else that is settled
 * counts as older.
 */
export function relationOf(draft: Draft, invocation: string, attempt: number): Relation {
  if (!Number.isSafeInteger(attempt) || attempt < 1) return "never-authorized";
  const { call, settled } = draft.head;
  if (call !== null && call.invocation === invocation) {
    if (attempt === call.attempt) return "latest";
    return attempt < call.attempt ? "older" : "never-authorized";
  }
  if (call === null && settled?.invocation === invocation && settled.attempt === attempt) return "latest";
  return wasAuthorized(draft, invocation) ? "older" : "never-authorized";
}

/** A completion names no attempt: it is of the open invocation, or of one that is settled. */
export function relationOfCompletion(draft: Draft, invocation: string): Relation {
  if (draft.head.call?.invocation === invocation) return "latest";
  return wasAuthorized(draft, invocation) ? "older" : "never-authorized";
}

/** `RUN/node#visit` of an activity that has been visited that often. */
function wasAuthorized(draft: Draft, invocation: string): boolean {
  const visit = typeof invocation === "string" ? invocation.slice(invocation.lastIndexOf("#") + 1) : "";
  const node = /^[1-9][0-9]{0,8}$/.test(visit) ? activityOf(draft, invocation) : undefined;
  if (node === undefined) return false;
  const open = draft.head.call !== null && draft.head.position?.node === node.id ? 1 : 0;
  return Number(visit) <= draft.node(node).visits - open;
}

/** The activity that `RUN/node#visit` of this run names. */
export function activityOf(draft: Draft, invocation: string): PreparedActivity | undefined {
  const { run } = draft.head;
  if (run === null || !invocation.startsWith(`${run}/`)) return undefined;
  const node = draft.prepared.nodes.get(invocation.slice(run.length + 1, invocation.lastIndexOf("#")));
  return node?.kind === "activity" ? node : undefined;
}
