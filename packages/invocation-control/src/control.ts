/**
 * The control plane as an interface: what a binding offers, in whatever protocol, and what an embedding program calls.
 * Transport-free; knows neither store nor model. Spec: INV-operations.
 */
import type { Json } from "@swl/base";
import type { Authorize } from "./control-access.js";
import type { BulkAnswer, ControlAnswer, DryRun, Publication, PublishAnswer } from "./control-answers.js";
import type {
  BulkRequest,
  CancelRequest,
  ChangingOperation,
  CompleteRequest,
  ControlRequests,
  ListRequest,
  PublishRequest,
  ReadOptions,
  RedriveRequest,
  ReleaseRequest,
  ResolveRequest,
  ResultOptions,
  SignalRequest,
  StartRequest,
  TerminateRequest,
  UpdateRequest,
  WaitOptions,
} from "./control-requests.js";
import type {
  ControlPage,
  EdgeView,
  Explanation,
  HistoryEntry,
  RunResult,
  RunStatus,
  RunSummary,
  Verification,
} from "./control-views.js";

/**
 * Changing operations answer with how far they got; they throw `request.invalid` (the request is no such request),
 * `request.conflict` (its ID stands for another one), `run.not-found`, and `store.…` where the store could not be
 * asked. Reading operations throw `request.unauthorized` and `run.not-found`, and change nothing.
 */
export interface ControlService {
  /** Throws `definition.invalid` with its findings. */
  publish(request: PublishRequest): Promise<PublishAnswer>;
  /** What a name stands for now; undefined when nothing was published under it. */
  published(name: string): Promise<Publication | undefined>;
  /** Throws `definition.invalid`, `input.invalid`, `name.not-found`. The run waits for a host that can serve it. */
  start(request: StartRequest, options?: WaitOptions): Promise<ControlAnswer>;
  signal(request: SignalRequest, options?: WaitOptions): Promise<ControlAnswer>;
  update(request: UpdateRequest, options?: WaitOptions): Promise<ControlAnswer>;
  /** Says that an accepted operation completed or failed. */
  complete(request: CompleteRequest, options?: WaitOptions): Promise<ControlAnswer>;
  resolve(request: ResolveRequest, options?: WaitOptions): Promise<ControlAnswer>;
  cancel(request: CancelRequest, options?: WaitOptions): Promise<ControlAnswer>;
  terminate(request: TerminateRequest): Promise<ControlAnswer>;
  redrive(request: RedriveRequest, options?: WaitOptions): Promise<ControlAnswer>;
  release(request: ReleaseRequest, options?: WaitOptions): Promise<ControlAnswer>;
  /** What the operation would do now; writes nothing. */
  dryRun<O extends ChangingOperation>(operation: O, request: ControlRequests[O]): Promise<DryRun>;
  /** One operation on every run that a filter holds for, a portion a call. */
  bulk(request: BulkRequest): Promise<BulkAnswer>;

  status(run: string, options?: ReadOptions): Promise<RunStatus>;
  why(run: string, options?: ReadOptions): Promise<Explanation>;
  list(options?: ListRequest): Promise<ControlPage<RunSummary>>;
  /** The run's log without the values that actions took and gave, oldest first: what stands after a position (default 0). */
  history(
    run: string,
    options?: { readonly after?: number; readonly limit?: number } & ReadOptions,
  ): Promise<readonly HistoryEntry[]>;
  /** The edges taken, oldest first. */
  path(run: string): Promise<readonly EdgeView[]>;
  /** The pinned definition. */
  definition(run: string): Promise<Json>;
  /** Waits for the end and changes nothing. Throws `answer.timeout`, `run.parked` if so asked, `host.stopped`. */
  result(run: string, options?: ResultOptions): Promise<RunResult>;
  /** Folds the log anew, up to a position (default: all), and compares it with the states that were stored. */
  verify(run: string, options?: { readonly position?: number } & ReadOptions): Promise<Verification>;

  /** The same service for somebody whose rights are these alone. */
  as(authorize: Authorize): ControlService;
}
