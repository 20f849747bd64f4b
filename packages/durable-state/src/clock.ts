/**
 * Time and chance for hosts. The store's clock decides leases; a host only estimates it, and corrects the estimate from every
 * answer that carries the store's time.
 */
import type { HostClock } from "./host-types.js";

/** No timer of the platform holds more than 2^31 - 1 milliseconds: longer ones are cut into pieces. */
const LONGEST = 2 ** 30;

/** The machine's clock. */
export const systemClock: HostClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(milliseconds, wake) {
    const end = performance.now() + milliseconds;
    let timer: ReturnType<typeof setTimeout>;
    const arm = (): void => {
      const left = Math.max(0, end - performance.now());
      timer = left > LONGEST ? setTimeout(arm, LONGEST) : setTimeout(wake, left);
    };
    arm();
    return () => clearTimeout(timer);
  },
};

/** Resolves after so many milliseconds, or as soon as the signal is aborted. */
export function sleep(clock: HostClock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      cancel();
      signal?.removeEventListener("abort", finish);
      resolve();
    };
    const cancel = clock.after(milliseconds, finish);
    signal?.addEventListener("abort", finish, { once: true });
  });
}

/** The current turn of the event loop is over: everything that followed at once has happened. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A name that nobody else has. */
export const randomId = (): string => globalThis.crypto.randomUUID();

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
