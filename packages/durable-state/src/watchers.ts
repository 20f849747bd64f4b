/**
 * Who waits for a run to change or end inside this process. Hints only: every waiter also looks at the store itself.
 * A watch is opened before the first look, so that nothing falls between the look and the wait.
 */
import type { HostClock, RunResult } from "./host-types.js";

export class Watchers {
  readonly #open = new Map<string, Set<Watch>>();
  #stopped = false;

  get stopped(): boolean {
    return this.#stopped;
  }

  changed(run: string, result: RunResult | undefined): void {
    for (const watch of this.#open.get(run) ?? []) watch.changed(result);
  }

  open(run: string): Watch {
    const watches = this.#open.get(run) ?? new Set();
    this.#open.set(run, watches);
    const watch = new Watch(() => {
      watches.delete(watch);
      if (watches.size === 0) this.#open.delete(run);
    });
    watches.add(watch);
    return watch;
  }

  stop(): void {
    this.#stopped = true;
    for (const watches of this.#open.values()) for (const watch of watches) watch.changed(undefined);
  }
}

export class Watch {
  /** Closes the watch. Twice is once. */
  readonly close: () => void;
  result: RunResult | undefined;
  #changed = false;
  #wake: (() => void) | undefined;

  constructor(close: () => void) {
    this.close = close;
  }

  changed(result: RunResult | undefined): void {
    this.result ??= result;
    this.#changed = true;
    this.#wake?.();
  }

  /** Until the run changes (at once if it has since the last call), so many milliseconds pass, or the signal aborts. */
  next(clock: HostClock, milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        cancel();
        signal?.removeEventListener("abort", finish);
        this.#wake = undefined;
        this.#changed = false;
        resolve();
      };
      const cancel = clock.after(milliseconds, finish);
      this.#wake = finish;
      signal?.addEventListener("abort", finish, { once: true });
      if (this.#changed || signal?.aborted) finish();
    });
  }
}
