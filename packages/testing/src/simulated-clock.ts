/**
 * Time that stands still until a test moves it. What is due on the way happens at its own instant, in order, and all
 * that follows from it is let happen before time goes on.
 */
import { SwlError } from "@swl/base";
import type { HostClock } from "@swl/durable-state";

interface Timer {
  readonly at: number;
  readonly wake: () => void;
  /** Time is not moved for it. */
  readonly idle: boolean;
}

/** Turns of the event loop in which nothing may happen before things count as settled. */
const QUIET_TURNS = 4;

export class SimulatedClock implements HostClock {
  #now: number;
  #timers: Timer[] = [];
  #touched = 0;

  /** `start`: milliseconds since the epoch; default 2024-01-01T00:00:00Z. */
  constructor(start: number = Date.UTC(2024, 0, 1)) {
    if (!Number.isSafeInteger(start) || start < 0) {
      throw new SwlError("request.invalid", "A simulated clock starts at a whole number of milliseconds.");
    }
    this.#now = start;
  }

  now = (): number => this.#now;
  monotonic = (): number => this.#now;

  after = (milliseconds: number, wake: () => void): (() => void) => {
    this.touch();
    return this.#add({ at: this.#in(milliseconds), wake, idle: false });
  };

  /** As `after`, for somebody who only looks whether something happened: no reason to stop at that instant. */
  idly = (milliseconds: number, wake: () => void): (() => void) =>
    this.#add({ at: this.#in(milliseconds), wake, idle: true });

  /** A whole millisecond, as every instant of this clock: stores keep no parts of one. */
  #in(milliseconds: number): number {
    return this.#now + Math.ceil(Math.max(0, milliseconds));
  }

  #add(timer: Timer): () => void {
    // Sorted by instant; of one instant the older timer first.
    let index = this.#timers.length;
    while (index > 0 && (this.#timers[index - 1] as Timer).at > timer.at) index -= 1;
    this.#timers.splice(index, 0, timer);
    return () => {
      const found = this.#timers.indexOf(timer);
      if (found >= 0) this.#timers.splice(found, 1);
    };
  }

  /** Instant of the earliest timer that is not idle; undefined when there is none. */
  get next(): number | undefined {
    return this.#timers.find(({ idle }) => !idle)?.at;
  }

  /** Something happened: settling waits on. For parts that work without timers, such as a store. */
  touch(): void {
    this.#touched += 1;
  }

  /** Lets everything that is ready happen, at the present instant. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; ) {
      const before = this.#touched;
      await new Promise((resolve) => setImmediate(resolve));
      quiet = this.#touched === before ? quiet + 1 : 0;
    }
  }

  /** Moves time, stopping at every timer on the way. Throws `request.invalid` for a time that goes back. */
  async advance(milliseconds: number): Promise<void> {
    if (!Number.isSafeInteger(milliseconds) || milliseconds < 0) {
      throw new SwlError("request.invalid", "Time is advanced by a whole number of milliseconds from 0.");
    }
    const end = this.#now + milliseconds;
    await this.settle();
    for (let next = this.next; next !== undefined && next <= end; next = this.next) await this.jump(next);
    await this.jump(end);
  }

  /** Moves time to an instant at once; every timer that came due meanwhile fires once, late. */
  async jump(instant: number): Promise<void> {
    await this.settle();
    this.#now = Math.max(this.#now, instant);
    this.#fire();
    await this.settle();
  }

  #fire(): void {
    const end = this.#timers.findIndex(({ at }) => at > this.#now);
    const due = this.#timers.splice(0, end < 0 ? this.#timers.length : end);
    for (const { wake } of due) wake();
  }
}
