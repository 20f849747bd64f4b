/**
 * The store contract. A store keeps JSON documents and knows nothing of workflows. Each stream is one append-only
 * log; appending at the next position is the only way to change it and the only concurrency control: position =
 * sequence = revision = fence order. Everything else a stream gets (slots, dues, work, receipts, facets) arrives with
 * an append, all or nothing. Spec: docs/spec/store-provider.md.
 *
 * Times are milliseconds since the epoch, by the store's clock. IDs are strings of 1..256 characters without NUL; work
 * IDs are unique in the whole store.
 */
import type { Json } from "@swl/base";
import type { StoreFailure } from "./failure.js";
import type { Pruned, PruneOptions, StoreFault, StoreStats } from "./keeping.js";

/** One document of the log. */
export interface RecordInput {
  /** What the writer calls it; the store only keeps it. 1..64 characters. */
  readonly kind: string;
  readonly document: Json;
}

export interface LogRecord extends RecordInput {
  readonly position: number;
  /** The commit ID of the item that brought it. */
  readonly commit: string;
  /** The store's clock at the commit. */
  readonly at: number;
  /** True on the last record of a host's item that applied every record up to and including it. */
  readonly applies: boolean;
}

/** Something to do that no live memory has begun: claimed in the store before it begins. */
export interface WorkInput {
  readonly id: string;
  readonly queue: string;
  /** Milliseconds from the commit, by the store's clock, before it may be claimed. 0 = at once. */
  readonly delay: number;
  readonly document: Json;
}

export interface Work {
  readonly id: string;
  readonly stream: string;
  readonly queue: string;
  readonly notBefore: number;
  readonly document: Json;
  /** The holder that claimed it. */
  readonly holder?: string;
  /** The claim's own lease end, when it was claimed with one; else the holder's lease counts. */
  readonly until?: number;
  /** An item marked it `withdraw`: nobody may claim it again. */
  readonly withdraw: boolean;
}

export interface ReceiptInput {
  /** A stream, or a name. */
  readonly scope: string;
  readonly request: string;
  /** Digest of the request's content: the same request ID with another digest is a conflict. */
  readonly digest: string;
}

export interface Receipt extends ReceiptInput {
  readonly stream: string;
  /** The position that the accepted request got. */
  readonly position: number;
  readonly at: number;
}

export type Precondition =
  /** The work exists and nobody holds it; else `claimed`, or `not-found` when it is gone. */
  | { readonly kind: "work-unclaimed"; readonly work: string }
  /** The work is held by this holder; else `lease-lost`. */
  | { readonly kind: "work-held"; readonly work: string; readonly holder: string }
  /** The due entry is there and its instant has come; else `not-found`. It is removed with the item. */
  | { readonly kind: "due-present"; readonly key: string }
  /** The stream's owner is this one and its lease has run out (or it is gone); else `claimed`. */
  | { readonly kind: "owner-expired"; readonly owner: string }
  /** The work is held by this holder and the claim's lease has run out (or the holder is gone); else `claimed`. */
  | { readonly kind: "work-expired"; readonly work: string; readonly holder: string };

/**
 * Everything that one stream gets at once. All or nothing. Checked in this order, the first hit is the answer:
 * well-formed (`incompatible`, or `quota` beyond a limit) → the same commit was accepted before (its first answer) →
 * receipts, in order (same digest: that receipt; other digest: `conflict`) → stream missing (`not-found`) or, with
 * `expect: 0`, present (`conflict`) → `closed` → `held` → `stale` → preconditions, in order → `pins`, in order
 * (`not-found`) → work IDs that exist (`conflict`) → leases → `clock-ahead`.
 * A faulty item is refused on its own; it never fails its batch. STO-item-checks.
 */
export interface Item {
  readonly stream: string;
  /** Unique in the stream. The same ID sent again with an item that was accepted gets the first answer, changes nothing. */
  readonly commit: string;
  /**
   * `0`: the stream must not exist and is created. `n > 0`: the last position is n. `next`: a foreign event, takes the
   * next free position of an existing stream; it must carry a receipt and may carry nothing else but `close`, `hold`
   * and `lift`; it stays unapplied until a later item `applies`.
   */
  readonly expect: number | "next";
  /** Only with `expect: 0`: the first record gets position `origin + 1` (an imported log goes on counting). Default 0. */
  readonly origin?: number;
  /** At least one. They get consecutive positions. */
  readonly records: readonly RecordInput[];
  /**
   * The writer's estimate of the store's clock with which it stamped the records; more than 5,000 ms ahead is
   * refused as `clock-ahead`.
   */
  readonly stamp: number;
  /** With a numbered `expect`: this item applies every record up to its own last one. */
  readonly applies?: boolean;
  /** Newest document of each key; `null` as document is a document, absent (`undefined`) removes the slot. */
  readonly slots?: readonly { readonly key: string; readonly document?: Json }[];
  /** `at: null` removes; an instant sets or replaces. */
  readonly dues?: readonly { readonly key: string; readonly at: number | null }[];
  readonly work?: readonly WorkInput[];
  /** Work of this stream that is over: removed, whoever holds it. An unknown ID is ignored. */
  readonly settled?: readonly string[];
  /** Work of this stream that nobody may claim again: given back, it shows up in `abandoned` without a holder. */
  readonly withdraw?: readonly string[];
  readonly receipts?: readonly ReceiptInput[];
  /** Labels for lists. Replaces the values of the named labels, keeps the others. */
  readonly facets?: { readonly [label: string]: string };
  /**
   * The holder of the stream's born-claimed work, or null for none; absent keeps it. Setting a holder whose lease has
   * run out is refused as `lease-lost`; replacing another owner whose lease runs is refused as `claimed`.
   */
  readonly owner?: string | null;
  /** Raises the stream's fence to the item's first position. Work rows are not touched by it. */
  readonly fence?: boolean;
  /** Sets a hold on a stream that has none. Under `quarantine` only foreign items, lifting and closing are accepted. */
  readonly hold?: Hold;
  /** Lifts exactly this hold; `held` when another one or none is there. */
  readonly lift?: Hold;
  /** The last record closes the stream: it refuses every later append. Its owner, dues and work are removed. */
  readonly close?: boolean;
  readonly require?: readonly Precondition[];
  /** Immutable documents by digest, shared by all streams; one that is there already is left alone. Pinned by the stream. */
  readonly blobs?: readonly { readonly digest: string; readonly document: Json }[];
  /**
   * Digests of blobs that are there already, or come with the item or an earlier one of the batch (else `not-found`),
   * and stay as long as the stream does. STO-pins.
   */
  readonly pins?: readonly string[];
}

/**
 * `quarantine`: foreign items are accepted and wait, host items are refused as `held`.
 * `export`: everything is refused as `held` but lifting it or closing.
 */
export type Hold = "quarantine" | "export";

export type Answer =
  | {
      readonly kind: "accepted";
      /** Position of the item's first and last record. */
      readonly first: number;
      readonly last: number;
      /** The store's clock at the commit. */
      readonly at: number;
      /** True when the same commit ID had been accepted before. */
      readonly repeated: boolean;
    }
  /** The request was accepted before with the same content: this is its first receipt; nothing was written. */
  | { readonly kind: "receipt"; readonly receipt: Receipt }
  | { readonly kind: "refused"; readonly failure: StoreFailure };

export interface StreamHead {
  readonly stream: string;
  /** Position of the last record. */
  readonly position: number;
  /** Last position applied by a host's item; 0 = none. */
  readonly applied: number;
  /** Position of the last record that raised the fence; 0 = none. */
  readonly fence: number;
  readonly owner?: string;
  readonly hold?: Hold;
  readonly closed: boolean;
  readonly facets: { readonly [label: string]: string };
  readonly createdAt: number;
}

/** All that is needed to go on with a stream. */
export interface StreamState extends StreamHead {
  /** The first record of the log. */
  readonly first: LogRecord;
  readonly slots: ReadonlyMap<string, Json>;
  readonly dues: ReadonlyMap<string, number>;
  readonly work: readonly Work[];
  /** The newest record that `applies`, and every record after it, in order; the whole log when none does. */
  readonly tail: readonly LogRecord[];
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Pass as `after` for the next page; absent at the end. */
  readonly next?: string;
}

export interface ListOptions {
  /** Only streams whose labels have exactly these values. */
  readonly facets?: { readonly [label: string]: string };
  readonly after?: string;
  /** 1..1,000, default 100. */
  readonly limit?: number;
}

export interface Note {
  readonly event: string;
  readonly document: Json;
  readonly at: number;
}

export type HolderAnswer =
  | { readonly kind: "held"; readonly until: number; readonly now: number }
  | { readonly kind: "lease-lost"; readonly now: number }
  /** With `exclusive`: another holder's lease runs until then. */
  | { readonly kind: "active"; readonly holder: string; readonly until: number; readonly now: number };

export interface ClaimOptions {
  readonly queues: readonly { readonly queue: string; readonly limit: number }[];
  readonly lease?: number;
}

export interface StoreInfo {
  /** For people: `sqlite (orders.db)`. */
  readonly name: string;
  readonly limits: {
    /** Bytes of one encoded document. */
    readonly documentBytes: number;
    readonly itemsPerBatch: number;
    readonly recordsPerItem: number;
    /** Bytes of all encoded documents of one item together; absent: nothing beyond the other limits. */
    readonly itemBytes?: number;
    /** Milliseconds. */
    readonly timeGranularity: number;
  };
  readonly capabilities: {
    readonly durable: boolean;
    readonly multiProcess: boolean;
    /** How far a wake-up reaches: nobody, this handle's and its process's other handles, or every handle anywhere. */
    readonly wakeUps: "none" | "process" | "everywhere";
    /** Who decides leases. `injected` is for simulations and tests: a host that serves for real refuses it. */
    readonly clock: "store" | "injected";
    /** Works through a pooler that gives a connection for one transaction only; for stores without connections true. */
    readonly pooler: boolean;
  };
  /**
   * Appends that are worth sending at the same time, where the store works elsewhere while its caller could prepare the
   * next one. Default 1. STO-capabilities.
   */
  readonly appendsAtOnce?: number;
}

/**
 * A hint that something may be there to do: never the only way to learn of it. May come late, twice or not at all. Only
 * items cause it: what comes by time, by lifting a hold from work, by work given back or a lease that ends is found by
 * looking.
 */
export interface Wake {
  /**
   * `records`: the stream has records that no item has applied. `work`: the queue has work that may be claimed at once.
   * `closed`: the stream was closed.
   */
  readonly kind: "records" | "work" | "closed";
  /** The stream, or the queue. */
  readonly name: string;
}

/**
 * Every method may throw an SwlError `store.<kind>` for the whole call. Reads are never stale against an append whose
 * answer this caller has received.
 */
export interface Store {
  readonly info: StoreInfo;

  /** One batch, at most one item a stream: each item accepted or refused on its own, answers in order. */
  append(items: readonly Item[]): Promise<readonly Answer[]>;

  /** Undefined when the stream does not exist. */
  head(stream: string): Promise<StreamHead | undefined>;
  load(stream: string): Promise<StreamState | undefined>;
  /** Records after a position, in order. `limit` 1..1,000, default 1,000. */
  read(
    stream: string,
    options?: { readonly after?: number; readonly limit?: number },
  ): Promise<readonly LogRecord[]>;
  /** Newest stream first. */
  list(options?: ListOptions): Promise<Page<StreamHead>>;
  blob(digest: string): Promise<Json | undefined>;
  receipt(scope: string, request: string): Promise<Receipt | undefined>;

  /** Written once per stream and event, outside the log, also on a closed or held stream. False: it was there. */
  note(stream: string, event: string, document: Json): Promise<boolean>;
  notes(stream: string): Promise<readonly Note[]>;

  /**
   * Opens a new holder, or refuses while another one's lease runs (`exclusive`). `lease` in milliseconds. The same
   * holder again, still live: `held`, lease renewed; run out: `lease-lost`.
   */
  openHolder(
    holder: string,
    options: { readonly lease: number; readonly exclusive: boolean },
  ): Promise<HolderAnswer>;
  /** Refused as `lease-lost` at or after the deadline: a lease that ran out is never resurrected. */
  renewHolder(holder: string, lease: number): Promise<HolderAnswer>;
  /** Holders whose lease runs, by name: who serves this store. */
  holders(limit: number): Promise<readonly { readonly holder: string; readonly until: number }[]>;
  /** Ends the lease. Claimed work and owned streams count as expired at once. */
  closeHolder(holder: string): Promise<void>;

  /**
   * Claims due, unheld, unmarked work of the queues, oldest first, of streams neither held nor closed. Without `lease`
   * the holder must be open and live (else `store.lease-lost` is thrown) and its lease counts; with `lease`
   * (milliseconds) each claim has its own and the holder is only a name.
   */
  claim(holder: string, options: ClaimOptions): Promise<readonly Work[]>;
  /**
   * The queues that have work which could be claimed now, by name, after the one named: what a host that knows no
   * names yet asks.
   */
  queues(limit: number, after?: string): Promise<readonly string[]>;
  /** Work that this holder has claimed: what a lost answer of `claim` had given. */
  held(holder: string): Promise<readonly Work[]>;
  /** Gives claimed work back unstarted, claimable after `delay` milliseconds (default 0). Work held by others is left alone. */
  unclaim(holder: string, work: readonly string[], options?: { readonly delay?: number }): Promise<void>;
  /** Renews claims that have their own lease. The IDs that were still held: the others are lost, for good. */
  renewWork(holder: string, work: readonly string[], lease: number): Promise<readonly string[]>;

  // What a host looks for, each one indexed query, in a stable order. Held and closed streams are left out.
  /** Streams with records that no item has applied. */
  unapplied(limit: number, after?: string): Promise<readonly string[]>;
  /** Streams whose owner's lease has run out. */
  orphaned(
    limit: number,
    after?: string,
  ): Promise<readonly { readonly stream: string; readonly owner: string }[]>;
  /** Claimed work whose lease has run out, and work marked `withdraw` that nobody holds. */
  abandoned(limit: number, after?: string): Promise<readonly Work[]>;
  /** Due entries whose instant has come, earliest first. `after`: leave out the first so many. */
  due(
    limit: number,
    after?: number,
  ): Promise<readonly { readonly stream: string; readonly key: string; readonly at: number }[]>;

  /**
   * Tells of what any handle that the wake-ups reach has committed, this one included, after the commit. A listener
   * that throws, or rejects, is left alone. The answer ends it; so does `close`. Throws `store.unavailable` after it. STO-wake-ups.
   */
  watch(listener: (wakes: readonly Wake[]) => void): () => void;

  /**
   * Removes one portion of what is over: records, slots, labels, receipts, notes and pins of closed streams, then blobs
   * that nothing pins any more. Names and requests are free again. Safe beside hosts and other prunes. STO-prune.
   */
  prune(options: PruneOptions): Promise<Pruned>;
  stats(): Promise<StoreStats>;
  /** Reads everything and says what a store of this contract would not have written: at most `limit` (default 100). STO-check. */
  check(limit?: number): Promise<readonly StoreFault[]>;

  /** The store's clock. */
  now(): Promise<number>;
  /** Waits for calls under way, then refuses further ones as `unavailable`. Twice is once. */
  close(): Promise<void>;
}

/**
 * Turns a document's bytes into what is stored and back: encryption, compression. Must round-trip exactly, and answer at
 * once: what is no `Uint8Array`, a promise of one too, counts as a failure. The bytes that it is given are its own.
 */
export interface Codec {
  readonly name: string;
  encode(bytes: Uint8Array): Uint8Array;
  decode(bytes: Uint8Array): Uint8Array;
}
