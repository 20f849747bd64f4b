/**
 * The control plane as types: every operation carries a request ID, and every answer says exactly how far it got.
 * Spec: INV-answers.
 */
import type { Code, Json } from "@swl/base";

export interface Accepted {
  readonly run: string;
  readonly requestId: string;
  /** Position in the run's log. */
  readonly position: number;
  /** True when the same request had been accepted before: this is its first receipt. */
  readonly repeated: boolean;
}

/**
 * `accepted`: durably in the log, will be applied. `applied`: a commit applied it; `effect: "none"` with a code when
 * nothing moved. `refused`: judged before acceptance, nothing was written, may be asked again.
 */
export type ControlAnswer =
  | ({ readonly kind: "accepted" } & Accepted)
  | ({ readonly kind: "applied"; readonly effect: "moved" | "buffered" } & Accepted)
  | ({
      readonly kind: "applied";
      readonly effect: "none";
      readonly code: Code;
      readonly message: string;
    } & Accepted)
  | {
      readonly kind: "refused";
      readonly run: string;
      readonly requestId: string;
      readonly code: Code;
      readonly message: string;
    };

export interface SignalRequest {
  readonly run: string;
  readonly messageId: string;
  readonly name: string;
  readonly outcome?: string;
  readonly payload?: Json;
}

export interface ResolveRequest {
  readonly run: string;
  readonly requestId: string;
  /** Absent: the run's only parked invocation. */
  readonly invocation?: string;
  readonly decision: "complete" | "fail" | "retry" | "reattach";
  readonly outcome?: string;
  readonly output?: Json;
  readonly error?: { readonly code: string; readonly message: string; readonly details?: Json };
  readonly fromEvidence?: number;
  readonly by?: string;
}

export interface CancelRequest {
  readonly run: string;
  readonly requestId: string;
  readonly reason?: string;
}

export interface WaitOptions {
  /** Milliseconds to wait for `applied`; 0 returns `accepted` at once. Default 10,000. */
  readonly wait?: number;
  readonly signal?: AbortSignal;
}

/** One line of a list. */
export interface RunSummary {
  readonly run: string;
  readonly workflow: string;
  readonly status: string;
  /** The key it was started with. */
  readonly startKey?: string;
  readonly position: number;
  readonly createdAt: number;
  readonly closed: boolean;
  readonly hold?: string;
}
