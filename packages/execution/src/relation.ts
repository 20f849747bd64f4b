/**
 * Which attempt an event speaks of: the latest of the open invocation, an older one, or one that was never
 * authorized. Spec: EXE-attempts, EXE-evidence.
 */
import type { Draft } from "./draft.js";

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

/** `RUN/node#visit` of an activity that has been visited that often. */
function wasAuthorized(draft: Draft, invocation: string): boolean {
  const { run } = draft.head;
  if (run === null || typeof invocation !== "string" || !invocation.startsWith(`${run}/`)) return false;
  const mark = invocation.lastIndexOf("#");
  const node = invocation.slice(run.length + 1, mark);
  const visit = invocation.slice(mark + 1);
  if (!/^[1-9][0-9]{0,8}$/.test(visit)) return false;
  const record = draft.node(node);
  const open = draft.head.call !== null && draft.head.position?.node === node ? 1 : 0;
  return draft.prepared.nodes.get(node)?.kind === "activity" && Number(visit) <= record.visits - open;
}
