/**
 * What the store suite asks of a subject: an empty store of its own for every test, further handles on it, restarts and
 * crashes. What a store does not claim it need not offer; what it claims and does not offer fails. The suite owns the
 * time: the store reads the clock it is given. Spec: docs/spec/store-provider.md.
 */
import type { Codec, Store, StoreInfo } from "@swl/store-provider";
import type { Bench } from "./bench.js";

export interface OpenOptions {
  /** Milliseconds since the epoch; the suite moves it. A store that cannot take it says `clock: "store"`. */
  readonly clock: () => number;
  readonly codec?: Codec;
  readonly limits?: Partial<StoreInfo["limits"]>;
}

export interface OpenedStore {
  readonly store: Store;
  /** Another handle on the same storage, as another process would have. Owed by whoever claims `multiProcess`. */
  openPeer?(): Promise<Store>;
  /** Closes every handle and opens the storage again, as after a restart. Owed by whoever claims `durable`. */
  reopen?(): Promise<Store>;
  /**
   * Leaves every handle as a killed process does, calls under way as well: nothing is closed, ended or given back; and
   * opens the storage again. Owed by whoever claims `durable`.
   */
  crash?(): Promise<Store>;
  /** Spoils what is stored of this stream, past the contract: a record that is gone, bytes that are others. */
  damage?(stream: string): Promise<void>;
  /** Ends every handle and removes the storage. */
  dispose(): Promise<void>;
}

export interface StoreHarness {
  readonly name: string;
  open(options: OpenOptions): Promise<OpenedStore>;
  /**
   * A storage as an older version left it, with at least one open stream, opened with this version; for stores that
   * have had another format.
   */
  openOlder?(options: OpenOptions): Promise<OpenedStore>;
}

/** A runner as vitest, `node:test`, mocha and others are. */
export interface Runner {
  describe(name: string, body: () => void): unknown;
  /**
   * What the runner passes to the test, if anything, has `skip(reason)`: a test that does not apply uses it. Without it
   * such a test fails and says so, because it must not pass.
   */
  it(name: string, body: (context?: unknown) => Promise<void>): unknown;
  /** Default: the suite's own, which throws what is not equal. */
  readonly expect?: Expect;
}

export type Expect = (value: unknown) => { toEqual(expected: unknown): void };

/** What a test needs of a subject; without it the test does not apply. */
export type Need =
  /** A clock that the suite moves. */
  | "clock"
  /** A second handle. */
  | "peer"
  /** What was stored is there after a restart, and after a crash. */
  | "restart"
  /** Wake-ups that reach something. */
  | "wake-ups"
  /** A store that passes its documents through the codec that it is opened with. */
  | "codec"
  /** A declared limit for the documents of one item together. */
  | "item-bytes"
  | "damage"
  | "older";

/** One test: its name ends with the ID of the rule that it shows. */
export type StoreTest = readonly [
  name: string,
  run: (bench: Bench, expect: Expect) => Promise<void>,
  needs?: readonly Need[],
];

export interface StoreArea {
  readonly title: string;
  readonly tests: readonly StoreTest[];
}
