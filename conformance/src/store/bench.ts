/** One test's store, its time, and short words for what every test does. */
import type { Answer, Codec, Item, Store } from "@swl/store-provider";
import type { OpenedStore } from "./harness.js";

/** The start of every test's time. */
export const start = 1_700_000_000_000;

/** Stores other bytes than it is given; from some moment on it cannot decode what has the word `secret` in it. */
export class TestCodec implements Codec {
  readonly name = "test";
  /** What it was to encode, as text. */
  readonly seen: string[] = [];
  fails = false;

  encode(bytes: Uint8Array): Uint8Array {
    this.seen.push(new TextDecoder().decode(bytes));
    return turned(bytes);
  }

  decode(bytes: Uint8Array): Uint8Array {
    const plain = turned(bytes);
    if (this.fails && new TextDecoder().decode(plain).includes("secret"))
      throw new TypeError("The key is lost.");
    return plain;
  }
}

const turned = (bytes: Uint8Array) => bytes.map((byte) => byte ^ 0x55);

export class Bench {
  readonly opened: OpenedStore;
  readonly time: { now: number };
  /** Only for tests that need `codec`. */
  readonly codec: TestCodec;
  #commits = 0;

  constructor(opened: OpenedStore, time: { now: number }, codec: TestCodec) {
    this.opened = opened;
    this.time = time;
    this.codec = codec;
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

  /** A second handle; only for tests that need `peer`. */
  async peer(): Promise<Store> {
    return offered(await this.opened.openPeer?.());
  }

  /** Only for tests that need `restart`. */
  async reopen(): Promise<Store> {
    return offered(await this.opened.reopen?.());
  }

  /** Only for tests that need `restart`. */
  async crash(): Promise<Store> {
    return offered(await this.opened.crash?.());
  }
}

function offered(store: Store | undefined): Store {
  if (store === undefined) throw new TypeError("The test does not say what it needs.");
  return store;
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

/** Work of queue `q` that may be claimed at once. */
export function workOf(...ids: readonly string[]) {
  return ids.map((id) => ({ id, queue: "q", delay: 0, document: null }));
}

/** What claims everything of queue `q`. */
export const queues = [{ queue: "q", limit: 99 }];

export const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);

/** Unapplied and orphaned streams, abandoned work, streams with something due. */
export async function found(store: Store) {
  const orphaned = (await store.orphaned(99)).map((entry) => entry.stream);
  const due = (await store.due(99)).map((entry) => entry.stream);
  return [await store.unapplied(99), orphaned, idsOf(await store.abandoned(99)), due];
}

/** True as soon as it holds; false after so many milliseconds of real time. */
export async function soon(holds: () => boolean, patience: number): Promise<boolean> {
  const deadline = Date.now() + patience;
  while (!holds()) {
    if (Date.now() >= deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return true;
}
