/**
 * Stores that break the contract in one place each: the exact memory store with one method falsified. The suite must
 * catch each of them by the test of the rule that it breaks.
 */
import {
  failingStoreTests,
  type OpenedStore,
  type OpenOptions,
  type SuiteFailure,
  storeTests,
} from "@swl/conformance/store";
import { createMemoryBacking, openMemoryStore } from "@swl/store-memory";
import {
  type Answer,
  type FailureKind,
  failure,
  type Item,
  type Store,
  storeError,
} from "@swl/store-provider";

/** What all handles on one storage have in common: made by the first that asks. */
export type Shared = <T>(make: () => T) => T;

/** Makes a false store of an honest one; called once for every handle. */
export type Falsify = (store: Store, shared: Shared) => Partial<Store>;

export interface StoreFault {
  readonly name: string;
  readonly falsify: Falsify;
  /** What the store is opened with, in the place of what the suite asked for. */
  readonly options?: (options: OpenOptions) => OpenOptions;
  /** Forgets everything on a restart, or when an older format is brought forward. */
  readonly forgets?: "restart" | "older";
  /** Tests that must fail; others of their areas may. */
  readonly caughtBy: readonly string[];
}

/** What fails of the areas in which the fault must be caught. */
export function runFault(fault: StoreFault): Promise<readonly SuiteFailure[]> {
  const named = storeTests.filter(({ name }) => fault.caughtBy.includes(name));
  const areas = [...new Set(named.map(({ area }) => area))];
  return failingStoreTests(
    {
      name: fault.name,
      open: async (options) => openFalse(fault, options),
      async openOlder(options) {
        const older = createMemoryBacking();
        const before = openMemoryStore({ ...options, backing: older });
        const records = [{ kind: "k", document: 1 }];
        await before.append([{ stream: "run", commit: "c", expect: 0, stamp: 0, records }]);
        return openFalse(fault, options, fault.forgets === "older" ? createMemoryBacking() : older);
      },
    },
    fault.caughtBy.length === 0 ? {} : { areas },
  );
}

/** The memory survives here as files do: what the suite calls a restart opens the same backing again. */
function openFalse(fault: StoreFault, options: OpenOptions, backing = createMemoryBacking()): OpenedStore {
  const given = fault.options?.(options) ?? options;
  const made: unknown[] = [];
  const shared: Shared = <T>(make: () => T) => {
    if (made.length === 0) made.push(make());
    return made[0] as T;
  };
  const spoilt: string[] = [];
  let life = { over: false };
  const open = (from = backing): Store => {
    const honest = claiming(mortal(openMemoryStore({ ...given, backing: from }), life), spoilt);
    return { ...honest, ...fault.falsify(honest, shared) };
  };
  return {
    store: open(),
    openPeer: async () => open(),
    reopen: async () => open(fault.forgets === "restart" ? createMemoryBacking() : backing),
    async crash() {
      life.over = true;
      life = { over: false };
      return open();
    },
    damage: async (stream) => void spoilt.push(stream),
    async dispose() {},
  };
}

/** Says of itself what is true of a backing that survives, and finds the damage that memory cannot have. */
function claiming(store: Store, spoilt: readonly string[]): Store {
  const { info } = store;
  const capabilities = { ...info.capabilities, durable: true, multiProcess: true };
  return {
    ...store,
    info: { ...info, capabilities },
    async check(limit = 100) {
      const damage = spoilt.map((stream) => ({ stream, message: "A record is missing." }));
      return [...damage, ...(await store.check(limit))].slice(0, limit);
    },
  };
}

/** No call of a killed process does anything more. */
function mortal(store: Store, life: { readonly over: boolean }): Store {
  const entries = Object.entries(store).map(([name, member]) => {
    if (typeof member !== "function" || name === "watch") return [name, member] as const;
    const call = async (...input: readonly unknown[]) => {
      if (life.over) throw storeError("unavailable", "The process is gone.");
      return Reflect.apply(member, store, input) as unknown;
    };
    return [name, call] as const;
  });
  return Object.fromEntries(entries) as unknown as Store;
}

/** Every item may be changed before the honest store has it. */
export function appending(store: Store, change: (item: Item) => Item | Promise<Item>): Partial<Store> {
  return { append: async (items) => store.append(await Promise.all(items.map(change))) };
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

export function no(kind: FailureKind): Answer {
  return { kind: "refused", failure: failure(kind, "No.") };
}

/** Hides streams as if they were gone. */
export function hiding(store: Store, isGone: (stream: string) => boolean): Partial<Store> {
  return {
    head: async (stream) => (isGone(stream) ? undefined : store.head(stream)),
    load: async (stream) => (isGone(stream) ? undefined : store.load(stream)),
    async list(options) {
      const page = await store.list(options);
      return { ...page, items: page.items.filter((head) => !isGone(head.stream)) };
    },
  };
}
