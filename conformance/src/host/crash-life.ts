/**
 * A host's life that ends before or after one of its calls, counted from its first: every call of its store handle and
 * of its provider. A call before which it dies is not made; of one after which it dies the answer never arrives. From
 * then on nothing that is left of it reaches the store, the world or the clock.
 */
import type { Provider } from "@swl/invocation-control";
import type { Store } from "@swl/store-provider";
import type { CheckClock } from "./harness.js";
import { mortal, through } from "./mortal.js";

/** `at`: from 1. */
export interface CrashPoint {
  readonly at: number;
  readonly when: "before" | "after";
}

export class Life {
  readonly store: Store;
  /** Fulfilled by the death. */
  readonly died: Promise<void>;
  /** Names of the calls so far, in order. */
  readonly calls: string[] = [];
  readonly #point: CrashPoint | undefined;
  readonly #mortal: ReturnType<typeof mortal>;
  #die: () => void = () => undefined;

  constructor(handle: Store, point: CrashPoint | undefined) {
    this.#point = point;
    this.#mortal = mortal(handle);
    this.died = new Promise((resolve) => {
      this.#die = resolve;
    });
    this.store = through(this.#mortal.store, (name, call) => this.#counted(name, call));
  }

  get dead(): boolean {
    return this.#mortal.dead;
  }

  kill(): void {
    this.#mortal.kill();
    this.#die();
  }

  provider(real: Provider): Provider {
    const { invoke, inspect, cancel } = real;
    return {
      ...real,
      invoke: (...given) => this.#counted("invoke", () => invoke(...given)),
      ...(inspect && { inspect: (...given) => this.#counted("inspect", () => inspect(...given)) }),
      ...(cancel && { cancel: (...given) => this.#counted("cancel", () => cancel(...given)) }),
    };
  }

  clock(time: CheckClock): CheckClock {
    const { now, monotonic } = time;
    const after: CheckClock["after"] = (milliseconds, wake) =>
      time.after(milliseconds, () => {
        if (!this.dead) wake();
      });
    return { now, monotonic, after };
  }

  async #counted<T>(name: string, call: () => Promise<T>): Promise<T> {
    const never = new Promise<never>(() => undefined);
    if (this.dead) return never;
    const number = this.calls.push(name);
    const mine = number === this.#point?.at;
    if (mine && this.#point?.when === "before") {
      this.kill();
      return never;
    }
    try {
      return await call();
    } finally {
      if (mine) this.kill();
      if (this.dead) await never;
    }
  }
}
