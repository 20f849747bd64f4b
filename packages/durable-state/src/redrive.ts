/**
 * A run that goes on from a failed one: the old log is folded anew under a new run ID, up to the event that entered the
 * activation that failed; that event then is the new run's first own, now, so that the activation is a new one with
 * invocations and idempotency keys of its own. What was done before it stays done. Spec: INV-redrive.
 */
import { type Json, SwlError } from "@swl/base";
import type { AcceptedEvent, InvokeCommand } from "@swl/execution/model";
import type { LogRecord, RecordInput, WorkInput } from "@swl/store-provider";
import type { Served } from "./definitions.js";
import { eventsOf, type Step, stepOf } from "./fold.js";
import {
  type CreatedDocument,
  createdRecord,
  eventRecord,
  inheritedRecord,
  queueOf,
  workId,
} from "./formats.js";

export interface RedriveMade {
  readonly run: string;
  readonly created: CreatedDocument;
  readonly served: Served;
  readonly inherited: readonly AcceptedEvent[];
  readonly event: AcceptedEvent;
  readonly step: Step;
  readonly work: readonly WorkInput[];
  readonly dues: readonly { readonly key: string; readonly at: number }[];
}

/** The place where the failed activation was entered: index of its event, and what it is called. */
interface Entry {
  readonly index: number;
  readonly activation: string;
}

/** Throws `run.not-failed`, `run.unreadable`. */
export function makeRedrive(
  old: { readonly run: string; readonly created: CreatedDocument; readonly served: Served },
  records: readonly LogRecord[],
  run: string,
  now: number,
): RedriveMade & { readonly activation: string } {
  const { served } = old;
  const events = eventsOf(records, old.created);
  const { index, activation } = entryOf(served, events);
  const renamed = events.map((event) => renamedEvent(event, old.run, run));
  const inherited = renamed.slice(0, index);
  const entering = renamed[index]!;
  const event: AcceptedEvent = { ...entering, at: Math.max(now, entering.at) };
  const invokes = new Map<string, InvokeCommand>();
  let state: unknown;
  let step: Step | undefined;
  for (const one of [...inherited, event]) {
    step = stepOf(served, state, one);
    state = step?.state ?? state;
    for (const command of step?.commands ?? [])
      if (command.kind === "invoke") invokes.set(workId(command.invocation, command.attempt), command);
  }
  if (step === undefined) throw unreadable("the event that entered the activation has no effect any more");
  const redriveOf = { run: old.run, position: entering.position, activation };
  const created: CreatedDocument = { ...old.created, redriveOf };
  const open = openOf(served, created, state, invokes);
  return { run, created, served, inherited, event, step, activation, ...open };
}

/** The activation that stood open before the event that failed the run, and the first event after which it stood. */
function entryOf(served: Served, events: readonly AcceptedEvent[]): Entry {
  const { model, prepared } = served;
  const open: (readonly string[])[] = [];
  let state: unknown;
  for (const [index, event] of events.entries()) {
    state = stepOf(served, state, event)?.state ?? state;
    const disposition = model.disposition(state);
    if (disposition.kind === "closed") {
      if (disposition.status !== "failed") break;
      const before = open[index - 1] ?? [];
      const activation = failedOf(before, event) ?? "";
      const entered = open.findIndex((activations) => activations.includes(activation));
      return entered === -1 ? { index, activation } : { index: entered, activation };
    }
    open.push(model.view(prepared, state).positions.map((position) => position.activation));
  }
  throw new SwlError("run.not-failed", "The run has not failed.");
}

function failedOf(open: readonly string[], event: AcceptedEvent): string | undefined {
  const { invocation } = event as { readonly invocation?: string };
  return open.find((activation) => invocation?.endsWith(`/${activation}`)) ?? open[0];
}

/** Invocations carry the run's ID (`RUN/charge#3`): those of the new run carry its own. */
function renamedEvent(event: AcceptedEvent, from: string, to: string): AcceptedEvent {
  if (event.type === "start") return { ...event, run: to };
  if (!("invocation" in event) || !event.invocation.startsWith(`${from}/`)) return event;
  return { ...event, invocation: to + event.invocation.slice(from.length) };
}

/** What is in force after the last event: its attempts as work, its deadlines. */
function openOf(
  { model }: Served,
  created: CreatedDocument,
  state: unknown,
  invokes: ReadonlyMap<string, InvokeCommand>,
): Pick<RedriveMade, "work" | "dues"> {
  const work: WorkInput[] = [];
  const dues: { key: string; at: number }[] = [];
  const outstanding = model.disposition(state).kind === "closed" ? [] : model.outstanding(state);
  for (const one of outstanding) {
    if (one.kind === "deadline") {
      dues.push({ key: one.key, at: one.at });
      continue;
    }
    const id = one.kind === "invoke" ? workId(one.invocation, one.attempt) : "";
    const command = invokes.get(id);
    if (command === undefined || (one.kind === "invoke" && one.phase !== "scheduled"))
      throw unreadable("another branch of the run still waits for an operation");
    const { action, delay } = command;
    const queue = queueOf(action, created.actions[action] ?? "", created.bindings[action] ?? "");
    work.push({ id, queue, delay, document: { command: command as unknown as Json } });
  }
  return { work, dues };
}

/** Bytes of inherited events that one record takes: far below what a document may have, and few records. */
const portion = 1_000_000;

/** The records of the new run's first commit. */
export function redriveRecords(made: RedriveMade): readonly RecordInput[] {
  const { created, inherited, event, served, step } = made;
  const portions: AcceptedEvent[][] = [];
  let size = portion;
  for (const one of inherited) {
    // Its input stands in the first record.
    const kept = one.type === "start" ? ({ ...one, input: null } as AcceptedEvent) : one;
    const bytes = JSON.stringify(kept).length;
    if (size + bytes > portion) {
      portions.push([]);
      size = 0;
    }
    portions.at(-1)!.push(kept);
    size += bytes;
  }
  const { position: _, ...logged } = event;
  const { head } = served.model.toJSON(step.state);
  return [
    createdRecord(created),
    ...portions.map(inheritedRecord),
    eventRecord(logged, { head, ...(step.edges.length > 0 && { edges: step.edges }) }),
  ];
}

function unreadable(why: string): SwlError {
  return new SwlError("run.unreadable", `The run cannot go on from before the failed activation: ${why}.`);
}
