/**
 * Removes runs that are over and old enough, portion by portion, beside everything else. Only while this host's lease
 * runs, and never in step with other hosts of the store. A portion that fails is tried again later. Spec: DUR-retention.
 */
import { isSwlError } from "@swl/base";
import type { Store } from "@swl/store-provider";
import { sleep } from "./clock.js";
import type { HostClock, HostLogEntry } from "./host-types.js";
import type { Lease } from "./lease.js";

export interface RetentionOptions {
  readonly store: Store;
  readonly clock: HostClock;
  readonly lease: Pick<Lease, "running">;
  /** Milliseconds after the end of a run. */
  readonly closedRuns: number;
  readonly random: () => number;
  readonly log: (entry: HostLogEntry) => void;
}

/** Streams a portion: what a run waits for at most. */
const PORTION = 100;

/** Milliseconds between looks for old runs: a tenth of their time, within these bounds. */
const [SHORTEST, LONGEST] = [20, 60_000];

export class Retention {
  readonly #options: RetentionOptions;
  readonly #stop = new AbortController();
  #loop: Promise<void> | undefined;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  start(): void {
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { clock, closedRuns, random } = this.#options;
    const pause = Math.min(LONGEST, Math.max(SHORTEST, closedRuns / 10));
    for (let more = false; !this.#stop.signal.aborted; ) {
      await sleep(clock, (more ? SHORTEST : pause) * (0.5 + random()), this.#stop.signal);
      more = this.#stop.signal.aborted ? false : await this.#portion();
    }
  }

  /** True when there is more to remove. */
  async #portion(): Promise<boolean> {
    const { store, lease, closedRuns, log } = this.#options;
    if (!lease.running()) return false;
    try {
      // No estimate: a host's clock that was set forward would cost runs their time.
      const closedBefore = (await store.now()) - closedRuns;
      const { streams, more } = await store.prune({ closedBefore, limit: PORTION });
      if (streams > 0) log({ level: "info", message: `Removed ${streams} runs that had ended long ago.` });
      return more;
    } catch (error) {
      const code = isSwlError(error) ? error.code : "store.unavailable";
      const message = `Old runs could not be removed: ${String((error as Error).message)}`;
      log({ level: "warn", code, message });
      return false;
    }
  }
}
