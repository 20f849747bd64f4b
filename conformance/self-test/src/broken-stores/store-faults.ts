/**
 * Stores that break the contract in one place each: the exact memory store with one method falsified. The suite must
 * catch each of them by the test of the rule that it breaks, and by no other.
 */
import { failingStoreTests, type OpenOptions, type SuiteFailure } from "@swl/conformance/store";
import { createMemoryBacking, openMemoryStore } from "@swl/store-memory";
import type { Answer, Item, Store } from "@swl/store-provider";

/** Makes a false store of an honest one; called once for every handle. */
export type Falsify = (store: Store) => Partial<Store>;

export interface StoreFault {
  readonly name: string;
  readonly falsify: Falsify;
  /** Forgets everything on a restart. */
  readonly forgets?: boolean;
  /** The tests that must fail, and no others. */
  readonly caughtBy: readonly string[];
}

export async function runFault(fault: StoreFault): Promise<readonly SuiteFailure[]> {
  return failingStoreTests({
    name: fault.name,
    async open(options: OpenOptions) {
      const backing = createMemoryBacking();
      const open = async (shared = backing) =>
        falseStore(openMemoryStore({ ...options, backing: shared }), fault);
      return {
        store: await open(),
        openPeer: () => open(),
        reopen: () => open(fault.forgets === true ? createMemoryBacking() : backing),
        async dispose() {},
      };
    },
  });
}

function falseStore(store: Store, fault: StoreFault): Store {
  return { ...store, ...fault.falsify(store) };
}

/** Every item may be changed before the honest store has it. */
export function appending(store: Store, change: (item: Item) => Item): Partial<Store> {
  return { append: (items) => store.append(items.map(change)) };
}

/** Every answer may be changed after the honest store gave it. */
export function answering(
  store: Store,
  change: (answer: Answer, item: Item) => Answer | Promise<Answer>,
): Partial<Store> {
  return {
    async append(items) {
      const answers = await store.append(items);
      return Promise.all(answers.map((answer, index) => change(answer, items[index] as Item)));
    },
  };
}

/** Appends the changed item instead, when the honest store refused it for this reason. */
export function insisting(
  store: Store,
  kind: string,
  change: (item: Item) => Item | undefined | Promise<Item | undefined>,
): Partial<Store> {
  return answering(store, async (answer, item) => {
    const changed = isRefused(answer, kind) ? await change(item) : undefined;
    if (changed === undefined) return answer;
    const [other] = await store.append([changed]);
    return other ?? answer;
  });
}

export function isRefused(answer: Answer, kind: string): boolean {
  return answer.kind === "refused" && answer.failure.kind === kind;
}
