/**
 * A worker: pulls attempts of its provider's actions from a server, says that it is alive, and settles each attempt and
 * claims the next in one trip. What it held before a restart is not run again: nobody knows what became of it, unless
 * the provider can be told apart (`reattach`). Spec: INV-worker-lease, INV-worker-trips.
 */
import { isSwlError, SwlError } from "@swl/base";
import type { Provider, ProviderAnswer, RemoteTask } from "@swl/invocation-control";
import type { TransportOptions } from "../client/transport.js";
import { notOurs, UnderWay } from "./under-way.js";
import { WorkClient } from "./work-client.js";

export interface WorkerOptions extends TransportOptions {
  /** 1..60 printable ASCII characters, the same after a restart, and no other worker's. */
  readonly name: string;
  /** What does the work: functions (`inProcess`), or any other provider. */
  readonly provider: Provider;
  readonly actions: readonly string[];
  /** Attempts at once; default 1. */
  readonly concurrency?: number;
  /** Milliseconds that a claim lasts without a heartbeat; default 30,000. Heartbeats come three times as often. */
  readonly lease?: number;
  /** Milliseconds that the provider has to answer after it was told to stop; default 2,000. */
  readonly grace?: number;
  /** What became of an attempt that an earlier process of this name had claimed. Default: nobody knows. */
  readonly reattach?: (
    task: RemoteTask,
    options: { readonly signal: AbortSignal },
  ) => Promise<ProviderAnswer>;
  readonly log?: (entry: WorkerLogEntry) => void;
}

export interface WorkerLogEntry {
  readonly level: "info" | "warn" | "error";
  readonly code?: string;
  readonly message: string;
  /** The attempt, and the run that it is of. */
  readonly task?: string;
  readonly run?: string;
}

export interface Worker {
  /** Claims nothing further, waits for what is under way, tells it to stop after `drain` milliseconds (default 5,000). */
  close(options?: { readonly drain?: number }): Promise<void>;
  /** Resolves when it is closed; rejects with what makes going on useless (`server.unauthenticated`, …). */
  readonly ended: Promise<void>;
}

/** Milliseconds. */
const LONG_POLL = 20_000;
const LONGEST_PAUSE = 5_000;

export function createWorker(options: WorkerOptions): Worker {
  return new PullingWorker(options);
}

class PullingWorker implements Worker {
  readonly ended: Promise<void>;
  readonly #options: WorkerOptions;
  readonly #client: WorkClient;
  readonly #underWay: UnderWay;
  readonly #concurrency: number;
  readonly #lease: number;
  readonly #closing = new AbortController();
  #closed: Promise<void> | undefined;
  #failure: unknown;
  /** The answer of a claim was lost for good: something may be held that nobody here knows of. */
  #doubtful = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#concurrency = whole("concurrency", options.concurrency ?? 1, 1, 100);
    this.#lease = whole("lease", options.lease ?? 30_000, 1_000, 3_600_000);
    const lacking = options.actions.filter((action) => !options.provider.has(action));
    if (lacking.length > 0 || options.actions.length === 0) {
      throw new SwlError(
        "binding.invalid",
        `the provider does not have ${lacking.join(", ") || "any action"}`,
      );
    }
    this.#client = new WorkClient(options, options.name);
    this.#underWay = new UnderWay({
      client: this.#client,
      lease: this.#lease,
      grace: options.grace ?? 2_000,
      log: (entry) => this.#log(entry),
    });
    this.ended = this.#run();
    // Whoever does not look at `ended` is told by the log.
    this.ended.catch(() => undefined);
  }

  close({ drain = 5_000 }: { readonly drain?: number } = {}): Promise<void> {
    this.#closed ??= this.#close(drain);
    return this.#closed;
  }

  async #close(drain: number): Promise<void> {
    this.#closing.abort();
    const patience = setTimeout(() => this.#underWay.stopAll(), Math.min(drain, 2_147_483_647));
    await this.ended.catch(() => undefined);
    clearTimeout(patience);
  }

  async #run(): Promise<void> {
    this.#underWay.start();
    try {
      await this.#reattach();
      await Promise.all(Array.from({ length: this.#concurrency }, () => this.#lane()));
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#doubtful) await this.#giveBack().catch(() => undefined);
    } finally {
      this.#underWay.end();
    }
  }

  /** What a process of this name held before: settled as far as somebody can say. */
  async #reattach(): Promise<void> {
    const tasks = await this.#patiently(() => this.#client.held(this.#lease));
    await Promise.all(
      (tasks ?? []).map(async (task) => {
        const { reattach } = this.#options;
        this.#underWay.begin(task.task);
        const answer = await this.#underWay.answer(task, (signal) =>
          reattach === undefined ? lost(task) : reattach(task, { signal }),
        );
        await this.#patiently(() => this.#settle(task, answer, false), true);
      }),
    );
  }

  /**
   * One attempt after the other: settle and claim in one trip while there is work, wait for some when there is none.
   * After an answer that was lost the server is asked what it may have given us: it is ours, and has not begun.
   */
  async #lane(): Promise<void> {
    let doubt = false;
    const asking = async (ask: () => Promise<RemoteTask | undefined>): Promise<RemoteTask | undefined> => {
      doubt = true;
      const task = await ask();
      doubt = false;
      return task;
    };
    const claim = async (): Promise<RemoteTask | undefined> => {
      const found = doubt ? await this.#unbegun() : undefined;
      return found ?? asking(() => this.#claim());
    };
    let task: RemoteTask | undefined;
    while (!this.#closing.signal.aborted || task !== undefined) {
      if (task === undefined) {
        task = await this.#patiently(claim);
        if (task !== undefined && !this.#underWay.begin(task.task)) task = undefined;
        continue;
      }
      const current: RemoteTask = task;
      const { provider } = this.#options;
      const answer = await this.#underWay.answer(current, (signal) =>
        provider.invoke(current, { effect: current.effect }, { signal }),
      );
      task = await this.#patiently(() => {
        const more = !doubt && !this.#closing.signal.aborted;
        return more
          ? asking(() => this.#settle(current, answer, true))
          : this.#settle(current, answer, false);
      }, true);
      if (task !== undefined && !this.#underWay.begin(task.task)) task = undefined;
    }
    if (doubt) this.#doubtful = true;
  }

  async #unbegun(): Promise<RemoteTask | undefined> {
    const held = await this.#client.held(this.#lease);
    return held.find(({ task }) => !this.#underWay.hasBegun(task));
  }

  async #claim(): Promise<RemoteTask | undefined> {
    const [task] = await this.#client.claim(
      { actions: [...this.#options.actions], lease: this.#lease, wait: LONG_POLL },
      this.#closing.signal,
    );
    if (task === undefined || !this.#closing.signal.aborted) return task;
    await this.#client.release([task.task]);
    return undefined;
  }

  /** Nothing that was claimed and not begun is kept from others until its lease is over. */
  async #giveBack(): Promise<void> {
    const held = await this.#client.held(this.#lease);
    const unbegun = held.map(({ task }) => task).filter((task) => !this.#underWay.hasBegun(task));
    if (unbegun.length > 0) await this.#client.release(unbegun);
  }

  /** The next task, if one was asked for and there is one. */
  async #settle(task: RemoteTask, answer: ProviderAnswer, more: boolean): Promise<RemoteTask | undefined> {
    const claim = more ? { actions: [...this.#options.actions], lease: this.#lease } : undefined;
    const { run } = task;
    const { settled, tasks } = await this.#client.settle([{ run, task: task.task, answer }], claim);
    this.#underWay.settled(task.task);
    const [first] = settled;
    if (first?.kind === "refused") {
      this.#log({ level: "warn", code: first.code, message: first.message, task: task.task, run });
    } else if (first?.kind === "evidence") {
      const message = `The answer came when ${notOurs}: it moves nothing and is kept as evidence.`;
      this.#log({ level: "warn", message, task: task.task, run });
    }
    return tasks[0];
  }

  /**
   * Asks until there is an answer. What no repetition can change ends the worker. Undefined once it is closing, unless
   * what is asked must be said (`must`).
   */
  async #patiently<T>(ask: () => Promise<T>, must = false): Promise<T | undefined> {
    for (let pause = 100; ; pause = Math.min(LONGEST_PAUSE, pause * 2)) {
      try {
        return await ask();
      } catch (error) {
        const code = isSwlError(error) ? error.code : undefined;
        const closing = this.#closing.signal.aborted;
        if (closing && (!must || pause >= LONGEST_PAUSE)) return undefined;
        if (!closing || code !== undefined) {
          this.#log({ level: "warn", ...(code && { code }), message: (error as Error).message });
        }
        if (code !== undefined && hopeless.has(code)) {
          this.#failure ??= error;
          this.#closing.abort();
          return undefined;
        }
        await pausing(pause, must ? undefined : this.#closing.signal);
      }
    }
  }

  #log(entry: WorkerLogEntry): void {
    try {
      this.#options.log?.(entry);
    } catch {
      // A log that throws is its own affair.
    }
  }
}

const hopeless: ReadonlySet<string> = new Set([
  "server.unauthenticated",
  "request.unauthorized",
  "request.invalid",
  "server.route-unknown",
  "server.host-refused",
]);

/** The process that had it is gone: only its effect class says what may follow. */
async function lost(task: RemoteTask): Promise<ProviderAnswer> {
  return {
    kind: "unknown",
    reason: "crash",
    message: `The worker was restarted during attempt ${task.attempt}.`,
  };
}

function pausing(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    signal?.addEventListener("abort", finish, { once: true });
    if (signal?.aborted) finish();
  });
}

function whole(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new SwlError("request.invalid", `${name} must be a whole number from ${least} to ${most}`);
}
