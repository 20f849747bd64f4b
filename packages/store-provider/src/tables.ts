/**
 * What an author writes who builds on `createTableCore`: one small question or change a method, each of them one
 * statement of SQL, all on one transaction. Nothing here decides anything. What comes after `after` is compared by
 * code point (`compareIds`). Names and documents are well-formed. Spec: docs/spec/store-provider.md.
 */
import type { Changes } from "./changes.js";
import type { Work } from "./contract.js";
import type { StreamFacts } from "./decide.js";
import type { StoreStats } from "./keeping.js";

type Awaitable<T> = T | Promise<T>;
type Rows<T> = Awaitable<readonly T[]>;

/** A stream's row, with the number that stands for the stream in every other table. */
export interface TableStream {
  /** From 1, growing in the order of creation; free again when the stream is gone. */
  readonly id: number;
  readonly stream: string;
  /** Position before the first record. */
  readonly origin: number;
  readonly facts: StreamFacts;
}

export type TableRecord = Changes["records"][number];

export interface TableWork extends Omit<Work, "document"> {
  /** Of the stream. */
  readonly streamId: number;
  readonly document: Uint8Array;
}

export interface Tables {
  /** The store's clock, in milliseconds since the epoch. */
  now(): Awaitable<number>;

  // Streams
  stream(name: string): Awaitable<TableStream | undefined>;
  /** The stream's number. `closedAt`: when its last record came, for one that is closed. */
  addStream(stream: Omit<TableStream, "id">, closedAt: number | null): Awaitable<number>;
  setStream(id: number, facts: StreamFacts, closedAt: number | null): Awaitable<void>;
  /** With all rows that have its number, pins too. */
  removeStream(id: number): Awaitable<void>;
  /** Newest first, with numbers below `before` and exactly these labels. */
  listStreams(
    facets: readonly (readonly [label: string, value: string])[],
    before: number,
    limit: number,
  ): Rows<TableStream>;
  /** In order of number, after one of them. */
  streamsAfter(id: number, limit: number): Rows<TableStream>;
  /** Closed before an instant, those closed first at first. */
  streamsClosedBefore(instant: number, limit: number): Rows<TableStream>;
  facets(id: number): Rows<readonly [label: string, value: string]>;
  setFacet(id: number, label: string, value: string): Awaitable<void>;

  // Log and slots
  addRecords(id: number, records: readonly TableRecord[]): Awaitable<void>;
  /** In order, from a position on. */
  records(id: number, from: number, limit: number): Rows<TableRecord>;
  slots(id: number): Rows<readonly [key: string, document: Uint8Array]>;
  /** Undefined removes it. */
  setSlot(id: number, key: string, document: Uint8Array | undefined): Awaitable<void>;

  // Receipts, notes, blobs
  receipt(
    scope: string,
    request: string,
  ): Awaitable<
    | {
        readonly digest: string;
        readonly stream: string;
        readonly position: number;
        readonly at: number;
      }
    | undefined
  >;
  addReceipt(id: number, receipt: Changes["receipts"][number]): Awaitable<void>;
  receiptsOf(id: number): Rows<{ readonly request: string; readonly position: number }>;
  /** In the order in which they were written. */
  notes(id: number): Rows<{ readonly event: string; readonly document: Uint8Array; readonly at: number }>;
  addNote(id: number, event: string, document: Uint8Array, at: number): Awaitable<void>;
  blob(digest: string): Awaitable<Uint8Array | undefined>;
  addBlob(digest: string, document: Uint8Array): Awaitable<void>;
  removeBlob(digest: string): Awaitable<void>;
  /** In order of digest, after one of them. */
  blobsAfter(digest: string, limit: number): Rows<readonly [digest: string, document: Uint8Array]>;
  pins(id: number): Rows<string>;
  /** One that is there is left alone. */
  addPin(id: number, digest: string): Awaitable<void>;
  isPinned(digest: string): Awaitable<boolean>;

  // Dues and work
  dues(id: number): Rows<readonly [key: string, at: number]>;
  setDue(id: number, key: string, at: number | null): Awaitable<void>;
  work(id: string): Awaitable<TableWork | undefined>;
  /** In the order in which it was added. */
  workOf(streamId: number): Rows<TableWork>;
  heldBy(holder: string): Rows<TableWork>;
  addWork(streamId: number, work: Changes["work"][number]): Awaitable<void>;
  /** Holder, lease end, instant and mark are written; the rest never changes. */
  setWork(work: TableWork): Awaitable<void>;
  removeWork(id: string): Awaitable<void>;

  // Holders
  lease(holder: string): Awaitable<number | undefined>;
  setLease(holder: string, until: number): Awaitable<void>;
  /** Whose lease ends after this instant, by name. */
  liveHolders(now: number): Rows<{ readonly holder: string; readonly until: number }>;

  // What a host looks for, of streams neither held nor closed
  claimable(queue: string, now: number, limit: number): Rows<TableWork>;
  queues(now: number, limit: number, after: string): Rows<string>;
  unapplied(limit: number, after: string): Rows<string>;
  orphaned(
    now: number,
    limit: number,
    after: string,
  ): Rows<{ readonly stream: string; readonly owner: string }>;
  abandoned(now: number, limit: number, after: string): Rows<TableWork>;
  /** Earliest first. */
  due(
    now: number,
    limit: number,
    skip: number,
  ): Rows<{ readonly stream: string; readonly key: string; readonly at: number }>;

  stats(now: number): Awaitable<StoreStats>;
}
