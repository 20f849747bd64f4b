/**
 * What a message (a signal or an update) means at a waiter: the outcome it routes, or why it cannot be used there. The
 * same for a message that arrives and for one that was kept. Spec: EXE-signal-outcome, EXE-signal-refused.
 */
import type { Code, Json } from "@swl/base";
import type { PreparedAwait } from "./prepared.js";

export interface Message {
  readonly outcome?: string | null;
  readonly payload: Json;
}

export type Judgement =
  | { readonly ok: true; readonly outcome: string }
  | { readonly ok: false; readonly code: Code; readonly message: string };

export function judge(node: PreparedAwait, { outcome: named, payload }: Message, what: string): Judgement {
  const outcome = named ?? soleOutcome(node);
  if (outcome === undefined) {
    const choice = node.outcomes.join(", ");
    return {
      ok: false,
      code: "signal.outcome-required",
      message: `${what} ${node.signal} needs an outcome, one of ${choice}`,
    };
  }
  if (!node.outcomes.includes(outcome)) {
    const message = `${what} ${node.signal} routes ${node.outcomes.join(", ")}, not ${JSON.stringify(outcome)}`;
    return { ok: false, code: "signal.outcome-unrouted", message };
  }
  const problem = node.payloads.get(outcome)?.(payload)[0];
  if (problem === undefined) return { ok: true, outcome };
  const where = problem.pointer === "" ? "the payload" : `the payload at ${problem.pointer}`;
  const message = `${where} of ${what} ${node.signal} is not valid for ${outcome}: ${problem.message}`;
  return { ok: false, code: "signal.payload-invalid", message };
}

/** What a message without an outcome means: `received` if routed, else the only authored outcome. */
function soleOutcome(node: PreparedAwait): string | undefined {
  if (node.outcomes.includes("received")) return "received";
  return node.outcomes.length === 1 ? node.outcomes[0] : undefined;
}
