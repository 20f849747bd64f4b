/**
 * What every state of a trace must stand, whatever the trace is about: it survives its portable form, its changes
 * rebuild it, the same event delivered again moves nothing, and the function repeats itself. Spec: CNF-state-probes.
 */
import type { Json } from "@swl/base";
import type { AcceptedEvent, ExecutionModel, StateDocument, Transition } from "@swl/execution/model";
import { firstDifference } from "./compare.js";

type Step<S> = Exclude<Transition<S>, { readonly error: unknown }>;

export interface Probed<S> {
  /** The state, read back from its portable form: what the next event meets. */
  readonly state: S;
  readonly document: StateDocument;
  /** What is broken, in words; empty when nothing is. */
  readonly problems: readonly string[];
}

/** Probes the state that a step led to. `before` is the document of the state that the step started from. */
export function probeState<P, S>(
  model: ExecutionModel<P, S>,
  prepared: P,
  step: Step<S>,
  context: { readonly event: AcceptedEvent; readonly before: StateDocument | undefined },
): Probed<S> {
  const problems: string[] = [];
  const differs = (what: string, expected: StateDocument, actual: StateDocument): void => {
    const difference = firstDifference(expected as unknown as Json, actual as unknown as Json);
    if (difference !== undefined) problems.push(`${what} at ${difference}`);
  };
  const document = plain(model.toJSON(step.state));
  differs("its changes do not rebuild the state", document, rebuilt(context.before, step));
  const state = model.fromJSON(plain(document));
  differs("the state read back is another one", document, plain(model.toJSON(state)));
  const again = model.transition(prepared, state, context.event);
  if ("error" in again) problems.push(`the same event again is answered with ${again.error.code}`);
  else {
    differs("the same event again changes the state", document, plain(model.toJSON(again.state)));
    if (again.commands.length > 0) problems.push("the same event again authorizes commands");
    if (again.effect.kind !== "none") problems.push("the same event again is told to have had an effect");
  }
  differs("a transition changed the state it was given", document, plain(model.toJSON(state)));
  return { state, document, problems };
}

function rebuilt<S>(before: StateDocument | undefined, step: Step<S>): StateDocument {
  const slots = new Map(Object.entries(before?.slots ?? {}));
  for (const [key, value] of step.changes.slots) {
    if (value === undefined) slots.delete(key);
    else slots.set(key, value);
  }
  return plain({ head: step.changes.head, slots: Object.fromEntries(slots) });
}

/** Through text, as a store would: nothing shared, nothing that JSON cannot say. */
function plain(document: StateDocument): StateDocument {
  return JSON.parse(JSON.stringify(document)) as StateDocument;
}
