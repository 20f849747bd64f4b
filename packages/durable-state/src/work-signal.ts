/**
 * Who waits for work of which actions. The store's hints wake them; one look at the store's queues each interval, shared
 * by all who wait, finds what nobody hinted at. Hints only: whoever is woken asks the store. Spec: INV-worker-queue.
 */
import type { Store } from "@swl/store-provider";
import { partsOfQueue } from "./formats.js";
import type { HostClock } from "./host-types.js";

interface Waiting {
  readonly wanted: (queue: string) => boolean;
  readonly wake: () => void;
}

const PAGE = 200;

export class WorkSignal {
  readonly #store: Store;
  readonly #clock: HostClock;
  readonly #poll: number;
  readonly #waiting = new Set<Waiting>();
  readonly #unwatch: () => void;
  #looking = false;
  #closed = false;

  constructor(store: Store, clock: HostClock, poll: number) {
    this.#store = store;
    this.#clock = clock;
    this.#poll = poll;
    this.#unwatch = store.watch((wakes) => {
      if (this.#waiting.size === 0) return;
      for (const { kind, name } of wakes) if (kind === "work") this.#wake(name);
    });
  }

  get closed(): boolean {
    return this.#closed;
  }

  /**
   * The queues that have work of these actions for one of these providers. Asked before a wait, too: the watch of a
   * wait has begun when its store is asked.
   */
  async queues(actions: ReadonlySet<string>, providers: ReadonlySet<string>): Promise<readonly string[]> {
    const found: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = await this.#store.queues(PAGE, after);
      found.push(...page.filter((queue) => matches(queue, actions, providers)));
      if (page.length < PAGE) return found;
      after = page.at(-1);
    }
  }

  /** A wait that has begun: `woken` resolves at a hint, after so many milliseconds, or when the signal is aborted. */
  begin(
    actions: ReadonlySet<string>,
    providers: ReadonlySet<string>,
    milliseconds: number,
    signal?: AbortSignal,
  ): { readonly woken: Promise<void>; readonly end: () => void } {
    let end: () => void = () => undefined;
    const woken = new Promise<void>((resolve) => {
      const cancel = this.#clock.after(milliseconds, () => end());
      const waiting = { wanted: (queue: string) => matches(queue, actions, providers), wake: () => end() };
      end = () => {
        cancel();
        signal?.removeEventListener("abort", end);
        this.#waiting.delete(waiting);
        resolve();
      };
      signal?.addEventListener("abort", end, { once: true });
      this.#waiting.add(waiting);
      if (this.#closed || signal?.aborted) end();
    });
    this.#look();
    return { woken, end: () => end() };
  }

  close(): void {
    this.#closed = true;
    this.#unwatch();
    for (const { wake } of [...this.#waiting]) wake();
  }

  #look(): void {
    if (this.#looking || this.#closed || this.#waiting.size === 0) return;
    this.#looking = true;
    this.#clock.after(this.#poll, () => {
      void this.#found().finally(() => {
        this.#looking = false;
        this.#look();
      });
    });
  }

  async #found(): Promise<void> {
    try {
      for (let after: string | undefined; this.#waiting.size > 0; ) {
        const page = await this.#store.queues(PAGE, after);
        for (const queue of page) this.#wake(queue);
        if (page.length < PAGE) return;
        after = page.at(-1);
      }
    } catch {
      // A look that fails is repeated; a claim says what is wrong with the store.
    }
  }

  #wake(queue: string): void {
    for (const waiting of [...this.#waiting]) if (waiting.wanted(queue)) waiting.wake();
  }
}

function matches(queue: string, actions: ReadonlySet<string>, providers: ReadonlySet<string>): boolean {
  const { action, provider, asks } = partsOfQueue(queue);
  return !asks && actions.has(action) && providers.has(provider);
}
