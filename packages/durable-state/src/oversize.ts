/**
 * A settlement that no document of the store can hold. The work was done, so it is not lost: what may have had an
 * external effect becomes unknown, what had none becomes a final failure; words are cut. A settlement that fits is
 * left alone, whatever else of its commit did not. Spec: DUR-late-answer.
 */
import { excerpt } from "@swl/base";
import type { EventBody } from "@swl/execution/model";
import type { OwnInput } from "./inputs.js";
import type { LoadedRun } from "./loaded-run.js";

const WORDS = 1_000;

/** The same input when its event fits into a document of so many bytes, or cannot be made smaller. */
export function fitted(input: OwnInput, run: LoadedRun, documentBytes: number, why: string): OwnInput {
  if (input.event === undefined || bytesOf(input.event) < documentBytes - 1_000) return input;
  const event = smaller(input.event, run, excerpt(`The answer could not be stored: ${why}`, WORDS));
  return event === undefined ? input : { ...input, event };
}

/** Undefined: none of them could be made to fit. */
export function allFitted(
  inputs: readonly OwnInput[],
  run: LoadedRun,
  documentBytes: number,
  why: string,
): OwnInput[] | undefined {
  const made = inputs.map((input) => fitted(input, run, documentBytes, why));
  return made.some((input, index) => input !== inputs[index]) ? made : undefined;
}

function smaller(event: EventBody, run: LoadedRun, message: string): EventBody | undefined {
  switch (event.type) {
    case "failure": {
      const { code, message: said } = event.error;
      return { ...event, error: { code: excerpt(code, 64), message: excerpt(said, WORDS), details: null } };
    }
    case "unknown":
      return { ...event, message: excerpt(event.message ?? "", WORDS) };
    case "accepted":
      return {
        type: "unknown",
        invocation: event.invocation,
        attempt: event.attempt,
        reason: "ack-lost",
        message,
      };
    case "inspected":
      return { type: event.type, invocation: event.invocation, attempt: event.attempt, status: "unknown" };
    case "result":
      return resultless(event, run, message);
    default:
      return undefined;
  }
}

function resultless(event: EventBody & { type: "result" }, run: LoadedRun, message: string): EventBody {
  const { invocation, attempt } = event;
  const outstanding = run.state === undefined ? [] : run.served.model.outstanding(run.state);
  const open = outstanding.find((one) => one.kind === "invoke" && one.invocation === invocation);
  const action = open?.kind === "invoke" ? open.action : undefined;
  const effect = run.served.requirements.actions.find((one) => one.action === action)?.effect ?? "unsafe";
  if (effect !== "pure" && effect !== "read-only") {
    return { type: "unknown", invocation, attempt, reason: "ack-lost", message };
  }
  const error = { code: "output.invalid", message, details: null };
  return { type: "failure", invocation, attempt, retryable: false, error };
}

function bytesOf(event: EventBody): number {
  return new TextEncoder().encode(JSON.stringify(event)).length;
}
