/**
 * Signals in core: delivered to the waiter that stands there now, or told to be unmatched. A signal that matches but
 * cannot be used is turned away and the waiter stays. Spec: EXE-signal, EXE-signal-outcome, EXE-signal-refused.
 */
import type { Draft } from "./draft.js";
import { follow } from "./enter.js";
import type { EventBody } from "./model.js";
import type { PreparedAwait } from "./prepared.js";
import { takeRoute } from "./route.js";

type Signal = Extract<EventBody, { readonly type: "signal" }>;

export function signalUnmatched(draft: Draft, event: Signal): void {
  draft.none("signal.unmatched", `nothing waits for signal ${JSON.stringify(event.name)} now`);
}

export function signalWaiter(draft: Draft, event: Signal): void {
  const node = draft.prepared.nodes.get(draft.head.position!.node) as PreparedAwait;
  if (event.name !== node.signal) {
    signalUnmatched(draft, event);
    return;
  }
  const outcome = event.outcome ?? soleOutcome(node);
  if (outcome === undefined) {
    const choice = node.outcomes.join(", ");
    draft.refuse("signal.outcome-required", `signal ${node.signal} needs an outcome, one of ${choice}`);
    return;
  }
  if (!node.outcomes.includes(outcome)) {
    const message = `signal ${node.signal} routes ${node.outcomes.join(", ")}, not ${JSON.stringify(outcome)}`;
    draft.refuse("signal.outcome-unrouted", message);
    return;
  }
  const problems = node.payloads.get(outcome)?.(event.payload) ?? [];
  if (problems.length > 0) {
    const where = problems[0]?.pointer === "" ? "the payload" : `the payload at ${problems[0]?.pointer}`;
    const message = `${where} of signal ${node.signal} is not valid for ${outcome}: ${problems[0]?.message}`;
    draft.refuse("signal.payload-invalid", message);
    return;
  }
  draft.head.wait = null;
  follow(draft, takeRoute(draft, node, outcome, event.payload));
}

/** What a signal without an outcome means: `received` if routed, else the only authored outcome. */
function soleOutcome(node: PreparedAwait): string | undefined {
  if (node.outcomes.includes("received")) return "received";
  return node.outcomes.length === 1 ? node.outcomes[0] : undefined;
}
