/**
 * What the checks of a durable host ask of a subject: hosts opened over a store handle and a provider that the checks
 * own. The checks kill a host by letting its store handle die; they never reach into it.
 * Spec: docs/spec/durable-state.md.
 */
import type { Json } from "@swl/base";
import type { ExecutionModel } from "@swl/execution/model";
import type {
  CompleteRequest,
  ControlAnswer,
  ControlService,
  Provider,
  ResolveRequest,
  SignalRequest,
  UpdateRequest,
} from "@swl/invocation-control";
import type { Store } from "@swl/store-provider";

/** Time by which a storage and the hosts on it can go instead of the machine's. */
export interface CheckClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that never go back. */
  monotonic(): number;
  /** Calls back once after so many milliseconds. The answer cancels it. */
  after(milliseconds: number, wake: () => void): () => void;
}

/** Time that stands still until a check lets it pass. */
export interface CheckTime extends CheckClock {
  /** Lets everything happen that can happen now, then goes to the next instant at which something is to happen. */
  pass(): Promise<void>;
}

export interface HostSetting {
  readonly store: Store;
  readonly provider: Provider;
  /** Milliseconds; the checks keep it short. */
  readonly lease: number;
  /** Refuse to open, as `store.host-active`, while another host's lease runs. Else hosts share the store. */
  readonly exclusive: boolean;
  /** Attempts under way at once; absent: the host's own limit. */
  readonly concurrency?: number;
  /** Milliseconds after its end when a run is removed; absent: never. */
  readonly closedRuns?: number;
  /** Models to serve besides SWL's own. */
  readonly models?: readonly ExecutionModel[];
  /** Given where the storage has a `time`: the host goes by this. */
  readonly clock?: CheckClock;
}

export interface HostUnderTest {
  /** Its control plane, without limits of rights. */
  readonly control: ControlService;
  /** Resolves once the run is durably created. */
  start(definition: Json, options: { readonly input: Json; readonly startKey?: string }): Promise<string>;
  signal(request: SignalRequest): Promise<ControlAnswer>;
  resolve(request: ResolveRequest): Promise<ControlAnswer>;
  cancel(request: { readonly run: string; readonly requestId: string }): Promise<ControlAnswer>;
  update(request: UpdateRequest): Promise<ControlAnswer>;
  complete(request: CompleteRequest): Promise<ControlAnswer>;
  terminate(request: { readonly run: string; readonly requestId: string }): Promise<ControlAnswer>;
  release(request: { readonly run: string; readonly requestId: string }): Promise<ControlAnswer>;
  /** Waits for the end; rejects after `timeout` milliseconds. */
  result(run: string, timeout: number): Promise<{ readonly status: string; readonly output?: Json }>;
  why(
    run: string,
  ): Promise<{ readonly status: string; readonly blockers: readonly { readonly message: string }[] }>;
  /** As it is shown: `outstanding` of a terminated run is what it had under way. */
  status(run: string): Promise<{
    readonly status: string;
    readonly view?: { readonly status: string; readonly outstanding: readonly { readonly kind: string }[] };
  }>;
  /** `drain`: milliseconds that attempts under way have to end; default 50. */
  close(drain?: number): Promise<void>;
}

export interface HostStorage {
  /** A handle of its own on the same storage, as another process would have. */
  handle(): Promise<Store>;
  dispose(): Promise<void>;
  /** What the storage goes by, where that is not the machine's clock: crash points then take no time. */
  readonly time?: CheckTime;
}

export interface HostHarness {
  readonly name: string;
  /** Milliseconds that a check waits for what must come; absent: 30,000. Only who is broken is waited for so long. */
  readonly patience?: number;
  /** An empty storage. */
  storage(): Promise<HostStorage>;
  open(setting: HostSetting): Promise<HostUnderTest>;
}

export interface HostCheck {
  readonly rule: string;
  readonly title: string;
  /** Which of the eight mandatory failure tests it is, in the specification's words. */
  readonly mandatory?: string;
  /** What is broken, in words; empty when nothing is. */
  run(harness: HostHarness): Promise<readonly string[]>;
}
