/**
 * What the store suite asks of a subject: an empty store of its own for every test, a second handle on it for races,
 * and a restart. The suite owns the time: the store reads the clock it is given. Spec: docs/spec/store-provider.md.
 */
import type { Answer, Codec, Item, Store, StoreInfo } from "@swl/store-provider";

export interface OpenOptions {
  /** Milliseconds since the epoch; the suite moves it. */
  readonly clock: () => number;
  readonly codec?: Codec;
  readonly limits?: Partial<StoreInfo["limits"]>;
}

export interface OpenedStore {
  readonly store: Store;
  /** Another handle on the same storage, as another process would have. */
  openPeer(): Promise<Store>;
  /** Ends every handle and opens the storage again, as after a restart. */
  reopen(): Promise<Store>;
  /** Ends every handle and removes the storage. */
  dispose(): Promise<void>;
}

export interface StoreHarness {
  readonly name: string;
  open(options: OpenOptions): Promise<OpenedStore>;
}

export interface Runner {
  describe(name: string, body: () => void): void;
  it(name: string, body: () => Promise<void>): void;
  expect: Expect;
}

export type Expect = (value: unknown) => { toEqual(expected: unknown): void };

/** One test: its name ends with the ID of the rule that it shows. */
export type StoreTest = readonly [name: string, run: (bench: Bench, expect: Expect) => Promise<void>];

export interface StoreArea {
  readonly title: string;
  readonly tests: readonly StoreTest[];
}

/** The start of every test's time. */
export const start = 1_700_000_000_000;

/** One test's store and short words for what every test does. */
export class Bench {
  readonly opened: OpenedStore;
  readonly time: { now: number };
  #commits = 0;

  constructor(opened: OpenedStore, time: { now: number }) {
    this.opened = opened;
    this.time = time;
  }

  get store(): Store {
    return this.opened.store;
  }

  /** A host's item: one record, at the position expected. */
  item(stream: string, expect: number, more: Partial<Item> = {}): Item {
    this.#commits += 1;
    return {
      stream,
      commit: `commit-${this.#commits}`,
      expect,
      records: [{ kind: "event", document: { n: this.#commits } }],
      stamp: this.time.now,
      ...more,
    };
  }

  /** A foreign item: one record at the next position, with the receipt of its request. */
  foreign(stream: string, request: string, more: Partial<Item> = {}): Item {
    const receipts = [{ scope: stream, request, digest: `digest of ${request}` }];
    return { ...this.item(stream, 0, { receipts }), expect: "next", ...more };
  }

  /** Appends alone and says in few words what became of it. */
  async put(item: Item, store: Store = this.store): Promise<string> {
    const answers = await store.append([item]);
    return answers.map(inWords).join(", ");
  }

  /** Appends one batch; the answers in few words. */
  async batch(items: readonly Item[], store: Store = this.store): Promise<readonly string[]> {
    return (await store.append(items)).map(inWords);
  }

  /** A live holder. */
  async holder(name: string, lease = 1_000, store: Store = this.store): Promise<void> {
    await store.openHolder(name, { lease, exclusive: false });
  }
}

/** `accepted 1-2`, `accepted 1-2 again`, `receipt 1`, `refused stale`. */
export function inWords(answer: Answer): string {
  switch (answer.kind) {
    case "accepted":
      return `accepted ${answer.first}-${answer.last}${answer.repeated ? " again" : ""}`;
    case "receipt":
      return `receipt ${answer.receipt.position}`;
    case "refused":
      return `refused ${answer.failure.kind}`;
  }
}

/** The code that a call throws, or what it gave. */
export async function codeOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return { gave: await call };
  } catch (error) {
    return (error as { readonly code?: unknown }).code ?? String(error);
  }
}
