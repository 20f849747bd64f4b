/**
 * The bounded head of a core run: everything that is small and changes with almost every event. It is plain JSON of a
 * fixed shape (nothing optional, `null` for "none"), so it is stored as it is. What grows with the run lives in slots.
 * Spec: EXE-state.
 */
import type { Json } from "@swl/base";
import type { ErrorData } from "./model.js";

export type Status =
  | "created"
  | "running"
  | "waiting"
  | "needs-intervention"
  | "canceling"
  | "completed"
  | "failed"
  | "canceled";

/** Why an invocation is parked: the words of `Blocker.reason`. */
export type ParkedReason = "unknown-result" | "contract-violated" | "accepted-undeclared";

/** Characters kept in a head of what a provider or host said of an unknown result. */
export const maxWords = 300;
/** Characters of the canonical JSON of a failure's details that a head keeps. */
export const maxDetails = 2_000;

export type EvidenceType = "result" | "failure" | "accepted" | "withdrawn" | "completion" | "inspected";

export interface Position {
  readonly node: string;
  readonly visit: number;
  /** Run time of entering. */
  readonly since: number;
}

export interface Parked {
  readonly reason: ParkedReason;
  readonly since: number;
  /** Position of the event that parked it: what was kept before is not offered. */
  readonly position: number;
  /** Position of the settlement that broke the contract; null when nothing was reported. */
  readonly evidence: number | null;
}

/** A kept settlement of the open invocation; its content is the slot `evidence:<position>`. */
export interface KeptEvidence {
  readonly position: number;
  readonly type: EvidenceType;
  /** 0: a completion, which names no attempt. */
  readonly attempt: number;
}

/** What kept evidence of the latest attempt would decide; whether it is adopted depends on the rest of the head. */
export interface Adoption {
  readonly position: number;
  readonly decision: "complete" | "fail" | "retry" | "reattach";
  /** A retryable failure: decides `fail` once a cancellation is recorded. */
  readonly failure: boolean;
}

/** UTF-16 code units of an operation handle. */
export const maxHandle = 1_024;

/** What is known of the operation that an invocation began at its provider. */
export interface Operation {
  /** The contract declares `deferred`: the provider may answer with a handle. */
  readonly deferred: boolean;
  /** The handle that the provider accepted the work under. */
  readonly handle: string | null;
  /** Attempts up to this one reported failure or were given up by a resolution: their completions move nothing. */
  readonly ended: number;
  /** The question in force: what became of it? */
  readonly inspect: {
    /** Run time at which it is to be asked. */
    readonly at: number;
    /** How often it has been asked, this time included. */
    readonly asked: number;
    /** The operation deadline has passed: no answer leaves the question open. */
    readonly last: boolean;
  } | null;
  /** When the provider was asked to stop, and when it said that it had heard. */
  readonly cancel: { readonly at: number; readonly acknowledged: number | null } | null;
}

/** The open invocation: authorized and not settled. */
export interface Call {
  readonly invocation: string;
  readonly activation: string;
  readonly action: string;
  readonly idempotencyKey: string;
  /** The latest attempt authorized, from 1. */
  readonly attempt: number;
  /** How many attempts the contract allows. */
  readonly attempts: number;
  /** Attempts that a resolution authorized. */
  readonly resolved: number;
  /** Run time of the latest authorization. */
  readonly since: number;
  /** The armed operation deadline. */
  readonly deadline: { readonly generation: number; readonly at: number } | null;
  /** Operation deadlines armed so far. */
  readonly generation: number;
  /** The latest reported failure that was retried; details beyond `maxDetails` characters are left out. */
  readonly failure: { readonly attempt: number; readonly error: ErrorData } | null;
  /** The latest attempt whose result nobody knows; what was said of it is cut to `maxWords` characters. */
  readonly unknown: {
    readonly attempt: number;
    readonly reason: string;
    readonly message: string | null;
  } | null;
  readonly parked: Parked | null;
  /** A `withdraw` is in force. */
  readonly withdraw: boolean;
  readonly evidence: readonly KeptEvidence[];
  readonly adopt: Adoption | null;
  /** Null where the contract declares neither deferred answers nor questions nor requests to stop. */
  readonly operation: Operation | null;
}

/**
 * The invocation settled last, when a word of its own settled it: the word said again is a duplicate. Attempt 0 stands
 * for a completion. `handle` is that of the operation that is over, null when it is not known.
 */
export interface Settled {
  readonly invocation: string;
  readonly attempt: number;
  readonly handle: string | null;
}

/** What the run stands at while `waiting`: a waiter of a signal, a timer, or both. */
export interface Wait {
  /** Null at a timer. */
  readonly signal: string | null;
  /** Outcomes that a sender may name; empty at a timer. */
  readonly outcomes: readonly string[];
  /** The armed deadline of this activation. */
  readonly deadline: {
    readonly kind: "await" | "timer";
    readonly generation: number;
    readonly at: number;
    /** Taken when it fires. */
    readonly outcome: string;
  } | null;
}

/** Kept signals of one name, oldest first: the slots `signal:<name>#<n>`, n from `first`, `count` of them. */
export interface KeptSignals {
  readonly signal: string;
  readonly first: number;
  readonly count: number;
}

export interface Head {
  readonly v: 1;
  readonly status: Status;
  readonly run: string | null;
  readonly position: Position | null;
  /** The edge taken into `position`; null at start. */
  readonly from: { readonly node: string; readonly route: string } | null;
  readonly call: Call | null;
  /** What the run waits for while `waiting`. */
  readonly wait: Wait | null;
  /** Signals that no waiter has taken yet, by name in the order of names: no name twice, none without a signal. */
  readonly buffer: readonly KeptSignals[];
  readonly cancel: { readonly requestId: string; readonly at: number; readonly reason: string | null } | null;
  readonly result: { readonly output: Json } | { readonly error: ErrorData } | null;
  readonly settled: Settled | null;
  /** Nodes entered. */
  readonly activations: number;
  /** Settlements kept of invocations that were no longer open. */
  readonly evidence: number;
  /** Run time, milliseconds since the epoch; never falls. */
  readonly time: number;
  /** Position of the last event applied. */
  readonly last: number;
}

/** A head under construction: owned by one transition and never seen outside of it. */
export type MutableHead = { -readonly [K in keyof Head]: Head[K] };

/** Before the first event. */
export const initialHead: Head = {
  v: 1,
  status: "created",
  run: null,
  position: null,
  from: null,
  call: null,
  wait: null,
  buffer: [],
  cancel: null,
  result: null,
  settled: null,
  activations: 0,
  evidence: 0,
  time: 0,
  last: 0,
};

export function isTerminal(status: Status): status is "completed" | "failed" | "canceled" {
  return status === "completed" || status === "failed" || status === "canceled";
}
