/**
 * The commands still in force in a state: what a takeover, a recovery or an inspector needs. Spec: EXE-outstanding.
 */
import type { CoreState } from "./draft.js";
import { deadlineKey } from "./end.js";
import type { Outstanding } from "./model.js";
import { waitKey } from "./wait.js";

const nothing: readonly Outstanding[] = [];

/** A parked invocation has nothing in force: its attempt is over or given up. */
export function outstanding(state: CoreState): readonly Outstanding[] {
  const { call, wait, position } = state.head;
  if (wait?.deadline && position !== null) {
    const { kind, generation, at } = wait.deadline;
    return [{ kind: "deadline", deadline: kind, key: waitKey(kind, position), generation, at }];
  }
  if (call === null || call.parked !== null) return nothing;
  const { activation, invocation, action, attempt, withdraw, deadline } = call;
  const list: Outstanding[] = [
    { kind: "invoke", activation, invocation, action, attempt, phase: "scheduled", withdraw },
  ];
  if (deadline !== null) {
    list.push({ kind: "deadline", deadline: "operation", key: deadlineKey(activation), ...deadline });
  }
  return list;
}
