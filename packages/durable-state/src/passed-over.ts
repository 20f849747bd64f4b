/** Runs that this host passes over for a while, because others are to serve them: looked at again when the time is over. */
import type { HostClock } from "./host-types.js";

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
