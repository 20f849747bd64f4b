/**
 * The transition table: one row an event, one column a status, each cell a rule. Pure: no clock, no randomness, no
 * lookup that grows with the graph or the age of the run; never throws on an accepted event, never changes what it
 * was given. Spec: EXE-transition, EXE-duplicate, and the table in docs/spec/execution.md.
 */
import {
  cancelAgain,
  cancelAtOnce,
  cancelParked,
  cancelRunning,
  deadlineWhileCanceling,
  reportWhileCanceling,
  unknownWhileCanceling,
  withdrawnWhileCanceling,
} from "./cancel.js";
import { onAccepted, onCompletion } from "./completion.js";
import { type CoreState, Draft, initialState } from "./draft.js";
import { keepEvidence } from "./evidence.js";
import type { Status } from "./head.js";
import { onInspected, withdrawnRunning } from "./inspect.js";
import { keepLate, saysAgain } from "./late.js";
import type { AcceptedEvent, EventBody, Transition } from "./model.js";
import { onAcknowledged } from "./operation.js";
import type { CorePrepared } from "./prepared.js";
import { type Relation, relationOf, relationOfCompletion } from "./relation.js";
import type { Settlement } from "./report.js";
import { resolveNothing, resolveParked } from "./resolve.js";
import { onDeadline, onFailure, onResult, onUnknown, staleDeadline } from "./settle.js";
import { signalEarly, signalWaiter, updateEarly, updateWaiter } from "./signal.js";
import { onStart } from "./start.js";
import { deadlineWaiter } from "./timer.js";

/** `running` is two columns of the table: with an operation handle recorded, and without. */
type Column = "created" | "running" | "waiting" | "needs-intervention" | "canceling" | "terminal";
type EventOf<T extends EventBody["type"]> = Extract<EventBody, { readonly type: T }>;
type Row<T extends EventBody["type"]> = Readonly<Record<Column, (draft: Draft, event: EventOf<T>) => void>>;

const table: { readonly [T in EventBody["type"]]: Row<T> } = {
  start: everywhere<"start">(impossible, { created: onStart }),
  result: {
    created: impossible,
    running: onResult,
    waiting: stale,
    "needs-intervention": keepEvidence,
    canceling: reportWhileCanceling,
    terminal: lateEvidence,
  },
  failure: {
    created: impossible,
    running: onFailure,
    waiting: stale,
    "needs-intervention": keepEvidence,
    canceling: reportWhileCanceling,
    terminal: lateEvidence,
  },
  accepted: {
    created: impossible,
    running: onAccepted,
    waiting: keepLate,
    "needs-intervention": keepEvidence,
    canceling: onAccepted,
    terminal: lateEvidence,
  },
  unknown: {
    created: impossible,
    running: onUnknown,
    waiting: stale,
    "needs-intervention": stale,
    canceling: unknownWhileCanceling,
    terminal: lateEvidence,
  },
  withdrawn: {
    created: impossible,
    running: withdrawnRunning,
    waiting: impossible,
    "needs-intervention": keepEvidence,
    canceling: withdrawnWhileCanceling,
    terminal: lateStale,
  },
  deadline: {
    created: impossible,
    running: onDeadline,
    waiting: deadlineWaiter,
    "needs-intervention": staleDeadline,
    canceling: deadlineWhileCanceling,
    terminal: lateStale,
  },
  signal: {
    created: signalEarly,
    running: signalEarly,
    waiting: signalWaiter,
    "needs-intervention": signalEarly,
    canceling: refusedCanceling,
    terminal: tooLate,
  },
  cancel: {
    created: cancelAtOnce,
    running: cancelRunning,
    waiting: cancelAtOnce,
    "needs-intervention": cancelParked,
    canceling: cancelAgain,
    terminal: cancelLate,
  },
  "cancel-acknowledged": everywhere<"cancel-acknowledged">(stale, {
    "needs-intervention": onAcknowledged,
    canceling: onAcknowledged,
    terminal: lateStale,
  }),
  resolve: everywhere<"resolve">(resolveNothing, { "needs-intervention": resolveParked, terminal: tooLate }),
  completion: {
    created: impossible,
    running: onCompletion,
    waiting: keepLate,
    "needs-intervention": keepEvidence,
    canceling: onCompletion,
    terminal: lateEvidence,
  },
  inspected: {
    created: impossible,
    running: onInspected,
    waiting: stale,
    "needs-intervention": keepEvidence,
    canceling: onInspected,
    terminal: lateStale,
  },
  update: {
    created: updateEarly,
    running: updateEarly,
    waiting: updateWaiter,
    "needs-intervention": updateEarly,
    canceling: refusedCanceling,
    terminal: tooLate,
  },
};

/** Whatever a host takes for a type: JSON of any kind may stand there. */
function rowOf(type: unknown): Row<EventBody["type"]> | undefined {
  if (typeof type !== "string" || !Object.hasOwn(table, type)) return undefined;
  return table[type as EventBody["type"]] as Row<EventBody["type"]>;
}

/** Applies one accepted event. `state` is absent before the first one. */
export function transition(
  prepared: CorePrepared,
  state: CoreState | undefined,
  event: AcceptedEvent,
): Transition<CoreState> {
  const base = state ?? initialState;
  const draft = new Draft(prepared, base, event);
  const row = rowOf(event.type);
  if (!Number.isSafeInteger(event.position) || !Number.isFinite(event.at) || row === undefined) {
    draft.impossible("an event needs a type of this model, a position and a time");
  } else if (event.position <= base.head.last) {
    draft.none(
      "event.stale",
      `position ${event.position} is applied already (the last one is ${base.head.last})`,
    );
    draft.keep();
  } else if (!standsInDefinition(prepared, base)) {
    draft.impossible(
      "the state belongs to another definition: it stands on a node that this one does not have",
    );
  } else {
    dispatch(draft, row, event);
  }
  return draft.finish();
}

/** A state is only ever given with the definition that its run pinned. */
function standsInDefinition(prepared: CorePrepared, { head }: CoreState): boolean {
  if (head.position === null) return true;
  const kind = prepared.nodes.get(head.position.node)?.kind;
  if (head.call !== null) return kind === "activity";
  return kind === (head.wait?.signal === null ? "await-timer" : "await-signal");
}

function dispatch(draft: Draft, row: Row<EventBody["type"]>, event: AcceptedEvent): void {
  const column = columnOf(draft.base.head.status);
  const relation = relationTo(draft, event);
  if (relation === "never-authorized") impossible(draft, event);
  else if (relation === "older") olderAttempt(draft, event as OfInvocation, column);
  else row[column](draft, event as never);
}

function columnOf(status: Status): Column {
  switch (status) {
    case "completed":
    case "failed":
    case "canceled":
      return "terminal";
    default:
      return status;
  }
}

type OfInvocation = Settlement | EventOf<"unknown">;

/** Events that speak of no attempt speak of now. */
function relationTo(draft: Draft, event: AcceptedEvent): Relation {
  switch (event.type) {
    case "result":
    case "failure":
    case "accepted":
    case "unknown":
    case "withdrawn":
    case "inspected":
      return relationOf(draft, event.invocation, event.attempt);
    case "completion":
      return relationOfCompletion(draft, event.invocation);
    default:
      return "latest";
  }
}

/** The first row of the table: an older attempt, or an invocation that is settled. */
function olderAttempt(draft: Draft, event: OfInvocation, column: Column): void {
  const terminal = column === "terminal";
  if (event.type === "unknown" || event.type === "inspected") (terminal ? lateStale : stale)(draft, event);
  else (terminal ? lateEvidence : keepLate)(draft, event);
}

function everywhere<T extends EventBody["type"]>(
  cell: (draft: Draft, event: EventOf<T>) => void,
  except: Partial<Row<T>>,
): Row<T> {
  return {
    created: cell,
    running: cell,
    waiting: cell,
    "needs-intervention": cell,
    canceling: cell,
    terminal: cell,
    ...except,
  };
}

function impossible(draft: Draft, event: EventBody): void {
  draft.impossible(`${describe(event)} cannot happen while the run is ${draft.base.head.status}`);
}

function stale(draft: Draft, event: EventBody): void {
  draft.none("event.stale", `${describe(event)} comes too late to mean anything`);
}

function lateStale(draft: Draft, event: EventBody): void {
  draft.none("event.stale", `${describe(event)} comes after the run is ${draft.head.status}`);
  draft.keep();
}

/** The host keeps it beside the closed log. */
function lateEvidence(draft: Draft, event: OfInvocation): void {
  if (saysAgain(draft, event)) {
    lateStale(draft, event);
    return;
  }
  draft.none("event.evidence", `${describe(event)} comes after the run is ${draft.head.status}`);
  draft.keep();
}

function refusedCanceling(draft: Draft, event: EventBody): void {
  draft.refuse("run.canceling", `${describe(event)} is refused: the run is canceling`);
}

function tooLate(draft: Draft, event: EventBody): void {
  draft.refuse("event.too-late", `${describe(event)} is too late: the run is ${draft.head.status}`);
  draft.keep();
}

function cancelLate(draft: Draft): void {
  draft.none("event.too-late", `cancel is too late: the run is ${draft.head.status}`);
  draft.keep();
}

function describe(event: EventBody): string {
  if (!("invocation" in event)) return event.type;
  return "attempt" in event
    ? `${event.type} of ${event.invocation}, attempt ${event.attempt}`
    : `${event.type} of ${event.invocation}`;
}
