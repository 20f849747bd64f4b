/** Workflows that the tests of this package run. */
import { defineWorkflow } from "@swl/definition";

type Effect = "pure" | "read-only" | "idempotent" | "unsafe";

/** One activity `charge`, then done. */
export function charging(effect: Effect, timeouts: { readonly attemptMs?: number } = {}) {
  return defineWorkflow({
    id: "charging",
    start: "charge",
    actions: { charge: { effect, outcomes: { paid: {}, declined: {} }, timeouts } },
    nodes: {
      charge: { kind: "activity", action: "charge", routes: { paid: "done", declined: "refused" } },
      done: { kind: "complete", output: { $get: ["from", "output"] } },
      refused: { kind: "fail", error: { code: "card.declined", message: "declined" } },
    },
  });
}

/** Waits so long, then done. */
export function delaying(after: string) {
  return defineWorkflow({
    id: "delaying",
    start: "sleep",
    requires: ["core", "timers"],
    nodes: {
      sleep: { kind: "await-timer", after, routes: { elapsed: "done" } },
      done: { kind: "complete" },
    },
  });
}

/** Waits for an approval, at most a week. */
export const approving = defineWorkflow({
  id: "approving",
  start: "ask",
  requires: ["core", "timers"],
  nodes: {
    ask: {
      kind: "await-signal",
      signal: "approval",
      deadline: { after: "P7D", outcome: "late" },
      routes: { yes: "done", no: "refused", late: "refused" },
    },
    done: { kind: "complete" },
    refused: { kind: "fail", error: { code: "not.approved", message: "nobody approved" } },
  },
});
