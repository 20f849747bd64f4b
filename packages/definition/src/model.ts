/**
 * The normalized definition as types, and nothing else: parts that receive a validated definition import this entry
 * and never load a validator. Every default is written out; labels never enter. Spec: docs/spec/definition.md.
 */
import type { Json, JsonObject } from "@swl/base";

/** `[A-Za-z_][A-Za-z0-9_-]{0,63}` */
export type Id = string;
/** `[a-z][a-z0-9-]{0,63}`, or the reserved route keys `failed` and `exhausted` where routes are meant. */
export type OutcomeName = string;
/** A JSON Schema in the declared dialect: carried verbatim. */
export type JsonSchema = boolean | JsonObject;
/** JSON with the operators `{"$get": […]}` and `{"$literal": any}`. */
export type Mapping = Json;
/** JsonLogic: one operator an object; `var` sees `{input, nodes, from, run}`. See the entry `./logic`. */
export type LogicRule = Json;
/** `sha256:` and 64 hex digits. */
export type Digest = string;

export interface Definition {
  /** For editors: where they find what may stand in the file. Presentation only, like `meta`. */
  readonly $schema?: string;
  readonly swl: "0.1";
  readonly id: Id;
  readonly version?: string;
  /** Sorted; contains `core`. */
  readonly requires: readonly string[];
  readonly hints?: readonly string[];
  readonly dialects: Dialects;
  readonly inputSchema?: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly start: Id;
  readonly nodes: { readonly [id: Id]: Node };
  readonly actions: { readonly [id: Id]: ActionContract };
  readonly limits: Limits;
  readonly sensitive?: { readonly input?: readonly string[] };
  /** Presentation only: never part of identity or of any decision. */
  readonly meta?: Meta;
  readonly [extension: `x-${string}`]: Json;
}

export interface Dialects {
  readonly schema?: "https://json-schema.org/draft/2020-12/schema";
  readonly numbers: "binary64" | "int53";
  readonly expressions: "minimal" | "jsonlogic";
}

export interface Limits {
  /** Node visits of the whole run; default 100,000, at most 10,000,000. */
  readonly maxActivations: number;
  /** Visits of one node; no default, at most 10,000,000. */
  readonly maxNodeVisits?: number;
  /** Nodes entered for one accepted event; default 1,000, at most 100,000. */
  readonly maxInternalTransitions: number;
  /** Signals that a run keeps for a later waiter; said exactly with `buffered-signals`: default 64, at most 1,000. */
  readonly maxBufferedSignals?: number;
}

export interface Meta {
  readonly title?: string;
  readonly description?: string;
  /** By node ID. */
  readonly labels?: { readonly [node: Id]: string };
  readonly layout?: Json;
}

export type Routes = { readonly [outcome: OutcomeName]: Id };
/** Outcome → how many consecutive occurrences take their own route. */
export type LoopLimits = { readonly [outcome: OutcomeName]: number };

export type Node = ActivityNode | AwaitSignalNode | AwaitTimerNode | ChoiceNode | CompleteNode | FailNode;
export type NodeKind = Node["kind"];

export interface ActivityNode {
  readonly kind: "activity";
  readonly action: Id;
  readonly input: Mapping;
  readonly parameters: Json;
  readonly routes: Routes;
  readonly loopLimits?: LoopLimits;
}

export interface AwaitSignalNode {
  readonly kind: "await-signal";
  readonly signal: string;
  readonly routes: Routes;
  readonly payloads?: { readonly [outcome: OutcomeName]: JsonSchema };
  readonly loopLimits?: LoopLimits;
  /** JSON Pointers into payloads, by outcome. */
  readonly sensitive?: { readonly payloads?: { readonly [outcome: OutcomeName]: readonly string[] } };
  /** Profile `timers`. */
  readonly deadline?: Deadline;
}

/** A time: exactly one of the two is said. */
export interface Time {
  /** An ISO 8601 duration from the activation, or a mapping that yields one. */
  readonly after?: Mapping;
  /** An RFC 3339 instant, or a mapping that yields one. */
  readonly until?: Mapping;
}

/** Which route is taken when no signal came in time. */
export interface Deadline extends Time {
  /** Routed; neither `failed` nor `exhausted`. */
  readonly outcome: OutcomeName;
}

/** Profile `timers`. */
export interface AwaitTimerNode extends Time {
  readonly kind: "await-timer";
  /** Exactly `elapsed`. */
  readonly routes: Routes;
}

/** Profile `expressions-jsonlogic`, in the expression dialect `jsonlogic`. */
export interface ChoiceNode {
  readonly kind: "choice";
  /** Looked at in order: the first one that holds decides. 1 to 256. */
  readonly cases: readonly ChoiceCase[];
  /** The outcome when no case holds. */
  readonly otherwise: OutcomeName;
  /** Exactly the outcomes of the cases, and `otherwise`. */
  readonly routes: Routes;
}

export interface ChoiceCase {
  readonly when: LogicRule;
  readonly outcome: OutcomeName;
}

export interface CompleteNode {
  readonly kind: "complete";
  readonly output: Mapping;
}

export interface FailNode {
  readonly kind: "fail";
  readonly error: {
    readonly code: string;
    /** A string, or a mapping that yields one. */
    readonly message: Mapping;
    readonly details?: Mapping;
  };
}

export type Effect = "pure" | "read-only" | "idempotent" | "unsafe" | "reconcilable";

export interface ActionContract {
  readonly version?: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: JsonSchema;
  readonly parametersSchema?: JsonSchema;
  readonly outcomes: { readonly [outcome: OutcomeName]: { readonly outputSchema?: JsonSchema } };
  readonly effect: Effect;
  readonly retry: RetryPolicy;
  /** `idempotent` only: what happens when attempts are used up and the result is still unknown. */
  readonly onExhausted?: "park" | "fail";
  readonly timeouts?: {
    /** One delivery attempt, milliseconds, from the claim. */
    readonly attemptMs?: number;
    /** The whole logical invocation, milliseconds, from its first authorization. */
    readonly operationMs?: number;
  };
  /** Sorted. */
  readonly capabilities?: readonly string[];
  readonly deferred?: boolean;
  readonly cancellation?: "none" | "requestable";
  readonly limits?: { readonly maxInputBytes?: number; readonly maxOutputBytes?: number };
  readonly sensitive?: {
    readonly input?: readonly string[];
    readonly outputs?: { readonly [outcome: OutcomeName]: readonly string[] };
  };
}

export interface RetryPolicy {
  /** Counts the first attempt: 1 means no retry. At least 1, at most 1,000. */
  readonly maxAttempts: number;
  /** Milliseconds before the second attempt. */
  readonly initialDelayMs: number;
  readonly backoff: "fixed" | "exponential";
  /** Milliseconds. */
  readonly maxDelayMs: number;
  readonly jitter: "none" | "full";
}
