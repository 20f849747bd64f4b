/**
 * A store handle that can die like a process: from then on no call is made and no answer arrives, for ever. Or be
 * stalled like a stopped process: calls are made once it is resumed. Nothing is told to the host.
 */
import type { Store } from "@swl/store-provider";

export interface Mortal {
  readonly store: Store;
  readonly dead: boolean;
  kill(): void;
  stall(): void;
  resume(): void;
}

type Call = (...given: unknown[]) => Promise<unknown>;
type WakeListener = Parameters<Store["watch"]>[0];

/** Every method of the store through one function: what a fault injector needs. */
export function through(
  store: Store,
  around: (name: string, call: () => Promise<unknown>, given: unknown[]) => Promise<unknown>,
): Store {
  return new Proxy(store, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== "function" || typeof name !== "string") return member;
      // Listening is no call: it has no answer that could be lost.
      if (name === "watch") return member.bind(target);
      return (...given: unknown[]) => around(name, () => (member as Call).apply(target, given), given);
    },
  });
}

export function mortal(store: Store): Mortal {
  let dead = false;
  let stalled: Promise<void> | undefined;
  let wake: () => void = () => undefined;
  const never = new Promise<never>(() => undefined);
  const living = through(store, async (_name, call) => {
    if (dead) return never;
    if (stalled !== undefined) await stalled;
    if (dead) return never;
    const answer = await call();
    if (stalled !== undefined) await stalled;
    return dead ? never : answer;
  });
  const heard = (call: WakeListener): WakeListener => {
    return (wakes) => {
      if (!dead && stalled === undefined) call(wakes);
    };
  };
  return {
    store: new Proxy(living, {
      get: (target, name) =>
        name === "watch"
          ? (listener: WakeListener) => store.watch(heard(listener))
          : (Reflect.get(target, name) as unknown),
    }),
    get dead() {
      return dead;
    },
    kill() {
      dead = true;
      wake();
    },
    stall() {
      stalled ??= new Promise((resolve) => {
        wake = resolve;
      });
    },
    resume() {
      stalled = undefined;
      wake();
    },
  };
}
