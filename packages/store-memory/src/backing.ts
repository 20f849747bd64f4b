/**
 * What the memory store keeps: rows and the indexes over them. Every change of a row goes through here, so that no
 * index can miss it. Documents are bytes. One backing may be shared by several stores of one process: they are to each
 * other what two processes on one database are.
 */
import { type Changes, compareIds, createWakeHub, type Receipt, type StreamFacts } from "@swl/store-provider";
import { IndexMap, SortedIndex } from "./sorted-index.js";

export type RecordRow = Changes["records"][number];

export interface StreamRow {
  readonly name: string;
  /** Order of creation. */
  readonly sequence: number;
  facts: StreamFacts;
  /** Position before the first record. */
  readonly origin: number;
  readonly log: RecordRow[];
  readonly facets: Map<string, string>;
  readonly slots: Map<string, Uint8Array>;
  readonly dues: Map<string, DueRow>;
  readonly work: Set<WorkRow>;
  readonly notes: Map<string, { readonly document: Uint8Array; readonly at: number }>;
  readonly receipts: Set<Receipt>;
  /** Digests. */
  readonly pins: Set<string>;
}

export interface DueRow {
  readonly stream: StreamRow;
  readonly key: string;
  readonly at: number;
}

export interface WorkRow {
  readonly id: string;
  readonly stream: StreamRow;
  /** Order of insertion. */
  readonly sequence: number;
  readonly queue: string;
  readonly notBefore: number;
  readonly document: Uint8Array;
  readonly holder?: string;
  readonly until?: number;
  readonly withdraw: boolean;
}

const byName = (a: StreamRow, b: StreamRow) => compareIds(a.name, b.name);
const bySequence = (a: StreamRow, b: StreamRow) => a.sequence - b.sequence;
const byWorkId = (a: WorkRow, b: WorkRow) => compareIds(a.id, b.id);
const byAge = (a: WorkRow, b: WorkRow) => a.notBefore - b.notBefore || a.sequence - b.sequence;
const byInstant = (a: DueRow, b: DueRow) =>
  a.at - b.at || a.stream.sequence - b.stream.sequence || compareIds(a.key, b.key);

/** When the last record came, which for a closed stream is when it was closed. */
export const lastAt = (row: StreamRow) => row.log.at(-1)?.at ?? 0;
const byClosing = (a: StreamRow, b: StreamRow) => lastAt(a) - lastAt(b) || bySequence(a, b);

/** Name of a pair of IDs: no ID contains NUL. */
export const pair = (left: string, right: string) => `${left}\0${right}`;

export class Backing {
  readonly hub = createWakeHub();
  readonly streams = new Map<string, StreamRow>();
  readonly receipts = new Map<string, Receipt>();
  readonly blobs = new Map<string, Uint8Array>();
  /** Lease ends. */
  readonly holders = new Map<string, number>();
  readonly workById = new Map<string, WorkRow>();

  readonly byCreation = new SortedIndex(bySequence);
  readonly byFacet = new IndexMap(bySequence);
  /** Open streams without a hold that have records which no item has applied. */
  readonly unapplied = new SortedIndex(byName);
  readonly closed = new SortedIndex(byClosing);
  /** By digest: the streams that pin the blob. */
  readonly pinned = new IndexMap(bySequence);
  readonly owned = new IndexMap(byName);
  readonly due = new SortedIndex(byInstant);
  /** By queue: unheld, not withdrawn. */
  readonly claimable = new IndexMap(byAge);
  readonly held = new IndexMap(byWorkId);
  readonly withdrawn = new SortedIndex(byWorkId);
  #work = 0;

  createStream(name: string, origin: number, facts: StreamFacts): StreamRow {
    const [newest] = this.byCreation.downFrom();
    const row: StreamRow = {
      name,
      sequence: (newest?.sequence ?? 0) + 1,
      facts,
      origin,
      log: [],
      facets: new Map(),
      slots: new Map(),
      dues: new Map(),
      work: new Set(),
      notes: new Map(),
      receipts: new Set(),
      pins: new Set(),
    };
    this.streams.set(name, row);
    this.byCreation.add(row);
    this.#indexFacts(row);
    return row;
  }

  setFacts(row: StreamRow, facts: StreamFacts): void {
    if (row.facts.owner !== undefined) this.owned.delete(row.facts.owner, row);
    row.facts = facts;
    this.#indexFacts(row);
  }

  #indexFacts(row: StreamRow): void {
    const { owner, closed, hold, applied, position } = row.facts;
    if (owner !== undefined) this.owned.add(owner, row);
    if (!closed && hold === undefined && applied < position) this.unapplied.add(row);
    else this.unapplied.delete(row);
  }

  /** To be called when the closing record is in the log. */
  close(row: StreamRow): void {
    for (const left of [...row.work]) this.removeWork(left);
    for (const key of [...row.dues.keys()]) this.setDue(row, key, null);
    this.closed.add(row);
  }

  /** A closed stream with all that is its own, and the blobs that nothing else pins. */
  removeStream(row: StreamRow): void {
    this.streams.delete(row.name);
    this.byCreation.delete(row);
    this.closed.delete(row);
    for (const [label, value] of row.facets) this.byFacet.delete(pair(label, value), row);
    for (const { scope, request } of row.receipts) this.receipts.delete(pair(scope, request));
    for (const digest of row.pins) {
      this.pinned.delete(digest, row);
      if (this.pinned.get(digest) === undefined) this.blobs.delete(digest);
    }
  }

  addReceipt(row: StreamRow, receipt: Receipt): void {
    this.receipts.set(pair(receipt.scope, receipt.request), receipt);
    row.receipts.add(receipt);
  }

  pin(row: StreamRow, digest: string): void {
    row.pins.add(digest);
    this.pinned.add(digest, row);
  }

  setFacet(row: StreamRow, label: string, value: string): void {
    const before = row.facets.get(label);
    if (before !== undefined) this.byFacet.delete(pair(label, before), row);
    row.facets.set(label, value);
    this.byFacet.add(pair(label, value), row);
  }

  setDue(stream: StreamRow, key: string, at: number | null): void {
    const before = stream.dues.get(key);
    if (before !== undefined) this.due.delete(before);
    stream.dues.delete(key);
    if (at === null) return;
    const row = { stream, key, at };
    stream.dues.set(key, row);
    this.due.add(row);
  }

  addWork(row: Omit<WorkRow, "sequence">): void {
    this.#work += 1;
    this.#putWork({ ...row, sequence: this.#work });
  }

  replaceWork(before: WorkRow, after: WorkRow): void {
    this.removeWork(before);
    this.#putWork(after);
  }

  removeWork(row: WorkRow): void {
    this.workById.delete(row.id);
    row.stream.work.delete(row);
    if (row.holder !== undefined) this.held.delete(row.holder, row);
    else if (row.withdraw) this.withdrawn.delete(row);
    else this.claimable.delete(row.queue, row);
  }

  #putWork(row: WorkRow): void {
    this.workById.set(row.id, row);
    row.stream.work.add(row);
    if (row.holder !== undefined) this.held.add(row.holder, row);
    else if (row.withdraw) this.withdrawn.add(row);
    else this.claimable.add(row.queue, row);
  }
}
