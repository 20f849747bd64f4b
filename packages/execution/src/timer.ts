/**
 * A deadline that fires while the run waits: its outcome is routed once. One of another kind, key or generation, one
 * that comes again, and one that comes after the waiter was left, move nothing. Spec: EXE-await-deadline, EXE-timer.
 */
import type { Draft } from "./draft.js";
import { follow } from "./enter.js";
import type { Position } from "./head.js";
import type { EventBody } from "./model.js";
import type { PreparedWaiter } from "./prepared.js";
import { takeRoute } from "./route.js";
import { staleDeadline } from "./settle.js";
import { waitKey } from "./wait.js";

export function deadlineWaiter(draft: Draft, event: Extract<EventBody, { readonly type: "deadline" }>): void {
  const { head } = draft;
  const position = head.position as Position;
  const deadline = head.wait?.deadline ?? null;
  if (
    deadline === null ||
    event.kind !== deadline.kind ||
    event.generation !== deadline.generation ||
    event.key !== waitKey(deadline.kind, position)
  ) {
    staleDeadline(draft, event);
    return;
  }
  // It has fired: there is nothing left to clear.
  head.wait = null;
  const node = draft.prepared.nodes.get(position.node) as PreparedWaiter;
  follow(draft, takeRoute(draft, node, deadline.outcome, null));
}
