/** Who waits for a run to change or end inside this process. Hints only: every waiter also looks at the store itself. */
import type { RunResult } from "./host-types.js";

export class Watchers {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #results = new Map<string, RunResult>();
  #stopped = false;

  get stopped(): boolean {
    return this.#stopped;
  }

  changed(run: string, result: RunResult | undefined): void {
    const waiting = this.#waiting.get(run);
    if (waiting === undefined) return;
    if (result !== undefined) this.#results.set(run, result);
    this.#waiting.delete(run);
    for (const wake of waiting) wake();
  }

  /** The result that woke a waiter, if it was the end. */
  takeResult(run: string): RunResult | undefined {
    const result = this.#results.get(run);
    if (result !== undefined) queueMicrotask(() => this.#results.delete(run));
    return result;
  }

  /** Calls back once at the next change. Returns how to stop waiting. */
  onChange(run: string, wake: () => void): () => void {
    let waiting = this.#waiting.get(run);
    if (waiting === undefined) {
      waiting = new Set();
      this.#waiting.set(run, waiting);
    }
    waiting.add(wake);
    return () => {
      waiting.delete(wake);
      if (waiting.size === 0 && this.#waiting.get(run) === waiting) this.#waiting.delete(run);
    };
  }

  stop(): void {
    this.#stopped = true;
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const waiting of all) for (const wake of waiting) wake();
  }
}
