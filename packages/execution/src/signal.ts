/**
 * Signals and updates: delivered to the waiter that stands there now. One that matches but cannot be used is turned
 * away and the waiter stays. A signal without a waiter is kept where the definition asks for it, else told to be
 * unmatched; an update is never kept. Spec: EXE-signal, EXE-signal-outcome, EXE-signal-refused, EXE-update.
 */
import { keepSignal } from "./buffer.js";
import type { Draft } from "./draft.js";
import { follow } from "./enter.js";
import { judge } from "./message.js";
import type { EventBody } from "./model.js";
import type { PreparedAwait } from "./prepared.js";
import { takeRoute } from "./route.js";
import { clearWait } from "./wait.js";

type Event<T extends EventBody["type"]> = Extract<EventBody, { readonly type: T }>;

/** While the run is created, running or parked nothing waits: a signal is kept, or unmatched. */
export function signalEarly(draft: Draft, event: Event<"signal">): void {
  keepSignal(draft, event);
}

export function signalWaiter(draft: Draft, event: Event<"signal">): void {
  if (isWaitedFor(draft, event.name)) deliver(draft, event);
  else keepSignal(draft, event);
}

export function updateEarly(draft: Draft, event: Event<"update">): void {
  if (draft.prepared.updates) {
    draft.refuse("update.not-waiting", `nothing waits for update ${JSON.stringify(event.name)} now`);
    return;
  }
  const message = "the definition of this run does not require profile tracked-updates";
  draft.refuse("definition.profile-missing", message);
}

export function updateWaiter(draft: Draft, event: Event<"update">): void {
  if (draft.prepared.updates && isWaitedFor(draft, event.name)) deliver(draft, event);
  else updateEarly(draft, event);
}

/** At a timer nothing is waited for by name. */
function isWaitedFor({ head }: Draft, name: string): boolean {
  const signal = head.wait?.signal ?? null;
  return signal !== null && signal === name;
}

function deliver(draft: Draft, event: Event<"signal"> | Event<"update">): void {
  const node = draft.prepared.nodes.get(draft.head.position!.node) as PreparedAwait;
  const judged = judge(node, event, event.type);
  if (!judged.ok) {
    draft.refuse(judged.code, judged.message);
    return;
  }
  clearWait(draft);
  follow(draft, takeRoute(draft, node, judged.outcome, event.payload));
}
