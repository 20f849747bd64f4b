/**
 * A definition compiled for execution: routes as maps, mappings compiled, schemas compiled on first use. Made by
 * `prepare`, shared by all runs of the definition, never changed. What a transition looks up here is O(1).
 */
import type { Json } from "@swl/base";
import type { Logic } from "@swl/definition/logic";
import type { Mapping } from "@swl/definition/mappings";
import type { Effect, RetryPolicy } from "@swl/definition/model";
import type { Operation } from "./head.js";
import type { Requirements } from "./model.js";

export interface SchemaProblem {
  readonly pointer: string;
  readonly message: string;
}

/** Everything that is wrong with a value; empty when it is valid, or when no schema is declared. */
export type Check = (value: Json) => readonly SchemaProblem[];

export interface PreparedAction {
  readonly name: string;
  readonly effect: Effect;
  readonly retry: RetryPolicy;
  readonly onExhausted: "park" | "fail";
  readonly operationMs: number | null;
  /** The provider may be asked to stop (profile `cancellation-acks`). */
  readonly requestable: boolean;
  /** What an invocation begins with; null where the contract declares nothing of the profiles of operations. */
  readonly operation: Operation | null;
  readonly input: Check;
  readonly outputs: ReadonlyMap<string, Check>;
}

interface Placed {
  readonly id: string;
  /** `node:<id>`: made once, because a key that is built anew is hashed anew. */
  readonly slot: string;
}

interface Routed extends Placed {
  readonly routes: ReadonlyMap<string, string>;
  readonly loopLimits: ReadonlyMap<string, number> | null;
}

export interface PreparedActivity extends Routed {
  readonly kind: "activity";
  readonly action: PreparedAction;
  readonly input: Mapping;
  readonly parameters: Json;
}

export interface PreparedAwait extends Routed {
  readonly kind: "await-signal";
  readonly signal: string;
  /** Outcomes a sender may name, as authored. */
  readonly outcomes: readonly string[];
  readonly payloads: ReadonlyMap<string, Check>;
  /** Whose outcome is taken when no signal came in time. */
  readonly deadline: { readonly time: PreparedTime; readonly outcome: string } | null;
}

/** When a deadline passes: so long after entering, or at an instant. */
export interface PreparedTime {
  readonly kind: "after" | "until";
  readonly mapping: Mapping;
}

export interface PreparedTimer extends Routed {
  readonly kind: "await-timer";
  readonly time: PreparedTime;
}

export interface PreparedChoice extends Routed {
  readonly kind: "choice";
  readonly cases: readonly { readonly when: Logic; readonly outcome: string }[];
  readonly otherwise: string;
}

export interface PreparedComplete extends Placed {
  readonly kind: "complete";
  readonly output: Mapping;
}

export interface PreparedFail extends Placed {
  readonly kind: "fail";
  readonly code: string;
  readonly message: Mapping;
  readonly details: Mapping;
}

export type PreparedWaiter = PreparedAwait | PreparedTimer;
export type PreparedRouted = PreparedActivity | PreparedWaiter | PreparedChoice;
export type PreparedNode = PreparedRouted | PreparedComplete | PreparedFail;

/** A safety boundary; from `near` on the view shows it. */
export interface Bound {
  readonly max: number;
  readonly near: number;
}

export interface CorePrepared {
  readonly requirements: Requirements;
  readonly start: string;
  readonly nodes: ReadonlyMap<string, PreparedNode>;
  readonly limits: {
    readonly activations: Bound;
    readonly nodeVisits: Bound;
    readonly internalTransitions: Bound;
    /** Signals kept for later; null without profile `buffered-signals`. */
    readonly bufferedSignals: Bound | null;
  };
  /** Every signal that some node waits for. */
  readonly signals: ReadonlySet<string>;
  /** Profile `tracked-updates`. */
  readonly updates: boolean;
  /** The run's input against `inputSchema`. */
  readonly input: Check;
  /** The run's output against `outputSchema`. */
  readonly output: Check;
}
