/**
 * The promises about operations in every state that one call can be brought into, whatever its provider, its host, a
 * sender of completions and an operator say in whatever order. The number of states is part of what each test claims.
 */
import type { Json } from "@swl/base";
import { describe, expect, it } from "vitest";
import type { CoreState } from "../src/draft.js";
import { core } from "../src/index.js";
import type { EventBody } from "../src/model.js";
import { type Arriving, type Bounds, explore, type Taken } from "./explore.js";
import {
  accepted,
  activity,
  completion,
  contract,
  definition,
  done,
  inspected,
  prepared,
  resolve,
} from "./helpers.js";

const retry = { maxAttempts: 2, initialDelayMs: 10, backoff: "fixed", maxDelayMs: 10, jitter: "none" };
const stop = { kind: "fail", error: { code: "order.stopped", message: "stopped", details: null } };
const requires = ["cancellation-acks", "core", "deferred-actions", "reconciliation"];

function single(effect: string): Json {
  const members = { retry, deferred: true, cancellation: "requestable", timeouts: { operationMs: 1_000 } };
  const nodes = { work: activity({ ok: "done", rejected: "stop" }), done, stop };
  return definition(nodes, { work: contract(effect, members) }, { requires });
}

const full = Boolean(process.env["SWL_FULL"]);
const bounds: Bounds = { states: 200_000, evidence: 0, retries: 0, kept: 0 };
const card = { code: "card.stolen", message: "stolen", details: null };

/** The usual, and every word about an operation; what grows for ever ends at the bounds. */
function wordsOf(source: Json, most: number): Arriving {
  const compiled = prepared(source);
  return (usual, state) => {
    if (state === undefined) return usual;
    const { call, evidence, last } = state.head;
    const words: EventBody[] = [...usual];
    if (call !== null) words.push(...operation(state));
    return words.filter((body) => {
      if (body.type === "withdrawn" && call?.operation?.handle != null) return false;
      const step = core.transition(compiled, state, { id: "e", position: last + 1, at: 0, ...body });
      if ("error" in step) throw new TypeError(`${JSON.stringify(body)}: ${step.error.message}`);
      const next = step.state.head;
      const more = next.evidence > evidence ? next.evidence : (next.call?.evidence.length ?? 0);
      return more <= most && (next.call?.generation ?? 0) <= 2;
    });
  };
}

function operation({ head }: CoreState): readonly EventBody[] {
  const { activation, attempt, operation, evidence } = head.call!;
  const asked = (operation?.inspect?.asked ?? 0) < 2 ? (["running"] as const) : [];
  return [
    accepted(activation, attempt, "op-1"),
    accepted(activation, attempt, "op-2"),
    completion(activation),
    completion(activation, null),
    completion(activation, "op-2"),
    completion(activation, "op-1", { outcome: "odd", output: null }),
    completion(activation, "op-1", { error: card, retryable: false }),
    completion(activation, "op-1", { error: card, retryable: true }),
    ...(["completed", "failed", "not-found", "unknown", ...asked] as const).map((status) =>
      inspected(activation, attempt, status),
    ),
    { type: "cancel-acknowledged", invocation: `r1/${activation}` },
    resolve(activation, "reattach"),
    ...evidence.map(({ position }) => resolve(activation, "reattach", { fromEvidence: position })),
  ];
}

/** Words after which work that may not be repeated blindly is tried again: nothing began, it failed, or a decision. */
const begins = new Set(["failure", "completion", "inspected", "resolve", "accepted"]);

function promised(effect: string) {
  return ({ before, event, step }: Taken): void => {
    const call = before?.head.call ?? null;
    for (const command of step.commands) {
      if (command.kind === "cancel-invocation" && step.state.head.cancel === null)
        throw broken("asks to stop what nobody canceled", event);
      if (command.kind !== "invoke" || command.attempt === 1) continue;
      if (before?.head.cancel) throw broken("authorizes work after a cancellation", event);
      if (effect !== "unsafe" && effect !== "reconcilable") continue;
      const lost = event.type === "inspected" && call?.operation?.handle !== null;
      if (!begins.has(event.type) || lost) throw broken("repeats what may have been done", event);
    }
    const { call: next, settled } = step.state.head;
    const kinds = core.outstanding(step.state).map(({ kind }) => kind);
    if (new Set(kinds).size < kinds.length) throw broken("has two of a kind in force", event);
    if (next !== null && next.parked === null && kinds.every((kind) => kind === "deadline"))
      throw broken("waits for an invocation of which nothing is out", event);
    if (call?.operation?.handle && next === null && settled?.handle !== call.operation.handle)
      leftBehind(step.state, event);
    core.disposition(step.state);
  };
}

/** An operation that no word settled and that nobody waits for is listed, unless something said how it ended. */
function leftBehind(state: CoreState, event: EventBody): void {
  const listed = state.slots.get("unsettled") !== undefined;
  const heard = [...state.slots.entries()].some(([, value]) =>
    ["completion", "inspected"].includes((value as { readonly type?: string } | null)?.type ?? ""),
  );
  const told = event.type === "inspected" || (event.type === "resolve" && event.fromEvidence !== undefined);
  if (!listed && !heard && !told) throw broken("loses sight of an operation", event);
}

function broken(what: string, event: unknown): Error {
  return new TypeError(`${what}: ${JSON.stringify(event)}`);
}

describe("every interleaving of words about an operation", () => {
  const search = (effect: string, evidence: number) => {
    const source = single(effect);
    const { states, complete } = explore(
      source,
      { ...bounds, evidence },
      promised(effect),
      wordsOf(source, evidence),
    );
    return [states.toLocaleString("en"), complete];
  };

  it.each([
    ["325", "an unsafe", "unsafe", 0],
    ["1,019", "a reconcilable", "reconcilable", 0],
    ["425", "an idempotent", "idempotent", 0],
    ["1,535", "a pure", "pure", 1],
  ])(
    "keeps every promise in the %s states of %s call [EXE-completion EXE-reconcile]",
    (states, _, effect, evidence) => {
      expect(search(effect, evidence)).toEqual([states, true]);
    },
  );

  it.runIf(full).each([
    ["8,570", "an unsafe", "unsafe"],
    ["21,167", "a reconcilable", "reconcilable"],
    ["11,452", "an idempotent", "idempotent"],
  ])(
    "keeps every promise in the %s states of %s call with late words [EXE-reattach EXE-early-completion]",
    (states, _, effect) => {
      expect(search(effect, 1)).toEqual([states, true]);
    },
    600_000,
  );

  it("finds an engine that repeats unsafe work of which nobody knows", () => {
    const source = single("unsafe");
    const kept = promised("unsafe");
    const repeated = { kind: "invoke", attempt: 2 } as Taken["step"]["commands"][number];
    const found = () =>
      explore(
        source,
        bounds,
        (taken) =>
          kept(
            taken.event.type === "unknown"
              ? { ...taken, step: { ...taken.step, commands: [repeated] } }
              : taken,
          ),
        wordsOf(source, 0),
      );
    expect(found).toThrow(/repeats what may have been done/);
  });
});
