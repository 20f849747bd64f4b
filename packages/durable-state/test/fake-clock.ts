/** Time that stands still until the test moves it. */
import type { HostClock } from "../src/index.js";

export class FakeClock implements HostClock {
  #now = 1_700_000_000_000;
  #timers: { readonly at: number; readonly wake: () => void }[] = [];

  now = (): number => this.#now;
  monotonic = (): number => this.#now;

  after = (milliseconds: number, wake: () => void): (() => void) => {
    const timer = { at: this.#now + milliseconds, wake };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };

  /** Moves time and lets everything that became due, and what follows from it, happen. */
  async advance(milliseconds: number): Promise<void> {
    this.#now += milliseconds;
    const due = this.#timers.filter((timer) => timer.at <= this.#now);
    this.#timers = this.#timers.filter((timer) => timer.at > this.#now);
    for (const timer of due) timer.wake();
    await settle();
  }
}

/** Lets promises that are ready run. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
