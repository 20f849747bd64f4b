/**
 * Runs as the control plane shows them. The same words as an execution model's, said again here: a binding of this
 * service needs no model. Everything here is masked by the definition's marks unless it was asked to be revealed.
 * Spec: INV-masking.
 */
import type { Code, Json } from "@swl/base";

export interface ErrorView {
  readonly code: string;
  readonly message: string;
  readonly details: Json;
}

export type RunResult =
  | { readonly status: "completed"; readonly output: Json }
  | { readonly status: "failed"; readonly error: ErrorView }
  | { readonly status: "canceled"; readonly error?: ErrorView };

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

export interface EdgeView {
  readonly node: string;
  readonly route: string;
  readonly target: string;
  readonly visit: number;
}

/** What a run waits for; `options` are the operator verbs that would move it. */
export interface BlockerView {
  readonly kind: "start" | "signal" | "invocation" | "intervention" | "timer";
  readonly node?: string;
  readonly message: string;
  readonly reason?: string;
  readonly invocation?: string;
  readonly action?: string;
  readonly attempt?: number;
  readonly handle?: string;
  readonly acknowledged?: number;
  readonly since: number;
  readonly signal?: { readonly name: string; readonly outcomes: readonly string[] };
  readonly timer?: { readonly key: string; readonly at: number; readonly outcome: string };
  readonly evidence?: readonly {
    readonly position: number;
    readonly type: string;
    readonly attempt?: number;
    readonly summary: string;
  }[];
  readonly options: readonly string[];
}

/** What keeps a run waiting that is not the model's. */
export interface HostBlocker {
  readonly kind: "host";
  readonly code: Code;
  readonly message: string;
  readonly options: readonly string[];
}

export type OutstandingView =
  | {
      readonly kind: "invoke";
      readonly activation: string;
      readonly invocation: string;
      readonly action: string;
      readonly attempt: number;
      readonly phase: "scheduled" | "accepted";
      readonly handle?: string;
      readonly withdraw: boolean;
    }
  | {
      readonly kind: "cancel-invocation";
      readonly invocation: string;
      readonly attempt: number;
      readonly handle?: string;
    }
  | {
      readonly kind: "inspect";
      readonly invocation: string;
      readonly attempt: number;
      readonly at: number;
      readonly handle?: string;
    }
  | {
      readonly kind: "deadline";
      readonly deadline: "operation" | "await" | "timer";
      readonly key: string;
      readonly generation: number;
      readonly at: number;
    };

export interface RunView {
  readonly run: string | null;
  readonly workflow: string;
  readonly definition: string;
  readonly status: string;
  readonly positions: readonly {
    readonly node: string;
    readonly visit: number;
    readonly activation: string;
    readonly since: number;
  }[];
  readonly nodes: {
    readonly [node: string]: {
      readonly visits: number;
      readonly outcome: string | null;
      readonly visit: number | null;
    };
  };
  readonly outstanding: readonly OutstandingView[];
  readonly blockers: readonly BlockerView[];
  readonly cancel: { readonly requestId: string; readonly at: number } | null;
  readonly buffer?: readonly { readonly signal: string; readonly count: number }[];
  readonly counters: { readonly activations: number; readonly near: readonly string[] };
  readonly result: { readonly output: Json } | { readonly error: ErrorView } | null;
  readonly unsettled?: readonly {
    readonly invocation: string;
    readonly attempt: number;
    readonly handle: string;
    readonly since: number;
  }[];
  readonly time: number;
}

export interface RunStatus {
  readonly run: string;
  readonly workflow: string;
  readonly definition: string;
  readonly status: string;
  readonly startKey?: string;
  /** Position of the last record of its log. */
  readonly position: number;
  /** Accepted events that no host has applied yet. */
  readonly unapplied: number;
  readonly closed: boolean;
  readonly hold?: "quarantine" | "export";
  readonly createdAt: number;
  /** The name and revision that it was started by. */
  readonly published?: { readonly name: string; readonly revision: number };
  /** The failed run that this one goes on from, and the place in its log. */
  readonly redriveOf?: { readonly run: string; readonly position: number; readonly activation: string };
  /** Runs that go on from this one. */
  readonly redrives?: readonly string[];
  /** By whom and why it was closed in the store; what it had under way is in the view and never hears of it. */
  readonly terminated?: {
    readonly requestId: string;
    readonly at: number;
    readonly reason?: string;
    readonly by?: string;
  };
  /** Absent before the run's first transition, and where its state cannot be read here. */
  readonly view?: RunView;
}

export interface Explanation {
  readonly run: string;
  readonly status: string;
  /** One sentence. */
  readonly summary: string;
  readonly blockers: readonly (BlockerView | HostBlocker)[];
}

/** One record of a run's log. */
export interface HistoryEntry {
  readonly position: number;
  /** The store's clock at the commit: milliseconds since the epoch. */
  readonly at: number;
  /** `created`, `event`, `applied`, `takeover`, `handback`, `hold`, `released`, `terminated`. */
  readonly kind: string;
  readonly event?: HistoryEvent;
  /** Edges taken by the commit that ends with this record. */
  readonly edges?: readonly EdgeView[];
  /** Accepted events that this commit applied without effect. */
  readonly answers?: readonly { readonly position: number; readonly effect: string; readonly code?: Code }[];
}

/** An accepted event without input, output and payload. */
export interface HistoryEvent {
  readonly type: string;
  readonly id: string;
  readonly invocation?: string;
  readonly attempt?: number;
  readonly outcome?: string;
  readonly code?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly retryable?: boolean;
  readonly name?: string;
  readonly requestId?: string;
  readonly decision?: string;
  readonly by?: string;
}

/** What a fold of a run's log gives at one position, and whether every commit up to there holds what it must. */
export interface Verification {
  readonly run: string;
  /** The last position folded. */
  readonly position: number;
  /** Commits whose head was compared. */
  readonly compared: number;
  /** Positions whose stored head is not what the log gives; empty: the log and the state agree. */
  readonly differing: readonly number[];
  readonly view?: RunView;
}

/** Pass `next` as `after` for the next page; absent at the end. */
export interface ControlPage<T> {
  readonly items: readonly T[];
  readonly next?: string;
}
