/**
 * What the control plane is asked. Every request that may change something carries an ID of its sender: the same ID
 * with the same content is the same request, however often it comes. Spec: INV-answers, INV-operations.
 */
import type { Json } from "@swl/base";

/** What a request about a run may bring of its sender's trace. */
export interface Traced {
  /** W3C trace context of whoever asks: kept beside the event, and no part of what the request ID stands for. */
  readonly traceparent?: string;
}

/** Names a definition. The newest revision of a name is what a start by that name takes. */
export interface PublishRequest {
  /** `[A-Za-z_][A-Za-z0-9_-]{0,63}`. Absent: the workflow's own ID. */
  readonly name?: string;
  readonly requestId: string;
  /** JSON; `object` lets a definition be given as it is typed. */
  readonly definition: Json | object;
  /** Who published it, for people. */
  readonly by?: string;
}

/** Exactly one of `definition` and `name`. Creates the run and needs no host for it. */
export interface StartRequest {
  readonly definition?: Json | object;
  /** A published name: its newest revision is taken and recorded. */
  readonly name?: string;
  /** Default `null`. */
  readonly input?: Json;
  /** The request ID of a start. Absent: every call is a run of its own. 1..256 characters without NUL. */
  readonly startKey?: string;
  /** W3C trace context of whoever asks: kept with the run, and no part of what the start key stands for. */
  readonly traceparent?: string;
}

export interface SignalRequest extends Traced {
  readonly run: string;
  readonly messageId: string;
  readonly name: string;
  readonly outcome?: string;
  readonly payload?: Json;
}

/** Like a signal, never kept: applied at a waiter, else refused. Profile `tracked-updates`. */
export interface UpdateRequest extends Traced {
  readonly run: string;
  readonly requestId: string;
  readonly name: string;
  readonly outcome?: string;
  readonly payload?: Json;
}

/** How an operation that a provider accepted came to its end. Profile `deferred-actions`. */
export type CompleteRequest = Traced & {
  readonly run: string;
  /** The completion message ID: the same message may come any number of times. */
  readonly messageId: string;
  /** One of the two at least; both must fit together. A bearer's token names the invocation. */
  readonly invocation?: string;
  readonly handle?: string;
  /**
   * From 1: refused as `event.stale` once a later attempt is the invocation's, and as `operation.unknown` before it is.
   * Absent: whichever it has.
   */
  readonly attempt?: number;
} & (
    | { readonly outcome: string; readonly output?: Json }
    | { readonly error: RequestError; readonly retryable?: boolean }
  );

export interface RequestError {
  /** `[a-z0-9][a-z0-9.-]{0,63}` */
  readonly code: string;
  readonly message: string;
  readonly details?: Json;
}

export interface Decision {
  readonly decision: "complete" | "fail" | "retry" | "reattach";
  readonly outcome?: string;
  readonly output?: Json;
  readonly error?: RequestError;
  readonly fromEvidence?: number;
  /** Who decided, for people. */
  readonly by?: string;
}

export interface ResolveRequest extends Decision, Traced {
  readonly run: string;
  readonly requestId: string;
  /** Absent: the run's only parked invocation. */
  readonly invocation?: string;
}

export interface CancelRequest extends Traced {
  readonly run: string;
  readonly requestId: string;
  readonly reason?: string;
}

/** Closes the run in the store, whatever it does, also when no host can serve it. Profile `hard-stop` or none. */
export interface TerminateRequest {
  readonly run: string;
  readonly requestId: string;
  readonly reason?: string;
  readonly by?: string;
}

/** A new run from the state before the activation that failed. The old run never changes. */
export interface RedriveRequest {
  readonly run: string;
  readonly requestId: string;
  readonly by?: string;
}

/** Lets a quarantined run go on. */
export interface ReleaseRequest {
  readonly run: string;
  readonly requestId: string;
  readonly by?: string;
}

/** The requests by operation: what a binding offers, and what `dryRun` takes. */
export interface ControlRequests {
  readonly publish: PublishRequest;
  readonly start: StartRequest;
  readonly signal: SignalRequest;
  readonly update: UpdateRequest;
  readonly complete: CompleteRequest;
  readonly resolve: ResolveRequest;
  readonly cancel: CancelRequest;
  readonly terminate: TerminateRequest;
  readonly redrive: RedriveRequest;
  readonly release: ReleaseRequest;
}

export type ChangingOperation = keyof ControlRequests;

/** Which runs a bulk operation is about. Every member that is given must hold. */
export interface BulkFilter {
  readonly workflow?: string;
  /** The action that a blocker, or the failed activation, is of. */
  readonly action?: string;
  /** A blocker's reason (`unknown-result`, …), or for `redrive` the code of the error that the run failed with. */
  readonly reason?: string;
  /** Milliseconds since the run came to stand where it stands, at least; for `redrive` since it was created. */
  readonly olderThan?: number;
}

export type BulkRequest = Traced & {
  /** The request ID in each run: asking again gives each run's first receipt. */
  readonly requestId: string;
  readonly filter: BulkFilter;
  /** Nothing is written unless this is true: a bulk operation is looked at first. */
  readonly apply?: boolean;
  /** Runs looked at by this call, at most: 1..1,000, default 100. */
  readonly limit?: number;
  /** Where the call before this one stopped. */
  readonly after?: string;
} & (
    | { readonly operation: "resolve"; readonly decision: Decision }
    | { readonly operation: "cancel"; readonly reason?: string }
    | { readonly operation: "redrive"; readonly by?: string }
  );

export interface ListRequest {
  readonly status?: string;
  readonly workflow?: string;
  readonly after?: string;
  /** 1..1,000, default 100. */
  readonly limit?: number;
}

/** How long a request may be waited for, and until what. */
export interface WaitOptions {
  /** Milliseconds; 0 returns `accepted` at once. Default 10,000, for `start` and `redrive` 0. */
  readonly wait?: number;
  /** `finished`: until the run has ended. Default `applied`. */
  readonly until?: "applied" | "finished";
  readonly signal?: AbortSignal;
}

/** `reveal`: marked values too. Needs the right to it. */
export interface ReadOptions {
  readonly reveal?: boolean;
}

export interface ResultOptions extends ReadOptions {
  /** Milliseconds; default: none. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  /** What to do when the run needs a decision: wait for it (default), or throw `run.parked`. */
  readonly whenParked?: "wait" | "throw";
}
