/**
 * The observer as the host's parts see it: it can do no harm, and is told of a run only what an accepted commit says.
 * Whether an attempt ended is read off the model's outstanding commands before and after the event that ended it: of
 * every attempt that is so in one commit of the log, whoever makes it. Spec: DUR-observed-once, DUR-observer-harmless.
 */
import type { AcceptedEvent, Outstanding } from "@swl/execution/model";
import { workId } from "./formats.js";
import type { LoadedRun } from "./loaded-run.js";
import type {
  AttemptObservation,
  HostObserver,
  Observation,
  RequestObservation,
  Starting,
} from "./observation.js";
import type { Proposal } from "./proposal.js";
import { traceparentOf } from "./trace-context.js";

export type Invoke = Outstanding & { readonly kind: "invoke" };

/** An attempt that an event took out of force. */
export interface EndedAttempt {
  readonly of: Invoke;
  readonly event: AcceptedEvent;
}

export class Observing {
  readonly #observer: HostObserver;

  constructor(observer: HostObserver) {
    this.#observer = observer;
  }

  tell(observation: Observation): void {
    harmless(() => this.#observer.observed(observation));
  }

  /** The trace context of a run to be created. What an observer says that is none is not kept. */
  starting(workflow: string, traceparent: string | undefined): Partial<Starting> {
    const given = { workflow, ...(traceparent !== undefined && { traceparent }) };
    const made = harmless(() => this.#observer.starting?.(given));
    if (made === undefined || traceparentOf(made.traceparent) === undefined) {
      return traceparent === undefined ? {} : { traceparent };
    }
    return {
      traceparent: made.traceparent,
      committed: (run) => void harmless(() => made.committed(run)),
    };
  }

  /** `begunAt`: of an attempt that this host began, by work ID. `now`: the store's clock. */
  committed(
    run: LoadedRun,
    proposal: Proposal,
    begunAt: (work: string) => number | undefined,
    now: number,
  ): void {
    const { workflow, trace } = run.created;
    const of = { run: run.id, workflow, ...(trace !== undefined && { traceparent: trace }) };
    const waited = run.unapplied.map(({ at }) => Math.max(0, now - at));
    this.tell({ kind: "commit", ...of, visits: proposal.visits, waited });
    for (const one of requestsOf(run, proposal)) this.tell({ kind: "request", ...of, ...one, applied: now });
    for (const ended of proposal.ended ?? []) this.tell(attemptOf(run, of, ended, begunAt));
    const { disposition } = proposal;
    if (disposition.kind === "closed") {
      const { status, error } = disposition;
      const said = error === undefined || run.served.marked ? {} : { error: error.code };
      const { createdAt: created } = run;
      this.tell({ kind: "ended", ...of, status, ...said, created, ended: proposal.item.stamp });
    } else if (disposition.kind === "parked" && proposal.status !== run.facets["status"]) {
      const blocker = disposition.blockers.find(({ kind }) => kind === "intervention");
      const { action, reason } = blocker ?? {};
      const effect = action === undefined ? undefined : effectOf(run, action);
      this.tell({
        kind: "parked",
        ...of,
        ...(action !== undefined && { action }),
        ...(effect !== undefined && { effect }),
        ...(reason !== undefined && { reason }),
      });
    }
  }
}

/** Attempts in force before an event and not after it. */
export function endedBy(
  before: readonly Outstanding[],
  after: readonly Outstanding[],
  event: AcceptedEvent,
): readonly EndedAttempt[] {
  const left = new Set(after.filter(isInvoke).map(idOf));
  return before
    .filter(isInvoke)
    .filter((one) => !left.has(idOf(one)))
    .map((of) => ({ of, event }));
}

type Request = Omit<RequestObservation, "kind" | "run" | "workflow" | "traceparent" | "applied">;

/** Those whose senders brought a trace context, in the order of the log. */
function requestsOf({ unapplied, traces, served }: LoadedRun, { answers }: Proposal): readonly Request[] {
  if (traces.size === 0) return [];
  const told = new Map(answers.map((answer) => [answer.position, answer]));
  return unapplied.flatMap(({ type, id, at, position }) => {
    const sender = traces.get(position);
    if (sender === undefined) return [];
    const { effect: answer = "moved", code } = told.get(position) ?? {};
    const error = code === undefined || served.marked ? {} : { error: code };
    return { type: type as Request["type"], request: id, sender, answer, ...error, accepted: at };
  });
}

function attemptOf(
  run: LoadedRun,
  of: { readonly run: string; readonly workflow: string; readonly traceparent?: string },
  { of: { activation, invocation, action, attempt }, event }: EndedAttempt,
  begunAt: (work: string) => number | undefined,
): AttemptObservation {
  const known = begunAt(workId(invocation, attempt));
  const ended = event.at;
  return {
    kind: "attempt",
    ...of,
    activation,
    invocation,
    action,
    attempt,
    effect: effectOf(run, action) ?? "unsafe",
    ...answerOf(event, invocation, run.served.marked),
    begun: Math.min(known ?? enteredAt(run, activation) ?? ended, ended),
    begunKnown: known !== undefined,
    ended,
  };
}

type AnswerPart = Pick<AttemptObservation, "answer" | "outcome" | "error" | "reason">;

/** An event that concerns another invocation, or none, decided without the attempt's answer. */
function answerOf(event: AcceptedEvent, invocation: string, marked: boolean): AnswerPart {
  if (!("invocation" in event) || event.invocation !== invocation) return { answer: "given-up" };
  const failed = (code: string): AnswerPart => ({ answer: "failed", ...(!marked && { error: code }) });
  switch (event.type) {
    case "result":
      return { answer: "completed", outcome: event.outcome };
    case "failure":
      return failed(event.error.code);
    case "unknown":
      return { answer: "unknown", reason: event.reason };
    case "withdrawn":
      return { answer: "withdrawn" };
    case "completion":
    case "inspected": {
      const { result } = event;
      if (result === undefined) return { answer: "unknown" };
      return "error" in result ? failed(result.error.code) : { answer: "completed", outcome: result.outcome };
    }
    default:
      return { answer: "given-up" };
  }
}

function effectOf({ served }: LoadedRun, action: string): AttemptObservation["effect"] | undefined {
  return served.requirements.actions.find((one) => one.action === action)?.effect;
}

/** By the run's own time; of an activation that was entered before this commit. */
function enteredAt(
  { served: { model, prepared }, state }: LoadedRun,
  activation: string,
): number | undefined {
  if (state === undefined) return undefined;
  return model.view(prepared, state).positions.find((one) => one.activation === activation)?.since;
}

function isInvoke(one: Outstanding): one is Invoke {
  return one.kind === "invoke";
}

function idOf({ invocation, attempt }: Invoke): string {
  return workId(invocation, attempt);
}

/** Also of a promise that it was not asked for. */
function harmless<T>(call: () => T): T | undefined {
  try {
    const value = call();
    if (typeof value === "object" && value !== null && "then" in value)
      Promise.resolve(value).catch(() => undefined);
    return value;
  } catch {
    return undefined;
  }
}
