/**
 * Who waits for a run to change or end inside this process. Hints only, of this process and of the store: every waiter
 * also looks at the store itself. A watch is opened before the first look, so that nothing falls between the look and
 * the wait. Spec: DUR-wake-ups.
 */
import { TurnoverMap } from "@swl/base";
import type { RunResult } from "@swl/invocation-control";
import type { Store } from "@swl/store-provider";
import type { HostClock } from "./host-types.js";

export class Watchers {
  readonly #store: Pick<Store, "watch">;
  readonly #open = new TurnoverMap<string, Set<Watch>>();
  /** The store is listened to only while somebody waits. */
  #unwatch: (() => void) | undefined;
  #stopped = false;

  constructor(store: Pick<Store, "watch">) {
    this.#store = store;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  changed(run: string, result: RunResult | undefined): void {
    this.#tell(run, result, result !== undefined);
  }

  /** `end`: woken only when the run may have ended. */
  open(run: string, what: "change" | "end" = "change"): Watch {
    this.#unwatch ??= this.#store.watch((wakes) => {
      for (const { kind, name } of wakes) if (kind !== "work") this.#tell(name, undefined, kind === "closed");
    });
    const watches = this.#open.get(run) ?? new Set();
    this.#open.set(run, watches);
    const watch = new Watch(what === "end", () => {
      watches.delete(watch);
      if (watches.size > 0 || this.#open.get(run) !== watches) return;
      this.#open.delete(run);
      if (this.#open.size === 0) this.#listenNoMore();
    });
    watches.add(watch);
    return watch;
  }

  stop(): void {
    this.#stopped = true;
    this.#listenNoMore();
    for (const watches of this.#open.values()) for (const watch of watches) watch.changed(undefined);
  }

  #tell(run: string, result: RunResult | undefined, ended: boolean): void {
    for (const watch of this.#open.get(run) ?? []) if (ended || !watch.onlyEnd) watch.changed(result);
  }

  #listenNoMore(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
  }
}

export class Watch {
  readonly onlyEnd: boolean;
  /** Closes the watch. Twice is once. */
  readonly close: () => void;
  result: RunResult | undefined;
  #changed = false;
  #wake: (() => void) | undefined;

  constructor(onlyEnd: boolean, close: () => void) {
    this.onlyEnd = onlyEnd;
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
