/** What happened to a run, for the host's log: attempts that did not succeed, runs that park, runs that end. */
import type { Disposition } from "@swl/execution/model";
import type { HostLogEntry } from "./host-types.js";
import type { OwnInput } from "./inputs.js";
import type { LoadedRun } from "./loaded-run.js";

export function narrate(
  log: (entry: HostLogEntry) => void,
  { id: run }: LoadedRun,
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
        message: `Attempt ${event.attempt} of ${event.invocation} failed: ${code} ${message}`,
        data,
      });
    } else if (event?.type === "unknown") {
      const data = { invocation: event.invocation, attempt: event.attempt, reason: event.reason };
      const said = event.message === undefined ? event.reason : `${event.reason} (${event.message})`;
      log({
        level: "warn",
        run,
        message: `Nobody knows what became of attempt ${event.attempt} of ${event.invocation}: ${said}`,
        data,
      });
    }
  }
  if (disposition.kind === "parked") {
    const message = disposition.blockers[0]?.message ?? "The run needs a decision.";
    log({ level: "warn", code: "run.parked", run, message });
  } else if (disposition.kind === "closed") {
    const { status, error } = disposition;
    const why = error === undefined ? "" : `: ${error.code} ${error.message}`;
    log({
      level: "info",
      run,
      message: `The run has ${status === "canceled" ? "been canceled" : status}${why}`,
    });
  }
}
