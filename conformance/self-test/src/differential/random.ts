/** Numbers that look random and are the same for the same seed, on every machine: what makes a difference repeatable. */

export class Random {
  #state: number;

  /** Numbers of one seed and one stream do not depend on those of another stream. */
  constructor(seed: number, stream = 0) {
    this.#state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(stream + 1, 0xc2b2ae35)) >>> 0;
    for (let turn = 0; turn < 4; turn++) this.#next();
  }

  /** A whole number from 0 to `below` − 1. */
  int(below: number): number {
    return Math.floor((this.#next() / 2 ** 32) * below);
  }

  /** True about once in so many times. */
  oneIn(times: number): boolean {
    return this.int(times) === 0;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(list.length)] as T;
  }

  /** Some of the list, in its order. */
  some<T>(list: readonly T[], times = 2): readonly T[] {
    return list.filter(() => this.oneIn(times));
  }

  /** mulberry32 */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }
}
