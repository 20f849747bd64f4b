/// <reference lib="esnext.disposable" />
/**
 * What a host is given and what it gives back. Types only; `createHost` is in host.ts.
 * Spec: docs/spec/durable-state.md.
 */
import type { Code, Json } from "@swl/base";
import type { ExecutionModel } from "@swl/execution/model";
import type {
  Authorize,
  BindingSet,
  ControlService,
  Provider,
  ResultOptions,
  RunResult,
} from "@swl/invocation-control";
import type { Store } from "@swl/store-provider";
import type { HostObserver } from "./observation.js";

export type Bindings = Provider | BindingSet | readonly (Provider | BindingSet)[];

export interface HostOptions {
  /** Not closed by the host. */
  readonly store: Store;
  readonly models: readonly ExecutionModel[];
  /** Who serves which action. Two that serve one action are refused as `binding.invalid` when a run needs it. */
  readonly bindings: Bindings;
  /** Capabilities that bindings are granted. Default none. */
  readonly grants?: readonly string[];
  /** Milliseconds that the host's lease lasts without renewal; 100..3,600,000, default 10,000. */
  readonly lease?: number;
  /**
   * Refuse to open, as `store.host-active`, while another host's lease runs; default false: any number of hosts share a
   * store. All hosts of a store must say the same.
   */
  readonly exclusive?: boolean;
  /** With `exclusive`: milliseconds to wait for another host's lease to end before refusing. Default 0. */
  readonly waitForLease?: number;
  /** Aborted: the host does not open any more, and `createHost` throws `host.stopped`. One that is open is closed by `close`. */
  readonly signal?: AbortSignal;
  /** Milliseconds between two looks for work that nobody hinted at, while there is some; 1..60,000, default 50. */
  readonly poll?: number;
  /**
   * The longest time between two looks, reached step by step while nothing is found: what a lost wake-up costs at most.
   * `poll`..60,000; default 20 times `poll` where the store's wake-ups reach every host, else 4 times.
   */
  readonly idlePoll?: number;
  /** What becomes of runs that are over. Default: they are kept for ever. */
  readonly retention?: {
    /** Milliseconds after its end when a run is removed, with all that is its; 1..3,155,760,000,000. */
    readonly closedRuns: number;
  };
  readonly concurrency?: {
    /** Attempts under way at once; default 1,000. */
    readonly total?: number;
    /** By action name. An action that is not named has no limit of its own. */
    readonly actions?: { readonly [action: string]: number };
    /** By provider ID. A provider that is not named has no limit of its own. */
    readonly providers?: { readonly [provider: string]: number };
  };
  /** Milliseconds that a provider has to answer after it was told to stop; default 2,000. */
  readonly grace?: number;
  /**
   * Milliseconds for which a provider that cannot be asked is asked again what became of its work; then nobody knows.
   * 0..604,800,000, default 600,000.
   */
  readonly askFor?: number;
  /**
   * Appends kept evidence that settles a parked run as a recorded system resolution; default true. Evidence that was
   * kept while it was off waits for somebody's decision.
   */
  readonly adoptEvidence?: boolean;
  /** For simulations and tests. Without it a store that was given a clock (`capabilities.clock: "injected"`) is refused. */
  readonly clock?: HostClock;
  /** 0..1, without 1: spreads what several hosts do. Default `Math.random`. */
  readonly random?: () => number;
  /**
   * Makes names that nobody else has: the host's own, and those of the runs that it creates. At least 20 letters and
   * digits, the first 13 characters new each time. For simulations; default random UUIDs.
   */
  readonly newId?: () => string;
  /** Part of the name under which the store knows this host, for people: 1..64 printable ASCII characters. Default `host`. */
  readonly holder?: string;
  readonly log?: (entry: HostLogEntry) => void;
  /** Told of accepted commits, attempts and counts: what traces and metrics are made of. Default: nobody is. */
  readonly observe?: HostObserver;
}

/** Time as the host sees it; simulated in tests. */
export interface HostClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that never go back. */
  monotonic(): number;
  /** Calls back once after so many milliseconds, however many. The answer cancels it. */
  after(milliseconds: number, wake: () => void): () => void;
}

export interface HostLogEntry {
  readonly level: "info" | "warn" | "error";
  readonly code?: Code;
  readonly message: string;
  readonly run?: string;
  readonly data?: { readonly [key: string]: Json };
}

export interface StartOptions<Input = Json> {
  /** JSON that fits the workflow's `inputSchema`; default `null`. */
  readonly input?: Input;
  /**
   * 1..256 characters without NUL, else `request.invalid`. The same key with the same content gives the same run; with
   * other content `request.conflict`.
   */
  readonly startKey?: string;
  /**
   * W3C trace context of the caller, kept in the run: spans of every host that serves it belong to that trace. Another
   * one under the same start key is no conflict; the first counts. Else `request.invalid`.
   */
  readonly traceparent?: string;
}

/** The input of a workflow as its definition types it, else any JSON. Read by its form: see `TypedDefinition`. */
export type InputTo<Workflow> = Workflow extends { readonly "~types"?: { readonly input: infer Input } }
  ? unknown extends Input
    ? Json
    : Input
  : Json;

export interface RunHandle {
  readonly id: string;
  /**
   * Waits for a terminal state and never changes anything. Whole: the control plane masks what the definition marks as
   * sensitive, this handle is the embedding program's own. Throws `answer.timeout` after `timeout` milliseconds (default:
   * none), `run.not-found`, `host.stopped`.
   */
  result(options?: ResultOptions): Promise<RunResult>;
}

export interface Host {
  /** The current incarnation. */
  readonly holder: string;
  readonly control: Control;
  /**
   * Validated by the model, bound, pinned and durably created before it resolves. Throws `definition.invalid`,
   * `binding.missing`, `input.invalid`, `request.conflict`: then no run exists. The input of a workflow that
   * `defineWorkflow` typed is held to its type.
   */
  start<Workflow>(definition: Workflow, options?: StartOptions<InputTo<Workflow>>): Promise<RunHandle>;
  run(id: string): RunHandle;
  /**
   * Begins nothing further, waits up to `drain` milliseconds (default 5,000) for attempts under way, tells the rest to
   * stop, ends the lease. Twice is once.
   */
  close(options?: { readonly drain?: number }): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The control plane on a store: works beside a host, in another process, or with none. */
export type Control = ControlService;

export interface ControlOptions {
  readonly store: Store;
  readonly models: readonly ExecutionModel[];
  readonly clock?: HostClock;
  /** Milliseconds between two looks for an answer; default 25. */
  readonly poll?: number;
  /** As `HostOptions.newId`, for the runs that are created here. */
  readonly newId?: () => string;
  /** Asked before anything is read. Default: everybody may do everything. */
  readonly authorize?: Authorize;
}
