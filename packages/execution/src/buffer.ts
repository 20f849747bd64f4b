/**
 * Signals kept for a waiter that is not there yet: one slot each, counters by name in the head, taken first in, first
 * out by name. Bounded by the definition's capacity; only names that some waiter of the definition has are kept.
 * Looking for the next one reads a slot for each that is taken or dropped, never the others.
 * Spec: EXE-buffer, EXE-buffer-capacity, EXE-buffer-taken.
 */
import { excerpt, type Json } from "@swl/base";
import type { Draft } from "./draft.js";
import type { KeptSignals } from "./head.js";
import { judge } from "./message.js";
import type { EventBody } from "./model.js";
import type { PreparedAwait } from "./prepared.js";

type Signal = Extract<EventBody, { readonly type: "signal" }>;

/** Slot `signal:<name>#<n>`. */
export interface KeptSignal {
  /** Of the event that brought it. */
  readonly position: number;
  readonly messageId: string;
  readonly outcome: string | null;
  readonly payload: Json;
}

/** Keeps a signal for later, or says that there is no room or that nothing will ever wait for it. */
export function keepSignal(draft: Draft, event: Signal): void {
  const { limits, signals } = draft.prepared;
  const capacity = limits.bufferedSignals;
  const { name, messageId, outcome, payload } = event;
  if (capacity === null || !signals.has(name)) {
    const why = capacity === null ? "now" : "in this workflow";
    draft.none("signal.unmatched", `nothing waits for signal ${JSON.stringify(name)} ${why}`);
    return;
  }
  const kept = keptCount(draft.head.buffer);
  if (kept >= capacity.max) {
    const message = `signal ${name} is not kept: ${capacity.max} signals are kept already`;
    draft.refuse("signal.buffer-full", message);
    return;
  }
  const queue = draft.head.buffer.find((one) => one.signal === name) ?? { signal: name, first: 1, count: 0 };
  const record: KeptSignal = { position: draft.event.position, messageId, outcome: outcome ?? null, payload };
  draft.write(signalSlot(name, queue.first + queue.count), record as unknown as Json);
  setQueue(draft, { ...queue, count: queue.count + 1 });
  draft.effect = { kind: "buffered" };
  if (kept + 1 === capacity.near) {
    draft.note("limit.near", "warning", `${kept + 1} of ${capacity.max} signals are kept`);
  }
}

/**
 * The oldest kept signal that the waiter can use, taken out. Older ones that it cannot use are dropped on the way, as
 * they would have been turned away on arrival.
 */
export function takeSignal(
  draft: Draft,
  node: PreparedAwait,
): { readonly outcome: string; readonly payload: Json } | undefined {
  const queue = draft.head.buffer.find((one) => one.signal === node.signal);
  if (queue === undefined) return undefined;
  let { first, count } = queue;
  let taken: { readonly outcome: string; readonly payload: Json } | undefined;
  while (taken === undefined && count > 0) {
    const slot = signalSlot(node.signal, first);
    const record = draft.slot(slot) as unknown as KeptSignal;
    const judged = judge(node, record, "signal");
    if (judged.ok) taken = { outcome: judged.outcome, payload: record.payload };
    else {
      const message = `the kept signal ${record.messageId} is dropped: ${judged.message}`;
      draft.note("signal.dropped", "warning", message, node.id);
    }
    draft.remove(slot);
    first++;
    count--;
  }
  setQueue(draft, { signal: node.signal, first, count });
  return taken;
}

/** Says at the end of a run which signals nobody took. They stay where they are, for whoever looks. */
export function tellLeftovers(draft: Draft): void {
  const { buffer } = draft.head;
  if (buffer.length === 0) return;
  const names = buffer.map(({ signal, count }) => `${signal} (${count})`).join(", ");
  const message = `the run ends with kept signals that nobody took: ${excerpt(names, 300)}`;
  draft.note("signal.unmatched", "warning", message);
}

export function keptCount(buffer: readonly KeptSignals[]): number {
  let count = 0;
  for (const queue of buffer) count += queue.count;
  return count;
}

export function signalSlot(signal: string, n: number): string {
  return `signal:${signal}#${n}`;
}

/** The queue of a name as it is now; one that has nothing is not listed. */
function setQueue(draft: Draft, queue: KeptSignals): void {
  const others = draft.head.buffer.filter((one) => one.signal !== queue.signal);
  draft.head.buffer =
    queue.count === 0 ? others : [...others, queue].sort((a, b) => (a.signal < b.signal ? -1 : 1));
}
