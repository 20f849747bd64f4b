/**
 * A store as a test host sees it: every call counts as something that happens, instants at which stored things come due
 * are remembered, and a lease ends only when the test says that its host died.
 */
import type { Item, Store } from "@swl/store-provider";

/** Milliseconds, some 3,000 years: skipping time must not make a host lose its lease. */
const FOREVER = 1e14;

export interface WatchedStore {
  readonly store: Store;
  /** Instants, earliest first, at which something stored came or comes due. Some may be over: they do no harm. */
  readonly instants: Instants;
  /** From now on no call is made and no answer arrives: what a dead process sees. */
  kill(): void;
}

/** A small sorted set of instants. */
export class Instants {
  #all: number[] = [];

  add(instant: number): void {
    let index = this.#all.length;
    while (index > 0 && (this.#all[index - 1] as number) > instant) index -= 1;
    if (this.#all[index - 1] !== instant) this.#all.splice(index, 0, instant);
  }

  /** The earliest one after this; those before it are forgotten. */
  after(instant: number): number | undefined {
    const index = this.#all.findIndex((one) => one > instant);
    this.#all = index < 0 ? [] : this.#all.slice(index);
    return this.#all[0];
  }
}

export function watchStore(
  inner: Store,
  instants: Instants,
  clock: { now(): number; touch(): void },
): WatchedStore {
  let dead = false;
  const never = new Promise<never>(() => undefined);
  const around = async <T>(call: () => Promise<T>): Promise<T> => {
    if (dead) return never;
    clock.touch();
    try {
      const answer = await call();
      return dead ? never : answer;
    } finally {
      clock.touch();
    }
  };
  const special: Partial<Store> = {
    append: (items) => around(() => inner.append(items).then((answers) => remember(items, answers))),
    openHolder: (holder, options) => around(() => inner.openHolder(holder, { ...options, lease: FOREVER })),
    renewHolder: (holder) => around(() => inner.renewHolder(holder, FOREVER)),
    unclaim: (holder, work, options) => {
      instants.add(clock.now() + (options?.delay ?? 0));
      return around(() => inner.unclaim(holder, work, options));
    },
    watch: (listener) =>
      inner.watch((wakes) => {
        if (!dead) listener(wakes);
      }),
  };
  function remember<T>(items: readonly Item[], answers: T): T {
    for (const { dues = [], work = [] } of items) {
      for (const { at } of dues) if (at !== null) instants.add(at);
      for (const { delay } of work) if (delay > 0) instants.add(clock.now() + delay);
    }
    return answers;
  }
  const store = new Proxy(inner, {
    get(target, name) {
      const own = special[name as keyof Store];
      if (own !== undefined) return own;
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== "function") return member;
      return (...given: unknown[]) => around(() => Reflect.apply(member, target, given) as Promise<unknown>);
    },
  });
  return {
    store,
    instants,
    kill() {
      dead = true;
    },
  };
}
