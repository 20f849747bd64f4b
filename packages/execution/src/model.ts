/**
 * The ExecutionModel interface: what a host needs of any execution model, and no more. Types only. A host never reads
 * a status word, a node or an action out of a model's state: it commits `changes`, dispatches `commands`, obeys
 * `disposition`. Spec: EXE-transition.
 */
import type { Diagnostic, Json, Outcome } from "@swl/base";

export interface ExecutionModel<P = unknown, S = unknown> {
  /** `swl.core`. Pinned by a run together with the semantics number. */
  readonly id: string;
  readonly semantics: { readonly writes: number; readonly reads: readonly number[] };
  /**
   * Compiles a definition (any JSON) once, or says every reason why it cannot run here. `semantics` is the number the
   * run pinned, one of `reads`; absent: `writes`.
   */
  prepare(definition: Json, semantics?: number): Outcome<P>;
  requirements(prepared: P): Requirements;
  /** Pure. Never throws on an accepted event; never mutates its arguments. `state` is absent before the first event. */
  transition(prepared: P, state: S | undefined, event: AcceptedEvent): Transition<S>;
  disposition(state: S): Disposition;
  /** The commands still in force, without their bulk (input, parameters): what a takeover or an inspector needs. */
  outstanding(state: S): readonly Outstanding[];
  view(prepared: P, state: S): ModelView;
  toJSON(state: S): StateDocument;
  /** Throws `model.state-invalid` for anything that `toJSON` cannot have written. */
  fromJSON(document: StateDocument): S;
}

/** What a run pins, and what a host must offer before it may start. */
export interface Requirements {
  /** `sha256:…` of the definition. */
  readonly definition: string;
  /** The workflow's name. */
  readonly workflow: string;
  readonly profiles: readonly string[];
  readonly actions: readonly ActionRequirement[];
}

export interface ActionRequirement {
  readonly action: string;
  readonly version?: string;
  /** Digest of the contract: what is pinned. */
  readonly contract: string;
  readonly effect: "pure" | "read-only" | "idempotent" | "unsafe" | "reconcilable";
  readonly capabilities: readonly string[];
  /** Milliseconds from the claim; the holder watches it. */
  readonly attemptMs?: number;
  /** The provider may answer `accepted`. */
  readonly deferred?: true;
  /** The provider is asked to stop where the run is canceled. */
  readonly cancelable?: true;
}

/** State as it is stored: a bounded head, and slots of which only the changed ones are written. */
export interface StateDocument {
  readonly head: Json;
  readonly slots: { readonly [key: string]: Json };
}

export interface Changes {
  readonly head: Json;
  /** Written slots with their new documents; `undefined` removes the slot. */
  readonly slots: ReadonlyMap<string, Json | undefined>;
}

export type Transition<S> =
  | {
      readonly state: S;
      readonly changes: Changes;
      readonly commands: readonly Command[];
      readonly diagnostics: readonly Diagnostic[];
      /** Edges taken by this event, in order: for histories and pictures, not part of the state. */
      readonly edges: readonly Edge[];
      /** What a sender is told: the event moved the run, or not and why. */
      readonly effect: Effect;
    }
  | { readonly error: Diagnostic };

/**
 * `refuse` says that a sender who asks before acceptance is turned away and nothing is appended; once the event is in
 * the log all the same, it has no effect.
 */
export type Effect =
  | { readonly kind: "applied" }
  | { readonly kind: "buffered" }
  | {
      readonly kind: "none";
      readonly code: Diagnostic["code"];
      readonly message: string;
      readonly refuse: boolean;
    };

export interface Edge {
  readonly node: string;
  /** The route key taken: the outcome, `failed` or `exhausted`. */
  readonly route: string;
  readonly target: string;
  /** Visit of `node`. */
  readonly visit: number;
}

// ---------------------------------------------------------------------------------------------------- events

export interface EventStamp {
  /** Unique in the run. */
  readonly id: string;
  /** Position in the run's log; a position not above the last one applied is a duplicate. */
  readonly position: number;
  /** Acceptance time, milliseconds since the epoch, given by the host. */
  readonly at: number;
}

export type AcceptedEvent = EventStamp & EventBody;

export interface ErrorData {
  /** `[a-z0-9][a-z0-9.-]{0,63}` */
  readonly code: string;
  readonly message: string;
  readonly details: Json;
}

export type UnknownReason = "crash" | "lease-lost" | "attempt-timeout" | "ack-lost";

interface OfAttempt {
  readonly invocation: string;
  readonly attempt: number;
}

export type EventBody =
  | { readonly type: "start"; readonly run: string; readonly input: Json }
  | (OfAttempt & { readonly type: "result"; readonly outcome: string; readonly output: Json })
  | (OfAttempt & { readonly type: "failure"; readonly error: ErrorData; readonly retryable: boolean })
  | (OfAttempt & { readonly type: "accepted"; readonly handle: string })
  | (OfAttempt & { readonly type: "unknown"; readonly reason: UnknownReason; readonly message?: string })
  | (OfAttempt & { readonly type: "withdrawn" })
  | {
      readonly type: "completion";
      readonly invocation: string;
      readonly handle?: string;
      readonly messageId: string;
      readonly result:
        | { readonly outcome: string; readonly output: Json }
        | { readonly error: ErrorData; readonly retryable: boolean };
    }
  | (OfAttempt & {
      readonly type: "inspected";
      readonly status: "running" | "completed" | "failed" | "not-found" | "unknown";
      readonly result?: { readonly outcome: string; readonly output: Json } | { readonly error: ErrorData };
    })
  | {
      readonly type: "signal";
      readonly messageId: string;
      readonly name: string;
      readonly outcome?: string;
      readonly payload: Json;
    }
  | {
      readonly type: "update";
      readonly requestId: string;
      readonly name: string;
      readonly outcome?: string;
      readonly payload: Json;
    }
  | { readonly type: "cancel"; readonly requestId: string; readonly reason?: string }
  | { readonly type: "cancel-acknowledged"; readonly invocation: string }
  | {
      readonly type: "resolve";
      readonly requestId: string;
      readonly invocation: string;
      readonly decision: "complete" | "fail" | "retry" | "reattach";
      /** With `complete`. */
      readonly outcome?: string;
      readonly output?: Json;
      /** With `fail`. */
      readonly error?: ErrorData;
      /** Position of the evidence that the decision rests on; its content replaces outcome, output or error. */
      readonly fromEvidence?: number;
      /** Who decided, for people. */
      readonly by?: string;
    }
  | {
      readonly type: "deadline";
      readonly kind: "operation" | "await" | "timer";
      readonly key: string;
      readonly generation: number;
      /** Operation only: the attempt had not been claimed and the host took its work back in the same item. */
      readonly unclaimed?: boolean;
    };

// -------------------------------------------------------------------------------------------------- commands

export interface InvokeCommand {
  readonly kind: "invoke";
  /** `charge#3`: node and visit. */
  readonly activation: string;
  /** `RUN/charge#3`: one logical call, the same for all attempts. */
  readonly invocation: string;
  readonly action: string;
  /** From 1. */
  readonly attempt: number;
  /** Milliseconds from the commit. */
  readonly delay: number;
  readonly input: Json;
  readonly parameters: Json;
  /** `RUN/charge/3`, at most 128 ASCII characters, the same for all attempts. */
  readonly idempotencyKey: string;
}

/** To the provider: stop, or say what became of it. A later one of the same kind and invocation replaces it. */
export type AskCommand =
  | ({ readonly kind: "cancel-invocation" } & AskedOf)
  /** `delay`: milliseconds from the commit. */
  | ({ readonly kind: "inspect"; readonly delay: number } & AskedOf);

interface AskedOf {
  readonly activation: string;
  readonly invocation: string;
  readonly action: string;
  readonly attempt: number;
  /** That of the invocation. */
  readonly idempotencyKey: string;
  readonly handle?: string;
}

export type Command =
  | InvokeCommand
  /** Take the attempt back if nobody has claimed it, and say `withdrawn`. */
  | { readonly kind: "withdraw"; readonly invocation: string; readonly attempt: number }
  | AskCommand
  /** An absolute instant that the model computed from run time. */
  | {
      readonly kind: "set-deadline";
      readonly deadline: "operation" | "await" | "timer";
      readonly key: string;
      readonly generation: number;
      readonly at: number;
    }
  | { readonly kind: "clear-deadline"; readonly key: string }
  | {
      readonly kind: "end";
      readonly status: "completed" | "failed" | "canceled";
      readonly output?: Json;
      readonly error?: ErrorData;
    };

export type Outstanding =
  | {
      readonly kind: "invoke";
      readonly activation: string;
      readonly invocation: string;
      readonly action: string;
      readonly attempt: number;
      readonly phase: "scheduled" | "accepted";
      readonly handle?: string;
      /** A `withdraw` is in force: if the attempt turns out not to have begun, say `withdrawn`. */
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

// ---------------------------------------------------------------------------------------- disposition and view

export type Disposition =
  | { readonly kind: "open"; readonly blockers: readonly Blocker[] }
  /** Moves only when somebody decides. */
  | {
      readonly kind: "parked";
      readonly blockers: readonly Blocker[];
      /** Kept evidence that settles it: a host with `adoptEvidence` appends this as a recorded system resolution. */
      readonly adopt?: EvidenceResolution;
    }
  | {
      readonly kind: "closed";
      readonly status: "completed" | "failed" | "canceled";
      readonly output?: Json;
      readonly error?: ErrorData;
    };

export interface EvidenceResolution {
  readonly invocation: string;
  readonly decision: "complete" | "fail" | "retry" | "reattach";
  readonly fromEvidence: number;
}

/** What a run that is not closed waits for. There is always at least one. */
export interface Blocker {
  readonly kind: "start" | "signal" | "invocation" | "intervention" | "timer";
  readonly node?: string;
  /** One sentence for people. */
  readonly message: string;
  /**
   * Closed word list per kind. `intervention`: `unknown-result`, `contract-violated`, `accepted-undeclared`;
   * `invocation`: `canceling`, `accepted`, `inspecting`.
   */
  readonly reason?: string;
  readonly invocation?: string;
  readonly action?: string;
  readonly attempt?: number;
  /** The operation that the provider accepted. */
  readonly handle?: string;
  /** When the provider said that it had heard the request to stop, in milliseconds since the epoch. */
  readonly acknowledged?: number;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** For `signal`: its name and the outcomes that route. */
  readonly signal?: { readonly name: string; readonly outcomes: readonly string[] };
  /** For `timer`: when its deadline fires, in milliseconds since the epoch, and what is taken then. */
  readonly timer?: { readonly key: string; readonly at: number; readonly outcome: string };
  readonly evidence?: readonly {
    readonly position: number;
    readonly type: string;
    readonly attempt?: number;
    readonly summary: string;
  }[];
  /** Operator verbs that would move it. */
  readonly options: readonly string[];
}

/** The portable view: no input, no output of actions, no credentials; marked parts never enter. */
export interface ModelView {
  readonly run: string | null;
  readonly workflow: string;
  readonly definition: string;
  /** A word of the model for people and lists. */
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
  readonly outstanding: readonly Outstanding[];
  readonly blockers: readonly Blocker[];
  readonly cancel: { readonly requestId: string; readonly at: number } | null;
  /** With `buffered-signals`: how many signals are kept, by name in the order of names. No payloads. */
  readonly buffer?: readonly { readonly signal: string; readonly count: number }[];
  readonly counters: { readonly activations: number; readonly near: readonly string[] };
  readonly result: { readonly output: Json } | { readonly error: ErrorData } | null;
  /** Operations that were accepted, of which nothing was heard, and which no invocation waits for; newest last. */
  readonly unsettled?: readonly {
    readonly invocation: string;
    readonly attempt: number;
    readonly handle: string;
    readonly since: number;
  }[];
  /** Run time: milliseconds since the epoch. */
  readonly time: number;
}
