/**
 * A trace: events folded through an execution model, one step an event, in the portable form that goldens are written
 * in. Sentences are an implementation's own, so they are left out: a diagnostic is its code, an effect its kind and
 * code, and the message of an error counts only when its code is the author's or the provider's, also where a failed
 * route made the error data. Spec: CNF-trace-form.
 */
import { isCode, isJsonObject, type Json, type JsonObject, setOwn } from "@swl/base";
import type { AcceptedEvent, ExecutionModel, StateDocument } from "@swl/execution/model";
import { findingProblems } from "./finding-shape.js";
import { probeState } from "./state-probes.js";

/** Acceptance time of the first event of a trace that gives none; each further one comes a second later. */
const epoch = 1_700_000_000_000;

/** One step: `{effect, commands, diagnostics, disposition, view}`, or `{error: code}`, which ends the trace. */
export type TraceStep = JsonObject;

/**
 * The events of a trace as a model accepts them. Whatever stamp an event lacks is counted: position from 1, ID
 * `e<position>`, one second apart.
 */
export function stampedEvents(events: readonly Json[]): readonly AcceptedEvent[] {
  let position = 0;
  return events.map((event, index) => {
    const given = isJsonObject(event) ? event : {};
    position = typeof given["position"] === "number" ? given["position"] : position + 1;
    return { id: `e${index + 1}`, at: epoch + index * 1_000, ...given, position } as unknown as AcceptedEvent;
  });
}

export interface Trace {
  readonly steps: readonly TraceStep[];
  /** What the probes of every state found broken; empty when nothing is. */
  readonly problems: readonly string[];
}

/** Folds the events, probing every state. After an error no state exists, and the trace ends. */
export function traceOf<P, S>(
  model: ExecutionModel<P, S>,
  prepared: P,
  events: readonly AcceptedEvent[],
): Trace {
  const steps: TraceStep[] = [];
  const problems: string[] = [];
  let state: S | undefined;
  let before: StateDocument | undefined;
  for (const event of events) {
    const transition = model.transition(prepared, state, event);
    if ("error" in transition) {
      problems.push(...findingProblems(transition.error, { placed: false }));
      steps.push({ error: transition.error.code });
      break;
    }
    const probed = probeState(model, prepared, transition, { event, before });
    const shapes = transition.diagnostics.flatMap((finding) => findingProblems(finding, { placed: false }));
    problems.push(
      ...[...probed.problems, ...shapes].map((problem) => `event ${steps.length + 1}: ${problem}`),
    );
    state = probed.state;
    before = probed.document;
    steps.push(
      portableStep({
        effect: transition.effect,
        commands: transition.commands,
        diagnostics: transition.diagnostics,
        edges: transition.edges,
        disposition: model.disposition(state),
        view: model.view(prepared, state),
      } as unknown as JsonObject),
    );
  }
  return { steps, problems };
}

/** A step in portable form; applying it again changes nothing. */
export function portableStep(step: JsonObject): TraceStep {
  const portable: { [member: string]: Json } = {};
  for (const [member, value] of Object.entries(step)) {
    setOwn(
      portable,
      member,
      member === "diagnostics" || member === "error" ? codesOf(value) : wordless(value),
    );
  }
  return portable;
}

/**
 * Whether two steps have the same portable form, which is not made for that: what is compared often is nearly always the
 * same. `undefined` counts as absent. Where zeros differ in sign the answer may be false.
 */
export function sameStep(one: JsonObject, other: JsonObject): boolean {
  return sameMembers(one, other, isThere, (member, a, b) =>
    member === "diagnostics" || member === "error"
      ? sameWordless(codesOf(a), codesOf(b))
      : sameWordless(a, b),
  );
}

/** The expected step decides which members are compared: what it does not say is not looked at. */
export function projectOnto(expected: JsonObject, actual: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(actual).filter(([member]) => Object.hasOwn(expected, member)));
}

function codesOf(value: Json): Json {
  if (Array.isArray(value)) return value.map(codesOf);
  return isJsonObject(value) && typeof value["code"] === "string" ? value["code"] : value;
}

/** Members that hold data of the workflow. They are kept whole, but for the sentences of the model's errors in them. */
const data: ReadonlySet<string> = new Set(["input", "output", "parameters", "details"]);

function wordless(value: Json): Json {
  if (Array.isArray(value)) return value.map(wordless);
  if (!isJsonObject(value)) return value;
  const kept: { [member: string]: Json } = {};
  for (const [member, inner] of Object.entries(value)) {
    if (isSaid(value, member)) setOwn(kept, member, data.has(member) ? dataOf(inner) : wordless(inner));
  }
  return kept;
}

/** Data, in which an error that the model made (a failed route records it) has lost its sentence. */
function dataOf(value: Json): Json {
  if (Array.isArray(value)) return value.map(dataOf);
  if (!isJsonObject(value)) return value;
  const kept: { [member: string]: Json } = {};
  for (const [member, inner] of Object.entries(value)) {
    if (isData(value, member)) setOwn(kept, member, dataOf(inner));
  }
  return kept;
}

type Counts = (object: JsonObject, member: string) => boolean;

function isThere(object: JsonObject, member: string): boolean {
  return object[member] !== undefined;
}

/** Not a sentence of an implementation. */
function isSaid(object: JsonObject, member: string): boolean {
  if (object[member] === undefined || member === "summary") return false;
  if (member !== "message") return true;
  const { code } = object;
  return typeof code === "string" && !isCode(code);
}

/** The same inside of data. */
function isData(object: JsonObject, member: string): boolean {
  if (object[member] === undefined) return false;
  return member !== "message" || !isErrorShape(object) || !isCode(object["code"] as string);
}

function sameMembers(
  one: JsonObject,
  other: JsonObject,
  counts: Counts,
  same: (member: string, a: Json, b: Json) => boolean,
): boolean {
  let members = 0;
  for (const member of Object.keys(one)) {
    if (!counts(one, member)) continue;
    if (!Object.hasOwn(other, member) || !counts(other, member)) return false;
    if (!same(member, one[member]!, other[member]!)) return false;
    members++;
  }
  for (const member of Object.keys(other)) if (counts(other, member)) members--;
  return members === 0;
}

function sameWordless(one: Json, other: Json): boolean {
  if (Array.isArray(one) || Array.isArray(other)) return sameItems(one, other, sameWordless);
  if (!isJsonObject(one) || !isJsonObject(other)) return Object.is(one, other);
  return sameMembers(one, other, isSaid, (member, a, b) =>
    data.has(member) ? sameData(a, b) : sameWordless(a, b),
  );
}

function sameData(one: Json, other: Json): boolean {
  if (Array.isArray(one) || Array.isArray(other)) return sameItems(one, other, sameData);
  if (!isJsonObject(one) || !isJsonObject(other)) return Object.is(one, other);
  return sameMembers(one, other, isData, (_, a, b) => sameData(a, b));
}

function sameItems(one: Json, other: Json, same: (a: Json, b: Json) => boolean): boolean {
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
  return one.every((item, index) => same(item, other[index]));
}

/** Exactly `{code, message, details}`, or that without its sentence. */
function isErrorShape(value: JsonObject): boolean {
  const members = Object.keys(value).filter((member) => member !== "message");
  return members.length === 2 && typeof value["code"] === "string" && Object.hasOwn(value, "details");
}
