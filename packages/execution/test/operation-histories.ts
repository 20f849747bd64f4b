/**
 * Random words about operations, and what must hold of them in every history: what nobody may repeat is not repeated, an
 * invocation leaves its node once, questions and requests to stop are those in force, and lists are bounded.
 */
import fc from "fast-check";
import { expect } from "vitest";
import type { CoreState } from "../src/draft.js";
import { core, maxCallEvidence, maxUnsettled } from "../src/index.js";
import type { EventBody } from "../src/model.js";
import { accepted, completion, inspected, type Step } from "./helpers.js";

export const operationKinds = [
  "accepted",
  "accepted",
  "completion",
  "completion",
  "inspected",
  "inspected",
  "ack",
] as const;
export type OperationKind = (typeof operationKinds)[number];

export interface Declared {
  readonly deferred: boolean;
  readonly requestable: boolean;
}

export const declared: fc.Arbitrary<Declared> = fc.record({
  deferred: fc.boolean(),
  requestable: fc.boolean(),
});

export function members({ deferred, requestable }: Declared) {
  return { deferred, cancellation: requestable ? "requestable" : "none" };
}

const handles = ["op-1", "op-1", "op-2", null] as const;
const answers = ["running", "completed", "failed", "not-found", "unknown", "not-found"] as const;
const card = { code: "card.stolen", message: "stolen", details: null };

/** A word about an attempt of an activation. */
export function operationEvent(kind: OperationKind, at: string, attempt: number, variant: number): EventBody {
  switch (kind) {
    case "accepted":
      return accepted(at, attempt, variant < 4 ? "op-1" : "op-2");
    case "completion": {
      const failed = { error: card, retryable: variant % 2 === 0 };
      const outcome = variant === 3 ? "odd" : "ok";
      return completion(at, handles[variant % 4], variant < 4 ? { outcome, output: null } : failed);
    }
    case "inspected":
      return inspected(at, attempt, answers[variant]!);
    case "ack":
      return { type: "cancel-acknowledged", invocation: `r1/${at}` };
  }
}

/** What may begin an attempt after the first where a repetition could do harm. */
const begins = new Set(["failure", "completion", "accepted", "inspected", "resolve"]);

/** Keeps `left`, the activations that have been left. */
export function checkOperations(
  left: Set<string>,
  effect: string,
  before: CoreState | undefined,
  event: EventBody,
  step: Step,
): void {
  for (const { node, visit } of step.edges) {
    const activation = `${node}#${visit}`;
    expect(left.has(activation)).toBe(false);
    left.add(activation);
  }
  const again = step.commands.some((command) => command.kind === "invoke" && command.attempt > 1);
  const harmful = effect === "unsafe" || effect === "reconcilable";
  if (again && harmful && before !== undefined) {
    expect(begins).toContain(event.type);
    // That an operation is gone which had been accepted does not say that nothing was done.
    if (event.type === "inspected") expect(before.head.call?.operation?.handle).toBeNull();
  }
  checkState(step.state);
}

function checkState(state: CoreState): void {
  const { call, cancel } = state.head;
  const kinds = core.outstanding(state).map((one) => one.kind);
  expect(new Set(kinds).size).toBe(kinds.length);
  if (call !== null && call.parked === null) expect(kinds.some((kind) => kind !== "deadline")).toBe(true);
  if (kinds.includes("cancel-invocation")) expect(cancel).not.toBeNull();
  expect((call?.evidence ?? []).length).toBeLessThanOrEqual(maxCallEvidence);
  const unsettled = state.slots.get("unsettled") as readonly { readonly handle: string }[] | undefined;
  if (unsettled === undefined) return;
  expect(unsettled.length).toBeGreaterThan(0);
  expect(unsettled.length).toBeLessThanOrEqual(maxUnsettled);
}
