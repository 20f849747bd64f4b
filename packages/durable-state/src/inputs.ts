/**
 * What a host itself brings to a run: a settlement of one of its attempts, and what follows from a notice. Foreign
 * events are not here; they are in the log already.
 */
import type { EventBody, InvokeCommand } from "@swl/execution/model";
import type { ProviderAnswer } from "@swl/invocation-control";
import type { Precondition, RecordInput, WorkInput } from "@swl/store-provider";
import { workId } from "./formats.js";

export interface OwnInput {
  readonly event?: EventBody;
  /** A record that is no event, logged before the event. */
  readonly record?: RecordInput;
  readonly settles?: readonly string[];
  readonly work?: readonly WorkInput[];
  readonly clearsDue?: string;
  readonly require?: readonly Precondition[];
  readonly fence?: boolean;
  /** Gives up the stream's ownership unless something born claimed follows. */
  readonly disowns?: boolean;
  /** The live attempt that is over once this is committed. */
  readonly ends?: string;
  /** The question that this answers: without it in the store it is dropped. */
  readonly answers?: string;
  /** The event's ID, where it has one already. */
  readonly id?: string;
}

/** A provider's answer as an event. `work`: the row of an attempt that was claimed in the store. */
export function settlement(
  command: Pick<InvokeCommand, "invocation" | "attempt">,
  answer: ProviderAnswer,
  work: string | undefined,
): OwnInput {
  const { invocation, attempt } = command;
  return {
    event: { ...eventOfAnswer(answer), invocation, attempt } as EventBody,
    ends: workId(invocation, attempt),
    ...(work !== undefined && { settles: [work] }),
  };
}

function eventOfAnswer(answer: ProviderAnswer): object {
  switch (answer.kind) {
    case "completed":
      return { type: "result", outcome: answer.outcome, output: answer.output };
    case "failed":
      return { type: "failure", error: answer.error, retryable: answer.retryable };
    case "accepted":
      return { type: "accepted", handle: answer.handle };
    case "unknown":
      return {
        type: "unknown",
        reason: answer.reason,
        ...(answer.message !== undefined && { message: answer.message }),
      };
  }
}

export function unknownAttempt(
  of: { readonly invocation: string; readonly attempt: number },
  reason: "crash" | "lease-lost",
  rest: Omit<OwnInput, "event">,
): OwnInput {
  return { event: { type: "unknown", invocation: of.invocation, attempt: of.attempt, reason }, ...rest };
}
