/**
 * What a host itself brings to a run: a settlement of one of its attempts, a takeover, a due deadline, work taken
 * back. Foreign events are not here; they are in the log already.
 */
import type { EventBody, InvokeCommand, Outstanding } from "@swl/execution/model";
import type { ProviderAnswer } from "@swl/invocation-control";
import type { Precondition, RecordInput, Work, WorkInput } from "@swl/store-provider";
import { workId } from "./formats.js";
import type { LoadedRun } from "./loaded-run.js";

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
  /** Brought instead when a precondition refuses this one; absent: dropped. */
  readonly otherwise?: OwnInput;
}

/** A provider's answer as an event. `work`: the row of an attempt that was claimed in the store. */
export function settlement(
  command: InvokeCommand,
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

/** The owner's lease ran out: raise the fence, and say of every attempt born claimed that nobody knows. */
export function takeover(
  run: LoadedRun,
  outstanding: readonly Outstanding[],
  owner: string,
  by: string,
): OwnInput[] {
  const require: Precondition[] = [{ kind: "owner-expired", owner }];
  const inputs: OwnInput[] = [
    { record: { kind: "takeover", document: { from: owner, by } }, require, fence: true, disowns: true },
  ];
  for (const command of outstanding) {
    if (command.kind !== "invoke" || command.phase !== "scheduled") continue;
    if (run.work.has(workId(command.invocation, command.attempt))) continue;
    inputs.push(unknownAttempt(command, "lease-lost", { require }));
  }
  return inputs;
}

/** Claimed work whose lease ran out, or marked work that came back unstarted. */
export function abandonedWork(work: Work, command: InvokeCommand): OwnInput {
  const { invocation, attempt } = command;
  if (work.holder === undefined) {
    return {
      event: { type: "withdrawn", invocation, attempt },
      settles: [work.id],
      require: [{ kind: "work-unclaimed", work: work.id }],
    };
  }
  return unknownAttempt(command, "lease-lost", {
    settles: [work.id],
    require: [{ kind: "work-expired", work: work.id, holder: work.holder }],
  });
}

export function unknownAttempt(
  of: { readonly invocation: string; readonly attempt: number },
  reason: "crash" | "lease-lost",
  rest: Omit<OwnInput, "event">,
): OwnInput {
  return { event: { type: "unknown", invocation: of.invocation, attempt: of.attempt, reason }, ...rest };
}

/** A due entry fired. One that the state no longer knows is only cleared. */
export function dueDeadline(run: LoadedRun, outstanding: readonly Outstanding[], key: string): OwnInput {
  const require: Precondition[] = [{ kind: "due-present", key }];
  const deadline = outstanding.find((command) => command.kind === "deadline" && command.key === key);
  if (deadline?.kind !== "deadline") return { clearsDue: key, require };
  const event = { type: "deadline", kind: deadline.deadline, key, generation: deadline.generation } as const;
  const plain: OwnInput = { event, clearsDue: key, require };
  const waiting = deadline.deadline === "operation" ? unclaimedWork(run, outstanding) : undefined;
  if (waiting === undefined) return plain;
  return {
    event: { ...event, unclaimed: true },
    clearsDue: key,
    settles: [waiting],
    require: [...require, { kind: "work-unclaimed", work: waiting }],
    otherwise: plain,
  };
}

function unclaimedWork(run: LoadedRun, outstanding: readonly Outstanding[]): string | undefined {
  for (const command of outstanding) {
    if (command.kind !== "invoke") continue;
    const id = workId(command.invocation, command.attempt);
    const work = run.work.get(id);
    if (work !== undefined && work.holder === undefined) return id;
  }
  return undefined;
}
