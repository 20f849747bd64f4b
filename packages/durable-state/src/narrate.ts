/**
 * What happened to a run, for the host's log: attempts that did not succeed, runs that park, runs that end. Where the
 * definition marks values as sensitive, what providers say is left out: it may hold one of them. Spec: INV-masking.
 */
import type { Disposition } from "@swl/execution/model";
import type { HostLogEntry } from "./host-types.js";
import type { OwnInput } from "./inputs.js";
import type { LoadedRun } from "./loaded-run.js";

export function narrate(
  log: (entry: HostLogEntry) => void,
  { id: run, served: { marked } }: LoadedRun,
  inputs: readonly OwnInput[],
  disposition: Disposition,
): void {
  for (const { event } of inputs) {
    if (event?.type === "failure") {
      const { code, message } = event.error;
      const data = { invocation: event.invocation, attempt: event.attempt, retryable: event.retryable };
      log({
        level: "info",
        run,
        message: `Attempt ${event.attempt} of ${event.invocation} failed${marked ? "" : `: ${code} ${message}`}`,
        data,
      });
    } else if (event?.type === "unknown") {
      const data = { invocation: event.invocation, attempt: event.attempt, reason: event.reason };
      const said =
        event.message === undefined || marked ? event.reason : `${event.reason} (${event.message})`;
      log({
        level: "warn",
        run,
        message: `Nobody knows what became of attempt ${event.attempt} of ${event.invocation}: ${said}`,
        data,
      });
    }
  }
  if (disposition.kind === "parked") {
    const said = marked ? undefined : disposition.blockers[0]?.message;
    const message = said ?? "The run needs a decision.";
    log({ level: "warn", code: "run.parked", run, message });
  } else if (disposition.kind === "closed") {
    const { status, error } = disposition;
    const why = error === undefined || marked ? "" : `: ${error.code} ${error.message}`;
    log({
      level: "info",
      run,
      message: `The run has ${status === "canceled" ? "been canceled" : status}${why}`,
    });
  }
}
