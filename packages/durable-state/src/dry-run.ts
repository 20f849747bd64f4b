/** What an event would do if it were accepted now, after everything that already waits. Nothing is written. */
import type { AcceptedEvent, Effect } from "@swl/execution/model";
import type { LoadedRun } from "./loaded-run.js";

/** Undefined when the model cannot say: the event is then accepted and judged where it is applied. */
export function dryRun(run: LoadedRun, event: AcceptedEvent): Effect | undefined {
  const { model, prepared } = run.served;
  let state = run.state;
  for (const waiting of run.unapplied) {
    const step = model.transition(prepared, state, waiting);
    if ("error" in step) return undefined;
    state = step.state;
  }
  const step = model.transition(prepared, state, event);
  return "error" in step ? undefined : step.effect;
}
