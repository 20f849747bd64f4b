/**
 * Requests that come together are taken up portion by portion, in their order, and between two portions the event loop
 * turns: leases are renewed and batches sent while a crowd of any size is served. A lone request never waits.
 * Spec: DUR-admission.
 */
import { turn } from "./clock.js";

/** Taken up in one turn of the event loop: a store in this process answers each of them within it. */
const PORTION = 64;

export class Admission {
  #left = PORTION;
  #turning = false;
  #waiting: (() => void)[] = [];

  /** Undefined: at once. */
  enter(): Promise<void> | undefined {
    if (!this.#turning) void this.#turn();
    if (this.#left === 0) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#left -= 1;
    return undefined;
  }

  async #turn(): Promise<void> {
    this.#turning = true;
    do {
      await turn();
      const next = this.#waiting.splice(0, PORTION);
      this.#left = PORTION - next.length;
      for (const admit of next) admit();
    } while (this.#left < PORTION);
    this.#turning = false;
  }
}
