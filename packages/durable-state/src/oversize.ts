/**
 * A settlement that the store cannot take because of its size. The work was done, so it is not lost: what may have had
 * an external effect becomes unknown, what had none becomes a final failure. Spec: DUR-oversized-result.
 */
import { SwlError } from "@swl/base";
import type { EventBody } from "@swl/execution/model";
import type { StoreFailure } from "@swl/store-provider";
import type { OwnInput } from "./inputs.js";
import type { LoadedRun } from "./loaded-run.js";

/** Throws the store's failure when no input carries a document that could be left out. */
export function shrunk(inputs: readonly OwnInput[], run: LoadedRun, failure: StoreFailure): OwnInput[] {
  let changed = false;
  const result = inputs.map((input) => {
    const event = input.event === undefined ? undefined : smaller(input.event, run, failure.message);
    if (event === undefined) return input;
    changed = true;
    return { ...input, event };
  });
  if (!changed) throw new SwlError(`store.${failure.kind}`, failure.message);
  return result;
}

function smaller(event: EventBody, run: LoadedRun, why: string): EventBody | undefined {
  const message = `The result could not be stored: ${why}`;
  if (event.type === "failure" && event.error.details !== null) {
    return {
      ...event,
      error: { ...event.error, message: event.error.message.slice(0, 1_000), details: null },
    };
  }
  if (event.type !== "result") return undefined;
  const { invocation, attempt } = event;
  const outstanding = run.state === undefined ? [] : run.served.model.outstanding(run.state);
  const action = outstanding.find((one) => one.kind === "invoke" && one.invocation === invocation);
  const name = action?.kind === "invoke" ? action.action : undefined;
  const effect = run.served.requirements.actions.find((one) => one.action === name)?.effect ?? "unsafe";
  if (effect === "pure" || effect === "read-only") {
    return {
      type: "failure",
      invocation,
      attempt,
      retryable: false,
      error: { code: "output.invalid", message, details: null },
    };
  }
  return { type: "unknown", invocation, attempt, reason: "ack-lost", message };
}
