/** A run as the control plane looks at it: status, explanation, end, and what an event would do. Nothing is written. */
import type { AcceptedEvent } from "@swl/execution/model";
import type { ControlEvent, DryStep, Look } from "@swl/invocation-control";
import { explain } from "./explain.js";
import { stepOf } from "./fold.js";
import type { LoadedRun } from "./loaded-run.js";
import { dryStepOf } from "./preparation.js";
import { statusOf } from "./proposal.js";
import { endOf } from "./run-result.js";
import { headStatus, type Reading, runStatus } from "./run-status.js";

export interface LookContext {
  /** Those whose lease runs. */
  readonly holders: () => Promise<readonly { readonly holder: string }[]>;
  /** Runs that go on from this one. */
  readonly redrives: readonly string[];
  readonly now: number;
}

export function lookOf(reading: Reading, { holders, redrives, now }: LookContext): Look {
  const status = { ...runStatus(reading), ...(redrives.length > 0 && { redrives }) };
  return {
    status,
    result: endOf(reading),
    explain: async () => explain(reading, await holders(), now),
    dry: (event) => dry(reading, event, now),
  };
}

/** For whoever sends a message to a run of which the log is known, and nothing else. */
export function lookAt(run: LoadedRun, now: number): Look {
  return {
    status: headStatus(run),
    result: undefined,
    explain: async () => explain(run, [], now),
    dry: (event) => tried(run, event, now),
  };
}

/**
 * The state after everything that waits, for whoever judges what comes next. Throws `run.unreadable` where the model
 * cannot go on.
 */
export function stateAhead({ served, state, unapplied }: LoadedRun): unknown {
  let ahead = state;
  for (const waiting of unapplied) ahead = stepOf(served, ahead, waiting)?.state ?? ahead;
  return ahead;
}

/** DUR-completion: of an operation that the run never had. A host that meets it in the log goes on without it. */
function strangeCompletion({ served }: LoadedRun, state: unknown, message: string): DryStep {
  const { model, prepared } = served;
  return {
    effect: { kind: "none", code: "operation.unknown", message, refuse: true },
    edges: [],
    commands: [],
    status: statusOf(model.disposition(state)),
    view: model.view(prepared, state),
  };
}

/** As it is shown: a model that fails at that has said nothing. */
function dry(reading: Reading, event: ControlEvent, now: number): DryStep | undefined {
  try {
    const step = tried(reading, event, now);
    return step && { ...step };
  } catch {
    return undefined;
  }
}

/** After everything that waits already. Undefined when the model cannot say: it is judged where it is applied. */
function tried(reading: Reading, event: ControlEvent, now: number): DryStep | undefined {
  if ("problem" in reading) return undefined;
  const { served, position } = reading;
  try {
    const state = stateAhead(reading);
    const accepted = { ...event, id: "dry", position: position + 1, at: now } as AcceptedEvent;
    const step = served.model.transition(served.prepared, state, accepted);
    if (!("error" in step)) return dryStepOf(served, step);
    if (event.type !== "completion" || state === undefined) return undefined;
    return strangeCompletion(reading, state, step.error.message);
  } catch {
    return undefined;
  }
}
