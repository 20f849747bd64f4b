/**
 * Every interleaving of what may arrive, not a sample of them: all states that a small definition can be brought into,
 * found by trying every pending event in every state. Two states that differ only in the positions of their events are
 * one. What grows for ever (late evidence, decisions to try again, kept signals) is bounded by the caller.
 */
import type { Json, JsonObject } from "@swl/base";
import type { CoreState } from "../src/draft.js";
import type { Call, Head } from "../src/head.js";
import { core } from "../src/index.js";
import type { AcceptedEvent, EventBody, StateDocument } from "../src/model.js";
import {
  cancel,
  failure,
  prepared,
  resolve,
  result,
  type Step,
  signal,
  start,
  unknown,
  withdrawn,
} from "./helpers.js";

export interface Bounds {
  /** States after which the search is given up; the result says so. */
  readonly states: number;
  /** Late settlements kept, of one invocation and of the run. */
  readonly evidence: number;
  /** Attempts that decisions authorize, of one invocation. */
  readonly retries: number;
  /** Signals kept. */
  readonly kept: number;
}

/** One transition that is possible: what it came from, and what it led to. */
export interface Taken {
  readonly before: CoreState | undefined;
  readonly event: AcceptedEvent;
  readonly step: Step;
}

export interface Explored {
  readonly states: number;
  readonly transitions: number;
  /** Every state was found: nothing is left to try. */
  readonly complete: boolean;
}

/** What may arrive in a state, given what usually may. */
export type Arriving = (usual: readonly EventBody[], state: CoreState | undefined) => readonly EventBody[];

/** Tries everything; `check` throws when a transition breaks what the language promises. */
export function explore(
  definition: Json,
  bounds: Bounds,
  check: (taken: Taken) => void,
  arriving: Arriving = (usual) => usual,
): Explored {
  const compiled = prepared(definition);
  const seen = new Set<number>();
  const waiting: (StateDocument | undefined)[] = [undefined];
  let transitions = 0;
  while (waiting.length > 0 && seen.size < bounds.states) {
    const document = waiting.pop();
    const before = document && core.fromJSON(document);
    const position = (before?.head.last ?? 0) + 1;
    for (const body of arriving(pending(before, bounds), before)) {
      const event: AcceptedEvent = { id: `e${position}`, position, at: 0, ...body };
      const step = core.transition(compiled, before, event);
      if ("error" in step) throw new TypeError(`${JSON.stringify(event)}: ${step.error.message}`);
      transitions++;
      check({ before, event, step });
      const next = JSON.parse(JSON.stringify(core.toJSON(step.state))) as StateDocument;
      const key = digest(JSON.stringify(anywhere(next)));
      if (seen.has(key)) continue;
      seen.add(key);
      waiting.push(next);
    }
  }
  return { states: seen.size, transitions, complete: waiting.length === 0 };
}

/** What a host that keeps its contract, a sender or an operator may append in this state. */
function pending(state: CoreState | undefined, bounds: Bounds): readonly EventBody[] {
  const early = ["approval", "receipt"].map((name) => signal(name, "approved"));
  if (state === undefined) return [start(), cancel, ...early];
  const { head } = state;
  const room = head.buffer.reduce((sum, { count }) => sum + count, 0) < bounds.kept;
  const always = [cancel, ...(room ? early : []), signal("nobody"), resolve("work#9", "retry")];
  // Nothing can be armed before the start.
  const unarmed = head.status === "created" ? [] : [stale];
  return [...always, ...unarmed, ...ofCall(head, bounds), ...ofWait(head), ...late(head, bounds)];
}

const stale: EventBody = { type: "deadline", kind: "operation", key: "operation:work#9", generation: 1 };

function ofCall({ call, status, last }: Head, bounds: Bounds): readonly EventBody[] {
  if (call === null) return status === "created" ? [start()] : [];
  const { activation, attempt, evidence } = call;
  const said: readonly EventBody[] = [
    result(activation, attempt),
    result(activation, attempt, "rejected"),
    result(activation, attempt, "odd"),
    failure(activation, attempt, true),
    failure(activation, attempt, false),
  ];
  if (call.parked === null) {
    const key = `operation:${activation}`;
    const generation = call.deadline?.generation ?? 1;
    const deadline: EventBody = { type: "deadline", kind: "operation", key, generation };
    const accepted: EventBody = { type: "accepted", invocation: call.invocation, attempt, handle: "op" };
    const unclaimed = status === "canceling" ? [withdrawn(activation, attempt)] : [];
    return [
      ...said,
      unknown(activation, attempt),
      accepted,
      deadline,
      { ...deadline, unclaimed: true },
      ...unclaimed,
    ];
  }
  const kept = evidence.length < bounds.evidence ? [...said, withdrawn(activation, attempt)] : [];
  const decisions: EventBody[] = [
    resolve(activation, "complete", { outcome: "ok" }),
    resolve(activation, "complete", { outcome: "odd" }),
    resolve(activation, "fail"),
    resolve(activation, "complete", { fromEvidence: last }),
  ];
  const again = call.resolved < bounds.retries ? ["retry" as const] : [];
  for (const { position } of evidence) {
    for (const decision of ["complete", "fail", ...again] as const)
      decisions.push(resolve(activation, decision, { fromEvidence: position }));
  }
  return [
    ...kept,
    unknown(activation, attempt),
    ...decisions,
    ...again.map((verb) => resolve(activation, verb)),
  ];
}

function ofWait({ wait, position }: Head): readonly EventBody[] {
  if (wait === null || position === null) return [];
  const { signal: name, outcomes, deadline } = wait;
  const at = `${position.node}#${position.visit}`;
  const signals =
    name === null ? [] : [undefined, ...outcomes, "odd"].map((outcome) => signal(name, outcome));
  if (deadline === null) return signals;
  const { kind, generation } = deadline;
  const fired: EventBody = { type: "deadline", kind, key: `${kind}:${at}`, generation };
  return [...signals, fired, { ...fired, generation: generation + 1 }];
}

/** What comes too late: of the attempt before, and of the invocation before. */
function late({ call, settled, evidence }: Head, bounds: Bounds): readonly EventBody[] {
  const said: EventBody[] = [];
  if (call !== null && call.attempt > 1) {
    said.push(unknown(call.activation, call.attempt - 1));
    if (call.evidence.length < bounds.evidence) {
      said.push(result(call.activation, call.attempt - 1), failure(call.activation, call.attempt - 1, true));
    }
  }
  if (settled !== null && evidence < bounds.evidence) {
    said.push(result(settled.invocation.slice("r1/".length), Math.max(1, settled.attempt)));
  }
  return said;
}

/** The state with its events renumbered from 1: where in the log they stood decides nothing that follows. */
function anywhere({ head, slots }: StateDocument): Json {
  const { call, buffer, ...rest } = head as unknown as Head;
  const kept = Object.keys(slots).filter((key) => key.startsWith("evidence:"));
  const positions = kept.map((key) => Number(key.slice("evidence:".length))).sort((a, b) => a - b);
  const renumbered = (position: number) => positions.indexOf(position) + 1;
  const first = new Map(buffer.map((one) => [one.signal, one.first]));
  const named = Object.entries(slots).map(([key, value]): readonly [string, Json] => {
    if (key.startsWith("evidence:"))
      return [`evidence:${renumbered(Number(key.slice("evidence:".length)))}`, value];
    if (!key.startsWith("signal:")) return [key, value];
    const [name = "", n] = key.slice("signal:".length).split("#");
    return [`${name}#${Number(n) - (first.get(name) ?? 0)}`, { ...(value as JsonObject), position: 0 }];
  });
  const known = call && {
    ...call,
    evidence: call.evidence.map((one) => ({ ...one, position: renumbered(one.position) })),
    adopt: call.adopt && { ...call.adopt, position: renumbered(call.adopt.position) },
    parked: call.parked && {
      ...call.parked,
      position: call.evidence.filter((one) => wasKept(one, call)).length,
      evidence: call.parked.evidence === null ? null : renumbered(call.parked.evidence),
    },
  };
  const counts = buffer.map(({ signal: name, count }) => [name, count]);
  return [{ ...rest, last: 0 }, known, counts, named.sort(([a], [b]) => (a < b ? -1 : 1))] as unknown as Json;
}

/** Of the latest attempt, before the invocation was parked: it is not offered. */
function wasKept(one: Call["evidence"][number], { attempt, parked }: Call): boolean {
  return (one.attempt === attempt || one.attempt === 0) && one.position <= (parked?.position ?? 0);
}

/** 53 bits, which a million states do not fill (cyrb53). */
function digest(text: string): number {
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 2_654_435_761);
    other = Math.imul(other ^ unit, 1_597_334_677);
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909);
  other = Math.imul(other ^ (other >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & other) + (one >>> 0);
}
