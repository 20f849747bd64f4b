/** Token buckets by name: so many requests a second, with a burst. Bounded: the bucket unused longest makes room. */

export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

const MOST_BUCKETS = 10_000;

export class Buckets {
  readonly #limit: RateLimit;
  readonly #now: () => number;
  readonly #buckets = new Map<string, { left: number; at: number }>();

  /** `now`: milliseconds that never go back. */
  constructor(limit: RateLimit, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  /** False: the bucket is empty. */
  take(name: string): boolean {
    const bucket = this.#filled(name);
    if (bucket.left < 1) return false;
    bucket.left--;
    return true;
  }

  /** True when a take would be refused. */
  empty(name: string): boolean {
    return this.#filled(name).left < 1;
  }

  #filled(name: string): { left: number; at: number } {
    const { perSecond, burst } = this.#limit;
    const now = this.#now();
    const bucket = this.#buckets.get(name) ?? { left: burst, at: now };
    bucket.left = Math.min(burst, bucket.left + ((now - bucket.at) * perSecond) / 1_000);
    bucket.at = now;
    // Last in the map is used last.
    this.#buckets.delete(name);
    this.#buckets.set(name, bucket);
    if (this.#buckets.size > MOST_BUCKETS) {
      const [oldest] = this.#buckets.keys();
      this.#buckets.delete(oldest!);
    }
    return bucket;
  }
}
