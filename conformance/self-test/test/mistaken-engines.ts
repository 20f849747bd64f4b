/**
 * Engines with one mistake each: this implementation's engine behind one misunderstanding, and the cases that notice.
 */
import { isJsonObject, type Json } from "@swl/base";
import { type Case, runCases } from "@swl/conformance";
import { bundledCases, readCases } from "@swl/conformance/cases";
import type { AcceptedEvent, ExecutionModel, Transition } from "@swl/execution/model";
import { expect, it } from "vitest";
import { swl } from "../src/subject.js";

export const model = swl.model!;
const read = readCases(bundledCases);
export const traces = (read.ok ? read.value : []).filter((item) => item.phase === "transition");

type Step = Exclude<Transition<unknown>, { readonly error: unknown }>;
export type Loose = { [member: string]: Json };

export interface Mistake {
  readonly rule: string;
  readonly engine: Partial<ExecutionModel>;
}

/** The engine reads another definition than it was given. Its digest stays true: that alone must not give it away. */
export function misread(change: (definition: Loose) => void): Partial<ExecutionModel> {
  const digests = new WeakMap<object, string>();
  return {
    prepare(definition, semantics) {
      const copy = structuredClone(definition) as Loose;
      change(copy);
      const [meant, got] = [model.prepare(definition, semantics), model.prepare(copy, semantics)];
      if (meant.ok && got.ok) digests.set(got.value as object, model.requirements(meant.value).definition);
      return got;
    },
    view(prepared, state) {
      const view = model.view(prepared, state);
      return { ...view, definition: digests.get(prepared as object) ?? view.definition };
    },
  };
}

export function eachAction(change: (action: Loose) => void): Partial<ExecutionModel> {
  return misread((definition) => each(definition["actions"], change));
}

export function eachNode(change: (node: Loose) => void): Partial<ExecutionModel> {
  return misread((definition) => each(definition["nodes"], change));
}

function each(members: Json | undefined, change: (member: Loose) => void): void {
  for (const member of Object.values(isJsonObject(members) ? members : {})) change(member as Loose);
}

/** The engine takes an event for another one. */
export function mistaken(
  change: (event: AcceptedEvent, state: unknown) => AcceptedEvent,
): Partial<ExecutionModel> {
  return {
    transition: (prepared, state, event) =>
      model.transition(prepared, state, state === undefined ? event : change(event, state)),
  };
}

/** The engine says something else than it should. */
export function misspoken(change: (step: Step) => Step): Partial<ExecutionModel> {
  return {
    transition(prepared, state, event) {
      const step = model.transition(prepared, state, event);
      return "error" in step ? step : change(step);
    },
  };
}

export function latestAttempt(state: unknown): number {
  const invoke = model.outstanding(state).find((one) => one.kind === "invoke");
  return invoke?.attempt ?? 1;
}

export function blockerOf(state: unknown) {
  const disposition = model.disposition(state);
  return disposition.kind === "closed" ? undefined : disposition.blockers[0];
}

/** The cases that an engine fails. */
export async function failing(engine: Partial<ExecutionModel>): Promise<readonly Case[]> {
  const subject = { ...swl, name: "mistaken", model: { ...model, ...engine } };
  const results = await runCases(traces, subject);
  return traces.filter((_, index) => results[index]?.against === true);
}

/** One test a mistake: some case of the rule that it breaks fails. */
export function catches(mistakes: { readonly [name: string]: Mistake }): void {
  for (const [name, { rule, engine }] of Object.entries(mistakes)) {
    it(`is caught when it ${name} [${rule}]`, async () => {
      const caught = await failing(engine);
      expect(caught.flatMap((item) => item.rules)).toContain(rule);
    });
  }
}
