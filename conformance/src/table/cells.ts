/**
 * Which cells of the table a trace goes through, told from outside: from the view before each event and the event
 * itself, without knowing anything of an engine.
 */
import { isJsonObject, type Json, type JsonObject, own } from "@swl/base";
import type { AcceptedEvent, ExecutionModel, ModelView, Transition } from "@swl/execution/model";

export interface PassedCell {
  /** Rows that the event belongs to: with no invocation open, a settlement may be one of two. */
  readonly events: readonly string[];
  readonly status: string;
  /** In the words of `TableCell.expect`. */
  readonly effect: string;
}

/** The cells of a trace, in order, up to an error. */
export function cellsOf<P, S>(
  model: ExecutionModel<P, S>,
  prepared: P,
  definition: Json,
  events: readonly AcceptedEvent[],
): readonly PassedCell[] {
  const cells: PassedCell[] = [];
  let state: S | undefined;
  for (const event of events) {
    const view = state === undefined ? undefined : model.view(prepared, state);
    const step = model.transition(prepared, state, event);
    cells.push({ events: rowsOf(event, view, definition), status: columnOf(view), effect: effectOf(step) });
    if ("error" in step) break;
    state = step.state;
  }
  return cells;
}

function effectOf<S>(step: Transition<S>): string {
  if ("error" in step) return "impossible";
  const { effect } = step;
  return effect.kind === "none" ? `${effect.refuse ? "refused" : "none"} ${effect.code}` : effect.kind;
}

function columnOf(view: ModelView | undefined): string {
  switch (view?.status) {
    case undefined:
    case "created":
      return "created";
    case "running":
      return view.outstanding.some((entry) => entry.kind === "invoke" && entry.phase === "accepted")
        ? "R-a"
        : "R-s";
    case "waiting":
      return "W";
    case "needs-intervention":
      return "N";
    case "canceling":
      return "C";
    default:
      return "T";
  }
}

function rowsOf(event: AcceptedEvent, view: ModelView | undefined, definition: Json): readonly string[] {
  const row = ownRow(event, definition);
  const open = view?.blockers.find((blocker) => blocker.invocation !== undefined);
  switch (event.type) {
    case "result":
    case "failure":
    case "unknown":
    case "withdrawn":
    case "inspected":
      if (open === undefined) return [row, "older"];
      return open.invocation === event.invocation && open.attempt === event.attempt ? [row] : ["older"];
    case "accepted":
      // The rows of handles hold for settled invocations too: they say which of them are orphans.
      if (open === undefined || open.invocation !== event.invocation) return [row, "older"];
      return open.attempt === event.attempt ? [row] : ["older"];
    case "completion":
      if (open === undefined) return [row, "older"];
      return open.invocation === event.invocation ? [row] : ["older"];
    default:
      return [row];
  }
}

function ownRow(event: AcceptedEvent, definition: Json): string {
  switch (event.type) {
    case "failure": {
      const { retry } = contractOf(event.invocation, definition);
      const most = isJsonObject(retry) ? retry["maxAttempts"] : 0;
      const left = event.retryable && typeof most === "number" && event.attempt < most;
      return left ? "failure-retryable" : "failure-final";
    }
    case "accepted":
      return contractOf(event.invocation, definition)["deferred"] === true
        ? "accepted-declared"
        : "accepted-undeclared";
    case "deadline":
      return event.kind === "operation" ? "deadline-operation" : "deadline-other";
    default:
      return event.type;
  }
}

/** The contract of the action that an invocation `RUN/node#visit` called; empty when there is none. */
function contractOf(invocation: string, definition: Json): JsonObject {
  const node = invocation.slice(invocation.lastIndexOf("/") + 1, invocation.lastIndexOf("#"));
  const action = member(member(member(definition, "nodes"), node), "action");
  return typeof action === "string" ? member(member(definition, "actions"), action) : {};
}

function member(value: Json | undefined, name: string): JsonObject {
  const found = isJsonObject(value) ? own(value, name) : undefined;
  return (found ?? {}) as JsonObject;
}
