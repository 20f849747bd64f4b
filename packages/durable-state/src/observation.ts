/**
 * What a host tells of its work, for traces and metrics: facts of commits that the store has accepted, and counts. Types
 * only; no value of a run is ever in them, and what a definition marks as sensitive cannot be. The sub-entry `/otel`
 * turns them into spans and metrics of OpenTelemetry. Spec: DUR-observed-once, DUR-observer-harmless.
 */
import type { ActionRequirement, UnknownReason } from "@swl/execution/model";

/** Never awaited. What it throws is dropped: nothing of a run depends on it. */
export interface HostObserver {
  observed(observation: Observation): void;
  /**
   * A run is about to be created here: the trace context that it keeps, made of the caller's (`StartOptions.traceparent`)
   * or of what is active now. Undefined: it keeps the caller's.
   */
  starting?(start: { readonly workflow: string; readonly traceparent?: string }): Starting | undefined;
}

export interface Starting {
  /** W3C `traceparent`. */
  readonly traceparent: string;
  /** Called once, if the first commit was accepted. */
  committed(run: string): void;
}

export type Observation =
  | CommitObservation
  | RequestObservation
  | AttemptObservation
  | ParkedObservation
  | EndedObservation
  | BatchObservation
  | ClaimObservation
  | UnderWayObservation;

interface OfRun {
  readonly run: string;
  readonly workflow: string;
  /** As the run keeps it: W3C `traceparent`, the same for every host that serves the run. */
  readonly traceparent?: string;
}

/** The store accepted a commit of this host. */
export interface CommitObservation extends OfRun {
  readonly kind: "commit";
  /** Nodes that it left. */
  readonly visits: number;
  /** Of each event that others had appended and this commit applied: milliseconds since it was accepted. */
  readonly waited: readonly number[];
}

/** An accepted commit applied a request whose sender had brought a trace context: once for each. */
export interface RequestObservation extends OfRun {
  readonly kind: "request";
  readonly type: "signal" | "update" | "cancel" | "completion" | "resolve";
  /** The request's ID: what its receipt is kept under. */
  readonly request: string;
  /** W3C `traceparent` of its sender. */
  readonly sender: string;
  readonly answer: "moved" | "buffered" | "none";
  /** Of `none`; left out where the definition marks values as sensitive. */
  readonly error?: string;
  /** Milliseconds since the epoch. */
  readonly accepted: number;
  readonly applied: number;
}

/** An accepted commit ended an attempt: once for each, whoever began it. */
export interface AttemptObservation extends OfRun {
  readonly kind: "attempt";
  readonly activation: string;
  readonly invocation: string;
  readonly action: string;
  readonly attempt: number;
  readonly effect: ActionRequirement["effect"];
  /** What ended it; `given-up`: the run decided without its answer (a deadline, a cancel, a resolution). */
  readonly answer: "completed" | "failed" | "unknown" | "withdrawn" | "given-up";
  readonly outcome?: string;
  /** Of `failed`; left out where the definition marks values as sensitive. */
  readonly error?: string;
  /** Of `unknown`. */
  readonly reason?: UnknownReason;
  /** Milliseconds since the epoch. `begunKnown` false: another host began it, this is when its activation was entered. */
  readonly begun: number;
  readonly begunKnown: boolean;
  /** Milliseconds since the epoch. */
  readonly ended: number;
}

/** A run began to wait for somebody's decision. */
export interface ParkedObservation extends OfRun {
  readonly kind: "parked";
  readonly action?: string;
  readonly effect?: ActionRequirement["effect"];
  readonly reason?: string;
}

export interface EndedObservation extends OfRun {
  readonly kind: "ended";
  readonly status: "completed" | "failed" | "canceled";
  /** Of `failed`; left out where the definition marks values as sensitive. */
  readonly error?: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly ended: number;
}

/** The store answered one batch of commits. */
export interface BatchObservation {
  readonly kind: "batch";
  readonly items: number;
  readonly milliseconds: number;
}

/** Work was claimed, so many milliseconds after it could have been. */
export interface ClaimObservation {
  readonly kind: "claim";
  readonly action: string;
  readonly lag: number;
}

/** An attempt began in this process, or is over. */
export interface UnderWayObservation {
  readonly kind: "under-way";
  readonly action: string;
  readonly change: 1 | -1;
}
