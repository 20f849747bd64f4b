/**
 * A run's log folded anew through its model: what verifies a stored state, shows the state at any position, and gives a
 * redrive the state that it goes on from. Pure of the store: it is given the records.
 */
import { canonicalize, SwlError } from "@swl/base";
import type { AcceptedEvent, Transition } from "@swl/execution/model";
import type { LogRecord } from "@swl/store-provider";
import type { Served } from "./definitions.js";
import { type CreatedDocument, readCommit, readEvent, readInherited } from "./formats.js";

export type Step = Exclude<Transition<unknown>, { readonly error: unknown }>;

/** Events of a log in the order in which they were applied. */
export function eventsOf(records: readonly LogRecord[], created: CreatedDocument): readonly AcceptedEvent[] {
  return records.flatMap((record) => {
    const event = readEvent(record, created);
    return event === undefined ? readInherited(record, created) : [event];
  });
}

/**
 * One event more. Undefined where the model has no word for it and a host went on without it; every other thing that a
 * model cannot apply is thrown as `run.unreadable`.
 */
export function stepOf({ model, prepared }: Served, state: unknown, event: AcceptedEvent): Step | undefined {
  const step = model.transition(prepared, state, event);
  if (!("error" in step)) return step;
  if (event.type === "completion" && step.error.code === "model.event-impossible") return undefined;
  throw new SwlError(
    "run.unreadable",
    `The log cannot be folded beyond position ${event.position}: ${step.error.message}`,
  );
}

export interface Fold {
  readonly state: unknown;
  readonly position: number;
  readonly compared: number;
  readonly differing: readonly number[];
}

/** Up to a position: every commit's head there is compared with the one that the log gives. */
export function foldLog(
  served: Served,
  created: CreatedDocument,
  records: readonly LogRecord[],
  upTo: number,
): Fold {
  let state: unknown;
  let position = 0;
  let compared = 0;
  const differing: number[] = [];
  for (const record of records) {
    if (record.position > upTo) break;
    for (const event of eventsOf([record], created)) state = stepOf(served, state, event)?.state ?? state;
    position = record.position;
    const head = record.applies ? readCommit(record)?.head : undefined;
    if (head === undefined || state === undefined) continue;
    compared++;
    if (canonicalize(served.model.toJSON(state).head) !== canonicalize(head)) differing.push(position);
  }
  return { state, position, compared, differing };
}
