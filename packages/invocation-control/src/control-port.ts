/**
 * What the control service asks of whoever keeps runs: append, read, try. Its implementer knows the store and the
 * model; the service knows neither. Nothing here is masked or authorized: that is the service's. Spec: INV-operations.
 */
import type { Code, Json, JsonObject } from "@swl/base";
import type { Publication } from "./control-answers.js";
import type { ListRequest, ResultOptions } from "./control-requests.js";
import type {
  ControlPage,
  EdgeView,
  Explanation,
  RunResult,
  RunStatus,
  RunSummary,
  RunView,
} from "./control-views.js";

export interface ControlPort {
  // -------------------------------------------------------------------------------------------------- read
  /** The run as it stands; undefined: there is none. A run whose state cannot be read here is looked at all the same. */
  look(run: string): Promise<Look | undefined>;
  /**
   * The same for whoever sends a message and wants it judged: what it says of the run is what the log says now, and no
   * more. Many who ask at once cost little more than one.
   */
  lookAhead(run: string): Promise<Look | undefined>;
  /** How the accepted event at this position fared; undefined: nobody has applied it. Many may ask at once. */
  answer(run: string, position: number): Promise<AppliedAnswer | undefined>;
  /** True when the run is closed; undefined when there is none. Cheaper than a look. */
  closed(run: string): Promise<boolean | undefined>;
  /** A portion of the run's log after a position, in order; empty at its end. */
  records(run: string, after: number): Promise<readonly ControlRecord[]>;
  /** Runs only, newest first. */
  list(request: ListRequest): Promise<ControlPage<RunSummary>>;
  receipt(scope: string, requestId: string): Promise<ControlReceipt | undefined>;
  publication(name: string): Promise<Publication | undefined>;
  /** The pinned definition. Throws `run.not-found`, `host.definition-missing`. */
  definition(run: string): Promise<Json>;
  /** Waits for the end. Throws `run.not-found`, `answer.timeout`, `run.parked`, `host.stopped`. */
  result(run: string, options: ResultOptions): Promise<RunResult>;

  // -------------------------------------------------------------------------------------------------- judge
  /** Compiles a definition for a new run. Throws `definition.invalid` with its findings. */
  prepare(definition: Json): Preparation;
  /** The definition that a publication names, compiled. Throws `host.definition-missing`, `definition.invalid`. */
  prepareStored(digest: string): Promise<Preparation>;
  /** The run that a redrive would make. Throws `run.not-found`, `run.not-failed` and what hinders the fold. */
  planRedrive(run: string): Promise<RedrivePlan>;
  /** Folds the log up to a position. */
  fold(run: string, position: number): Promise<Folded>;

  // -------------------------------------------------------------------------------------------------- append
  /**
   * Appends an event that needs no look and applies it with the same, where the run is at hand and takes it. Undefined,
   * with nothing written: it is to be judged and appended. A receipt of the same request is found here too.
   */
  appendApplied(change: ControlEventChange, receipt: ReceiptOf): Promise<Appended | undefined>;
  /** Appends one change of an existing run, under its receipt. Throws `store.…` for what cannot be taken. */
  append(change: ControlChange, receipt: ReceiptOf): Promise<Appended>;
  publish(publication: NewPublication, receipt: ReceiptOf): Promise<Appended>;
  /** Creates a run that no host has started. Without a receipt every call makes another run. */
  create(run: NewRun, receipt: ReceiptOf | undefined): Promise<Appended>;
  redrive(plan: RedrivePlan, by: string | undefined, receipt: ReceiptOf): Promise<Appended>;

  // -------------------------------------------------------------------------------------------------- wait
  /** Opened before the first look, so that nothing falls between look and wait. */
  watch(run: string): ControlWatch;
  /** Milliseconds that never go back. */
  monotonic(): number;
  /** Milliseconds since the epoch, by the store's clock as far as it is known. */
  now(): number;
  /** Milliseconds between two looks that nobody hinted at. */
  readonly poll: number;
}

/** `moved`: it was applied, and nothing else is to be said. `closed`: the run was closed before anybody applied it. */
export type AppliedAnswer =
  | { readonly effect: "moved" | "closed" }
  | { readonly effect: "buffered" | "none"; readonly code?: Code; readonly message?: string };

export interface ControlWatch {
  /** Until the run may have changed, so many milliseconds have passed, or the signal aborts. */
  next(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** True when nobody here waits any longer: the host is stopping. */
  readonly stopped: boolean;
  close(): void;
}

export interface Look {
  readonly status: RunStatus;
  explain(): Promise<Explanation>;
  /** Undefined while the run has not ended. */
  readonly result: RunResult | undefined;
  /** What an event would do after everything that waits; undefined: it cannot be said here. */
  dry(event: ControlEvent): DryStep | undefined;
}

/** Accepted events that senders bring; a model's events of the same words have this shape. */
export type ControlEvent =
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
  | {
      readonly type: "completion";
      readonly invocation: string;
      readonly handle?: string;
      readonly messageId: string;
      readonly result:
        | { readonly outcome: string; readonly output: Json }
        | {
            readonly error: { readonly code: string; readonly message: string; readonly details: Json };
            readonly retryable: boolean;
          };
    }
  | {
      readonly type: "resolve";
      readonly requestId: string;
      readonly invocation: string;
      readonly decision: "complete" | "fail" | "retry" | "reattach";
      readonly outcome?: string;
      readonly output?: Json;
      readonly error?: { readonly code: string; readonly message: string; readonly details: Json };
      readonly fromEvidence?: number;
      readonly by?: string;
    };

export type DryEffect =
  | { readonly kind: "applied" | "buffered" }
  /** `refuse`: a sender who asks before acceptance is turned away. */
  | { readonly kind: "none"; readonly code: Code; readonly message: string; readonly refuse: boolean };

export interface DryStep {
  readonly effect: DryEffect;
  readonly edges: readonly EdgeView[];
  readonly commands: readonly Json[];
  readonly status: string;
  readonly view: RunView;
}

/** One record of a log, whole. */
export interface ControlRecord {
  readonly position: number;
  readonly at: number;
  readonly kind: string;
  /** True on the last record of a commit that applied everything up to it. */
  readonly applies: boolean;
  readonly event?: JsonObject;
  /** The node that the event's invocation is of, where that is known. */
  readonly node?: string;
  /** Of the first record. */
  readonly input?: Json;
  /** What a redriven run took over from the run before it. */
  readonly inherited?: readonly { readonly event: JsonObject; readonly node?: string }[];
  readonly edges?: readonly EdgeView[];
  readonly answers?: readonly {
    readonly position: number;
    readonly effect: "buffered" | "none";
    readonly code?: Code;
    readonly message?: string;
  }[];
}

export interface ReceiptOf {
  readonly requestId: string;
  /** Of what makes two requests with one ID the same. */
  readonly digest: string;
}

export interface ControlReceipt extends ReceiptOf {
  readonly run: string;
  readonly position: number;
}

export interface ControlEventChange {
  readonly kind: "event";
  readonly run: string;
  readonly event: ControlEvent;
  /** Only while the run's log ends at this position. Absent: at the next free one. */
  readonly after?: number;
  /** Kept beside the event. A port throws `request.invalid` for what is no W3C trace context. */
  readonly traceparent?: string;
}

export type ControlChange =
  | ControlEventChange
  | { readonly kind: "terminate"; readonly run: string; readonly reason?: string; readonly by?: string }
  | { readonly kind: "release"; readonly run: string; readonly by?: string };

export type Appended =
  | {
      readonly kind: "accepted";
      readonly run: string;
      readonly position: number;
      readonly repeated: boolean;
      /** How it fared, where that is known with its acceptance. */
      readonly answer?: AppliedAnswer;
    }
  /** Accepted before, perhaps with other content: see its digest. */
  | { readonly kind: "receipt"; readonly receipt: ControlReceipt }
  /** Something came between: look again. */
  | { readonly kind: "changed" }
  /** The answer was lost: it may be in the log or not. */
  | { readonly kind: "lost"; readonly code: Code; readonly message: string };

export interface Preparation {
  readonly definition: Json;
  readonly digest: string;
  readonly workflow: string;
  /** Runs its start on nothing. A refusal of the input is an effect. */
  start(input: Json): DryStep;
}

export interface NewPublication {
  readonly name: string;
  readonly definition: Preparation;
  readonly by?: string;
}

export interface NewRun {
  readonly preparation: Preparation;
  readonly input: Json;
  readonly published?: { readonly name: string; readonly revision: number };
  readonly traceparent?: string;
}

/** A run that goes on from before the activation that failed. */
export interface RedrivePlan {
  readonly run: string;
  /** Where the failed activation was entered. */
  readonly position: number;
  readonly activation: string;
  readonly step: DryStep;
  /** Its implementer's own. */
  readonly made: unknown;
}

export interface Folded {
  readonly position: number;
  readonly compared: number;
  readonly differing: readonly number[];
  readonly view?: RunView;
}
