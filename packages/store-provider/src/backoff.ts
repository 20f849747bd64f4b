/**
 * Delays for trying again: doubling, with full jitter above a floor, up to a bounded total. Only numbers: the caller
 * waits and says how much time has gone by, so that it can be driven by a simulated clock.
 */
export interface BackoffOptions {
  /** First delay in milliseconds. Default 2. */
  readonly first?: number;
  /** No delay is longer than this, in milliseconds. Default 200. */
  readonly longest?: number;
  /** No delay is given once so much time has gone by, in milliseconds. Default 10,000. */
  readonly total?: number;
  /** 0 ≤ r < 1. Default `Math.random`. */
  readonly random?: () => number;
}

export interface Backoff {
  /** Milliseconds to wait, given the milliseconds since the first try; undefined: give up. */
  next(elapsed: number): number | undefined;
}

export function createBackoff(options: BackoffOptions = {}): Backoff {
  const { first = 2, longest = 200, total = 10_000, random = Math.random } = options;
  let ceiling = first;
  return {
    next(elapsed) {
      if (elapsed >= total) return undefined;
      const delay = ceiling / 2 + (ceiling / 2) * random();
      ceiling = Math.min(ceiling * 2, longest);
      return Math.min(delay, total - elapsed);
    },
  };
}
