/**
 * Time for hosts. The store's clock decides leases; a host only estimates it, and corrects the estimate from every
 * answer that carries the store's time.
 */
import type { HostClock } from "./host-types.js";

/** The machine's clock. Sleeps longer than a timer can hold are cut into pieces. */
export const systemClock: HostClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(milliseconds, signal) {
    let left = milliseconds;
    while (left > 0 && !signal?.aborted) {
      const piece = Math.min(left, 2 ** 30);
      await pause(piece, signal);
      left -= piece;
    }
  },
};

function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    signal?.addEventListener("abort", finish, { once: true });
  });
}

/** The store's clock as this host estimates it. */
export class StoreClock {
  readonly #clock: HostClock;
  #offset = 0;

  constructor(clock: HostClock) {
    this.#clock = clock;
  }

  estimate(): number {
    return Math.round(this.#clock.now() + this.#offset);
  }

  correct(storeNow: number): void {
    this.#offset = storeNow - this.#clock.now();
  }
}
