/**
 * The commands still in force in a state: what a takeover, a recovery or an inspector needs. Spec: EXE-outstanding.
 */
import type { CoreState } from "./draft.js";
import { deadlineKey } from "./end.js";
import type { Outstanding } from "./model.js";
import { handleMember, handleOf, isScheduled } from "./operation.js";
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
  const list: Outstanding[] = [];
  const { activation, invocation, action, attempt, withdraw, deadline, operation } = call;
  const handle = handleMember(call);
  // Work of which nobody knows the result is asked about, and not out any more.
  if (handleOf(call) !== null || isScheduled(call)) {
    const phase = isScheduled(call) ? "scheduled" : "accepted";
    list.push({ kind: "invoke", activation, invocation, action, attempt, phase, ...handle, withdraw });
  }
  if (operation?.cancel && operation.cancel.acknowledged === null) {
    list.push({ kind: "cancel-invocation", invocation, attempt, ...handle });
  }
  if (operation?.inspect) {
    list.push({ kind: "inspect", invocation, attempt, at: operation.inspect.at, ...handle });
  }
  if (deadline !== null) {
    list.push({ kind: "deadline", deadline: "operation", key: deadlineKey(activation), ...deadline });
  }
  return list;
}
