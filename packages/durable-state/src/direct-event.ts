/**
 * A sender's event that a host takes in and applies in one commit, where the run stands in its memory and nothing else
 * is open: one call of the store instead of three. The commit expects the position that memory knows and carries the
 * event's receipt, so that nothing is overtaken and nothing taken in twice. Whatever is not that plain goes the long
 * way: looked at, judged, appended, applied. Spec: DUR-accepted-order,
 * DUR-receipts.
 */
import { isSwlError } from "@swl/base";
import type { AcceptedEvent } from "@swl/execution/model";
import type { Appended, ControlEvent, ReceiptOf } from "@swl/invocation-control";
import type { Answer, ReceiptInput, RecordInput } from "@swl/store-provider";
import { eventRecord } from "./formats.js";
import type { HostCore } from "./host-core.js";
import { type LoadedRun, noTraces } from "./loaded-run.js";
import { isElsewhere } from "./ownership.js";
import { type Proposal, type Proposed, propose } from "./proposal.js";

export interface DirectEvent {
  readonly event: ControlEvent;
  readonly receipt: ReceiptOf;
  readonly traceparent?: string;
}

/** What a commit brings into the log before it applies it. */
export interface Brought {
  readonly record: RecordInput;
  readonly receipt: ReceiptInput;
}

/** By what memory says of the run, the event would be taken. The store says whether memory is right. */
export function isTaken(
  run: LoadedRun,
  { event, receipt }: DirectEvent,
  { lease, storeClock }: HostCore,
): boolean {
  const { state, served, position } = run;
  if (state === undefined || run.closed || run.hold !== undefined || run.behind) return false;
  if (isElsewhere(run, lease)) return false;
  const at = storeClock.estimate();
  const accepted = { ...event, id: receipt.requestId, position: position + 1, at } as AcceptedEvent;
  try {
    const step = served.model.transition(served.prepared, state, accepted);
    return !("error" in step) && !(step.effect.kind === "none" && step.effect.refuse);
  } catch {
    return false;
  }
}

/** The run as it stands once the event, if there is one, is in its log, and what brings it there. */
export function broughtInto(
  run: LoadedRun,
  direct: DirectEvent | undefined,
  at: number,
): { readonly run: LoadedRun; readonly brings: Brought | undefined } {
  if (direct === undefined) return { run, brings: undefined };
  const { event, receipt, traceparent } = direct;
  const { requestId, digest } = receipt;
  const logged = { ...event, id: requestId, at };
  const position = run.position + 1;
  return {
    run: {
      ...run,
      unapplied: [{ ...logged, position } as AcceptedEvent],
      traces: traceparent === undefined ? noTraces : new Map([[position, traceparent]]),
    },
    brings: {
      record: eventRecord(logged, undefined, traceparent),
      receipt: { scope: run.id, request: requestId, digest },
    },
  };
}

/** What the sender is told, undefined where the long way is to say it. */
export function toldOf({ item, answers }: Proposal, answer: Answer): Appended | undefined {
  const { stream: run } = item;
  if (answer.kind === "receipt") {
    const { stream, request: requestId, digest, position } = answer.receipt;
    return { kind: "receipt", receipt: { run: stream, requestId, digest, position } };
  }
  if (answer.kind !== "accepted") return undefined;
  const { first: position, repeated } = answer;
  const fared = answers.find((one) => one.position === position) ?? { effect: "moved" };
  return { kind: "accepted", run, position, repeated, answer: fared };
}

/** Undefined: the model fails with an event that is in no log yet, which is not held against the run. */
export function proposedWith(
  direct: DirectEvent | undefined,
  ...given: Parameters<typeof propose>
): Proposed | undefined {
  if (direct === undefined) return propose(...given);
  try {
    const proposed = propose(...given);
    return "quarantine" in proposed ? undefined : proposed;
  } catch {
    return undefined;
  }
}

/** The one event that a run's actor was asked to take in: answered once, at the latest when the actor rests again. */
export class Offered {
  #open:
    | {
        readonly of: LoadedRun;
        readonly event: DirectEvent;
        readonly told: Promise<Appended | undefined>;
        readonly tell: (answer: Appended | undefined) => void;
      }
    | undefined;

  /** Resolves when the one that is open is answered; undefined where none is. */
  get over(): Promise<undefined> | undefined {
    return this.#open?.told.then(() => undefined);
  }

  /** `of`: the run as it was when this was asked. */
  open(of: LoadedRun, event: DirectEvent): Promise<Appended | undefined> {
    this.close(undefined);
    let tell: (answer: Appended | undefined) => void = () => undefined;
    const told = new Promise<Appended | undefined>((resolve) => {
      tell = resolve;
    });
    this.#open = { of, event, told, tell };
    return told;
  }

  /** Of a run that was read again meanwhile nothing is taken in. */
  for(run: LoadedRun): DirectEvent | undefined {
    if (this.#open?.of === run) return this.#open.event;
    this.close(undefined);
    return undefined;
  }

  /** The store fails, and the host does not let go of the event: it may be in the log, now or later. */
  readonly delayed = (error: unknown): void => {
    const code = isSwlError(error) ? error.code : "store.unknown-commit";
    this.close({ kind: "lost", code, message: error instanceof Error ? error.message : String(error) });
  };

  close(answer: Appended | undefined): void {
    this.#open?.tell(answer);
    this.#open = undefined;
  }
}
