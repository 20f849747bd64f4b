/**
 * The door of a store: calls go through it until it is closed; closing waits for those under way and runs the release
 * once; afterwards every call is refused as `store.unavailable`. Spec: STO-store-close.
 */
import { storeError } from "./failure.js";

export interface Gate {
  /** Runs a call; what it throws, at once or later, becomes the rejection. */
  run<T>(call: () => T | Promise<T>): Promise<T>;
  /** Throws `store.unavailable` once `close` was called. */
  pass(): void;
  /** Twice is once: both wait for the same end. */
  close(release?: () => void | Promise<void>): Promise<void>;
}

export function createGate(name: string): Gate {
  const underWay = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  const pass = () => {
    if (closing !== undefined) throw storeError("unavailable", `The store ${name} is closed.`);
  };
  return {
    pass,
    async run<T>(call: () => T | Promise<T>): Promise<T> {
      pass();
      const answer = (async () => call())();
      underWay.add(answer);
      try {
        return await answer;
      } finally {
        underWay.delete(answer);
      }
    },
    close(release) {
      closing ??= (async () => {
        await Promise.allSettled(underWay);
        await release?.();
      })();
      return closing;
    },
  };
}
