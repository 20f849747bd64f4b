/**
 * Remote workers on a store: claims with a lease of their own, and settlements that are commits of the run under the
 * precondition that the claim is still held. Works beside hosts, in another process, or with none; whatever follows a
 * settlement becomes work, because nothing begins here. Spec: INV-worker-lease, INV-worker-settlement.
 */
import { isSwlError, SwlError } from "@swl/base";
import type { ExecutionModel } from "@swl/execution/model";
import type {
  Heartbeat,
  HeartbeatAnswer,
  RemoteTask,
  RemoteWork,
  SettlementAnswer,
  WorkClaim,
  WorkSettlement,
} from "@swl/invocation-control";
import type { Store, Work } from "@swl/store-provider";
import { randomId, StoreClock, systemClock } from "./clock.js";
import { Committer } from "./committer.js";
import { Definitions } from "./definitions.js";
import { commandOf, readCreated } from "./formats.js";
import { checkPoll, within } from "./host-options.js";
import type { HostClock, HostLogEntry } from "./host-types.js";
import { Newest } from "./newest.js";
import type { HostObserver } from "./observation.js";
import { Observing } from "./observing.js";
import { settleRemotely } from "./remote-settlement.js";
import { WorkSignal } from "./work-signal.js";

export interface RemoteWorkOptions {
  readonly store: Store;
  readonly models: readonly ExecutionModel[];
  /** IDs of the providers whose work is pulled; default `remote`. */
  readonly providers?: readonly string[];
  /** Appends kept evidence that settles a parked run as a recorded system resolution; default true. */
  readonly adoptEvidence?: boolean;
  /** Milliseconds that a worker has to answer after `attemptMs`; heartbeats beyond are refused. Default 2,000. */
  readonly grace?: number;
  /** Milliseconds between two looks for work that nobody hinted at; default 200. */
  readonly poll?: number;
  readonly clock?: HostClock;
  readonly log?: (entry: HostLogEntry) => void;
  /** As `HostOptions.newId`: a part of the names of commits that nobody else has. For simulations; default random UUIDs. */
  readonly newId?: () => string;
  /** As `HostOptions.observe`: what settlements of remote workers commit is seen by no host. */
  readonly observe?: HostObserver;
}

/** What a settlement needs of its surroundings. */
export interface RemoteCore {
  readonly store: Store;
  readonly definitions: Definitions;
  readonly committer: Committer;
  readonly storeClock: StoreClock;
  readonly adoptEvidence: boolean;
  readonly log: (entry: HostLogEntry) => void;
  readonly observing: Observing | undefined;
  readonly newId: () => string;
}

const MOST_HANDED = 100_000;

const LEASE = { least: 1_000, most: 3_600_000, usual: 30_000 };

/** Throws `host.option-invalid`. */
export function createRemoteWork(options: RemoteWorkOptions): RemoteWork {
  return new StoreRemoteWork(options);
}

class StoreRemoteWork implements RemoteWork {
  readonly #core: RemoteCore;
  readonly #clock: HostClock;
  readonly #providers: ReadonlySet<string>;
  readonly #grace: number;
  readonly #signal: WorkSignal;
  /** When an attempt must have answered, by our monotonic clock. Of those claimed or first heard of here. */
  readonly #deadlines = new Newest<number>(MOST_HANDED);
  /** Who was handed what: evidence is taken of nobody else. The oldest make room. */
  readonly #handed = new Newest<string>(MOST_HANDED);

  constructor(options: RemoteWorkOptions) {
    const { store, models, clock = systemClock, log = () => undefined } = options;
    const nonce = (options.newId ?? randomId)().replaceAll("-", "").slice(0, 12);
    let count = 0;
    this.#clock = clock;
    this.#providers = new Set(options.providers ?? ["remote"]);
    this.#grace = within("grace", options.grace ?? 2_000, 0, 3_600_000);
    this.#signal = new WorkSignal(store, clock, checkPoll(options.poll ?? 200));
    const observing = options.observe && new Observing(options.observe);
    this.#core = {
      store,
      definitions: new Definitions(store, models),
      committer: new Committer(store, clock, log, observing),
      storeClock: new StoreClock(clock),
      adoptEvidence: options.adoptEvidence ?? true,
      log,
      observing,
      newId: () => `remote-${nonce}.${++count}`,
    };
  }

  async claim(
    request: WorkClaim,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<readonly RemoteTask[]> {
    const holder = holderOf(request.worker);
    const limit = whole("limit", request.limit ?? 1, 1, 100);
    const lease = leaseOf(request.lease);
    const wait = whole("wait", request.wait ?? 0, 0, 60_000);
    const actions = new Set(request.actions);
    if (actions.size === 0 || actions.size > 1_000) throw invalid("actions must name 1 to 1,000 actions");
    const until = this.#clock.monotonic() + wait;
    for (;;) {
      const left = until - this.#clock.monotonic();
      const waiting = left > 0 ? this.#signal.begin(actions, this.#providers, left, signal) : undefined;
      try {
        const claimed = await this.#claimNow(holder, actions, limit, lease);
        if (claimed.length > 0 || waiting === undefined) return claimed;
        await waiting.woken;
        if (this.#signal.closed || signal?.aborted) return [];
      } finally {
        waiting?.end();
      }
    }
  }

  async heartbeat(request: Heartbeat): Promise<HeartbeatAnswer> {
    const holder = holderOf(request.worker);
    const lease = leaseOf(request.lease);
    const rows = new Map((await this.#core.store.held(holder)).map((work) => [work.id, work]));
    const asked = request.tasks.filter((task) => rows.has(task));
    const tasks = await this.#tasks(holder, [...asked.map((task) => rows.get(task)!)], lease, "hold");
    const held: string[] = [];
    for (const [span, ids] of this.#spans(tasks, lease)) {
      held.push(...(await this.#core.store.renewWork(holder, ids, span)));
    }
    const kept = new Set(held);
    const lost = request.tasks.filter((task) => !kept.has(task));
    for (const task of lost) this.#deadlines.delete(task);
    return { held, lost, stop: held.filter((task) => rows.get(task)?.withdraw === true) };
  }

  async settle(worker: string, settlements: readonly WorkSettlement[]): Promise<readonly SettlementAnswer[]> {
    const holder = holderOf(worker);
    const settling = settlements.map((one) =>
      settleRemotely(this.#core, holder, one, this.#handed.get(one.task) === holder),
    );
    const answers = await Promise.all(settling);
    for (const answer of answers) if (answer.kind !== "refused") this.#deadlines.delete(answer.task);
    return answers;
  }

  async held(worker: string, lease?: number): Promise<readonly RemoteTask[]> {
    const holder = holderOf(worker);
    const length = leaseOf(lease);
    const rows = await this.#core.store.held(holder);
    const tasks = await this.#tasks(holder, rows, length, "hold");
    const held = new Set<string>();
    for (const [span, ids] of this.#spans(tasks, length)) {
      for (const id of await this.#core.store.renewWork(holder, ids, span)) held.add(id);
    }
    return tasks.filter(({ task }) => held.has(task));
  }

  async release(worker: string, tasks: readonly string[]): Promise<void> {
    await this.#core.store.unclaim(holderOf(worker), tasks);
    for (const task of tasks) this.#deadlines.delete(task);
  }

  close(): void {
    this.#signal.close();
  }

  async #claimNow(
    holder: string,
    actions: ReadonlySet<string>,
    limit: number,
    lease: number,
  ): Promise<readonly RemoteTask[]> {
    const claimed: RemoteTask[] = [];
    for (const queue of await this.#signal.queues(actions, this.#providers)) {
      const left = limit - claimed.length;
      if (left <= 0) break;
      const works = await this.#core.store.claim(holder, { queues: [{ queue, limit: left }], lease });
      claimed.push(...(await this.#tasks(holder, works, lease, "give-back")));
    }
    const shorter = [...this.#spans(claimed, lease)].filter(([span]) => span < lease);
    for (const [span, ids] of shorter) await this.#core.store.renewWork(holder, ids, span);
    return claimed;
  }

  /** What the workers are told of each; what cannot be served here is given back for others, or left as it is held. */
  async #tasks(
    holder: string,
    works: readonly Work[],
    lease: number,
    unserved: "give-back" | "hold",
  ): Promise<readonly RemoteTask[]> {
    const tasks: RemoteTask[] = [];
    for (const work of works) {
      try {
        tasks.push(await this.#task(work, lease));
        this.#handed.set(work.id, holder);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        const code = isSwlError(error) ? error.code : "store.corrupt";
        this.#core.log({ level: "warn", code, run: work.stream, message });
        if (unserved === "give-back") await this.#core.store.unclaim(holder, [work.id], { delay: 5_000 });
      }
    }
    return tasks;
  }

  async #task(work: Work, lease: number): Promise<RemoteTask> {
    const command = commandOf(work);
    const [first] = await this.#core.store.read(work.stream, { limit: 1 });
    if (command === undefined || first === undefined) {
      throw new SwlError("store.corrupt", `Work ${work.id} is no attempt of a run.`);
    }
    const created = readCreated(first);
    const { requirements } = await this.#core.definitions.serve(created);
    const contract = requirements.actions.find(({ action }) => action === command.action);
    const { invocation, activation, action, attempt, input, parameters, idempotencyKey } = command;
    const attemptMs = contract?.attemptMs;
    const now = this.#clock.monotonic();
    if (attemptMs !== undefined && !this.#deadlines.has(work.id)) {
      this.#deadlines.set(work.id, now + attemptMs + this.#grace);
    }
    const left = (this.#deadlines.get(work.id) ?? Number.POSITIVE_INFINITY) - now;
    return {
      task: work.id,
      run: work.stream,
      invocation,
      activation,
      action,
      attempt,
      input,
      parameters,
      idempotencyKey,
      ...(created.trace !== undefined && { traceparent: created.trace }),
      effect: contract?.effect ?? "unsafe",
      ...(attemptMs !== undefined && { attemptMs }),
      lease: Math.max(1, Math.min(lease, Math.floor(left))),
    };
  }

  /** Tasks by the lease that they may have: none beyond its attempt's time. One whose time is over is not renewed. */
  #spans(tasks: readonly RemoteTask[], lease: number): ReadonlyMap<number, readonly string[]> {
    const spans = new Map<number, string[]>();
    for (const { task, lease: allowed } of tasks) {
      const span = Math.min(lease, allowed);
      const deadline = this.#deadlines.get(task) ?? Number.POSITIVE_INFINITY;
      if (deadline > this.#clock.monotonic()) spans.set(span, [...(spans.get(span) ?? []), task]);
    }
    return spans;
  }
}

/** Never a name that a host could have: those have no slash before their nonce, and this one begins with one. */
function holderOf(worker: string): string {
  if (typeof worker === "string" && /^[\x21-\x7e]{1,128}$/.test(worker)) return `/worker/${worker}`;
  throw invalid("worker must be 1 to 128 printable ASCII characters without spaces");
}

function leaseOf(given: number | undefined): number {
  return whole("lease", given ?? LEASE.usual, LEASE.least, LEASE.most);
}

function whole(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw invalid(`${name} must be a whole number from ${least} to ${most}`);
}

function invalid(message: string): SwlError {
  return new SwlError("request.invalid", message);
}
