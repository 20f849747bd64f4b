/**
 * The attempts that a worker is at: each is stopped at its time, when its claim was lost, or when nobody wants it any
 * more; what its provider says within the grace is its answer, silence after it is unknown. One heartbeat for all.
 * Spec: INV-worker-lease, INV-attempt-timeout.
 */
import { isSwlError } from "@swl/base";
import type { ProviderAnswer, RemoteTask } from "@swl/invocation-control";
import type { WorkClient } from "./work-client.js";
import type { WorkerLogEntry } from "./worker.js";

export interface UnderWayOptions {
  readonly client: WorkClient;
  /** Milliseconds. */
  readonly lease: number;
  readonly grace: number;
  readonly log: (entry: WorkerLogEntry) => void;
}

const MOST_BEGUN = 10_000;

/** Why an attempt is this worker's no more, as far as a worker can know. */
export const notOurs = "its run had been canceled, terminated or ended, or others had taken the attempt over";

export class UnderWay {
  readonly #options: UnderWayOptions;
  /** Held until its settlement is in the log: the heartbeat keeps the claim until then. */
  readonly #held = new Map<string, { readonly run: string; readonly controller: AbortController }>();
  /** What this process has begun: an answer that comes late, or twice, begins nothing again. */
  readonly #begun = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #over = false;

  constructor(options: UnderWayOptions) {
    this.#options = options;
  }

  start(): void {
    this.#schedule();
  }

  end(): void {
    this.#over = true;
    clearTimeout(this.#timer);
  }

  /** False: this process has begun it before. */
  begin(task: string): boolean {
    if (this.#begun.has(task)) return false;
    this.#begun.add(task);
    if (this.#begun.size > MOST_BEGUN) this.#begun.delete(this.#begun.values().next().value!);
    return true;
  }

  hasBegun(task: string): boolean {
    return this.#begun.has(task);
  }

  settled(task: string): void {
    this.#held.delete(task);
  }

  stopAll(): void {
    for (const { controller } of this.#held.values())
      controller.abort(new DOMException("draining", "AbortError"));
  }

  /** Never rejects. */
  async answer(
    task: RemoteTask,
    invoke: (signal: AbortSignal) => Promise<ProviderAnswer>,
  ): Promise<ProviderAnswer> {
    const controller = new AbortController();
    this.#held.set(task.task, { run: task.run, controller });
    const out = (): void =>
      controller.abort(new DOMException("The attempt has run out of time.", "TimeoutError"));
    const timer =
      task.attemptMs === undefined ? undefined : setTimeout(out, Math.min(task.attemptMs, 2_147_483_647));
    let silent: ReturnType<typeof setTimeout> | undefined;
    const silence = new Promise<ProviderAnswer>((resolve) => {
      controller.signal.addEventListener("abort", () => {
        const message = `No answer within ${this.#options.grace} ms after the stop.`;
        const unknown = { kind: "unknown", reason: "attempt-timeout", message } as const;
        silent = setTimeout(() => resolve(unknown), this.#options.grace);
      });
    });
    try {
      return await Promise.race([called(invoke, controller.signal), silence]);
    } finally {
      clearTimeout(timer);
      clearTimeout(silent);
    }
  }

  #schedule(): void {
    if (this.#over) return;
    this.#timer = setTimeout(() => {
      void this.#beat().finally(() => this.#schedule());
    }, this.#options.lease / 3);
  }

  async #beat(): Promise<void> {
    const tasks = [...this.#held.keys()];
    if (tasks.length === 0) return;
    const { client, lease, log } = this.#options;
    try {
      const { lost, stop } = await client.heartbeat(tasks, lease);
      for (const task of lost) this.#stop(task, "The claim was lost");
      for (const task of stop) this.#stop(task, "Nobody wants the attempt any more");
    } catch (error) {
      const code = isSwlError(error) ? { code: error.code } : {};
      log({ level: "warn", ...code, message: `A heartbeat failed: ${(error as Error).message}` });
    }
  }

  #stop(task: string, why: string): void {
    const held = this.#held.get(task);
    if (held === undefined || held.controller.signal.aborted) return;
    const { run, controller } = held;
    this.#options.log({ level: "warn", message: `${why}, for ${notOurs}; it is told to stop.`, task, run });
    controller.abort(new DOMException(`${why}.`, "AbortError"));
  }
}

async function called(
  invoke: (signal: AbortSignal) => Promise<ProviderAnswer>,
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  try {
    return await invoke(signal);
  } catch (error) {
    const said = error instanceof Error ? error.message : "no error object";
    return {
      kind: "unknown",
      reason: "crash",
      message: `The provider broke its contract: ${said.slice(0, 500)}`,
    };
  }
}
