/**
 * What this host leaves to others, because it does not serve it or somebody else is at it: runs that it passes over for a
 * while, and work that it had claimed. Spec: DUR-recovery.
 */
import type { HostClock } from "./host-types.js";
import { Newest } from "./newest.js";

/** More are not remembered: then some are looked at a little too often. */
const MOST = 10_000;

export class PassedOver {
  readonly #clock: HostClock;
  readonly #until = new Map<string, number>();

  constructor(clock: HostClock) {
    this.#clock = clock;
  }

  /** True when it was not passed over before. */
  pass(run: string, milliseconds: number): boolean {
    if (this.#until.size >= MOST) this.#until.clear();
    const first = !this.#until.has(run);
    this.#until.set(run, this.#clock.monotonic() + milliseconds);
    return first;
  }

  has(run: string): boolean {
    return (this.#until.get(run) ?? 0) > this.#clock.monotonic();
  }

  delete(run: string): void {
    this.#until.delete(run);
  }
}

/** Milliseconds until work that is left to others can be claimed again: doubled each time that it comes back. */
const PAUSE = { first: 100, last: 5_000 };

/** Who is able to serve it has it soon; where nobody is, it is not passed around all the time. */
export class LaterEachTime {
  readonly #last = new Newest<number>(MOST);

  /** By milliseconds, the work that can be claimed again after so many. */
  delays(work: readonly string[]): ReadonlyMap<number, readonly string[]> {
    const delays = new Map<number, string[]>();
    for (const id of work) {
      const delay = Math.min(PAUSE.last, 2 * (this.#last.get(id) ?? PAUSE.first / 2));
      this.#last.set(id, delay);
      delays.set(delay, [...(delays.get(delay) ?? []), id]);
    }
    return delays;
  }
}
