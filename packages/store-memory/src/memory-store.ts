/**
 * The exact in-memory store: the model that other stores are compared with. It keeps everything in this process and
 * forgets it with the process; every answer is the one the contract asks for. Spec: docs/spec/store-provider.md.
 */
import {
  assembleStore,
  type Codec,
  createDocuments,
  type Documents,
  isFailure,
  plainCodec,
  refused,
  resolveLimits,
  type Store,
  type StoreCore,
  type StoreInfo,
  type StoreLimits,
  storeError,
} from "@swl/store-provider";
import { appendItem } from "./append.js";
import { Backing, pair, type WorkRow } from "./backing.js";
import * as holders from "./holders.js";
import * as queries from "./host-queries.js";
import * as keeping from "./keeping.js";
import { headOf, listStreams, notesOf, recordsFrom, stateOf, workOf, writeNote } from "./reads.js";

/** What several memory stores may share. Opaque. */
export interface MemoryBacking {
  readonly kind: "memory-backing";
}

export interface MemoryStoreOptions {
  /** Milliseconds since the epoch: for tests and simulations (`capabilities.clock`). Default `Date.now`. */
  readonly clock?: () => number;
  /** Default: bytes as they are. */
  readonly codec?: Codec;
  readonly limits?: Partial<StoreLimits>;
  /** Opens on what another store of this process has; default: a new, empty one. */
  readonly backing?: MemoryBacking;
}

const backings = new WeakMap<MemoryBacking, Backing>();

/** Opened by two stores it is one database with two users; opened after a `close` it is a restart. */
export function createMemoryBacking(): MemoryBacking {
  const token: MemoryBacking = Object.freeze({ kind: "memory-backing" });
  backings.set(token, new Backing());
  return token;
}

/** Throws `store.incompatible` when an option is out of range or the backing is not one of ours. */
export function openMemoryStore(options: MemoryStoreOptions = {}): Store {
  const { clock = Date.now, codec = plainCodec, backing: token = createMemoryBacking() } = options;
  const backing = backings.get(token);
  if (backing === undefined) {
    throw storeError("incompatible", "The backing was not made by createMemoryBacking of this package.");
  }
  const limits = resolveLimits(options.limits);
  const info: StoreInfo = {
    name: "memory",
    limits,
    capabilities: {
      durable: false,
      multiProcess: false,
      wakeUps: "process",
      clock: options.clock === undefined ? "store" : "injected",
      pooler: true,
    },
  };
  const documents = createDocuments(codec, limits.documentBytes);
  const context = { backing, documents, clock };
  return assembleStore({
    info,
    documents,
    hub: backing.hub,
    core: { ...streamCore(context), ...holderCore(context), ...hostCore(context), ...keepingCore(context) },
  });
}

interface Context {
  readonly backing: Backing;
  readonly documents: Documents;
  readonly clock: () => number;
}

function streamCore({ backing, documents, clock }: Context) {
  return {
    append(items) {
      const now = clock();
      return items.map((item) => (isFailure(item) ? refused(item) : appendItem(backing, item, now)));
    },
    head(stream) {
      const row = backing.streams.get(stream);
      return row && headOf(row);
    },
    load(stream) {
      const row = backing.streams.get(stream);
      return row && stateOf(row, documents);
    },
    read(stream, after, limit) {
      const row = backing.streams.get(stream);
      return row === undefined ? [] : recordsFrom(row, after + 1, limit, documents);
    },
    list: (facets, before = Number.MAX_SAFE_INTEGER, limit) => listStreams(backing, facets, before, limit),
    blob(digest) {
      const bytes = backing.blobs.get(digest);
      return bytes && documents.decode(bytes);
    },
    receipt: (scope, request) => backing.receipts.get(pair(scope, request)),
    note: (stream, event, document) =>
      writeNote(backing.streams.get(stream), stream, event, document, clock()),
    notes: (stream) => notesOf(backing.streams.get(stream), documents),
  } satisfies Partial<StoreCore>;
}

function holderCore({ backing, documents, clock }: Context) {
  const read = (row: WorkRow) => workOf(row, documents);
  return {
    openHolder: (holder, lease, exclusive) => holders.openHolder(backing, holder, lease, exclusive, clock()),
    renewHolder: (holder, lease) => holders.renewHolder(backing, holder, lease, clock()),
    closeHolder: (holder) => holders.closeHolder(backing, holder),
    claim: (holder, options) => holders.claim(backing, holder, options, clock()).map(read),
    holders: (limit) => holders.liveHolders(backing, limit, clock()),
    queues: (limit, after) => holders.claimableQueues(backing, limit, after, clock()),
    held: (holder) => holders.heldBy(backing, holder).map(read),
    unclaim: (holder, work, delay) => holders.unclaim(backing, holder, work, delay, clock()),
    renewWork: (holder, work, lease) => holders.renewWork(backing, holder, work, lease, clock()),
  } satisfies Partial<StoreCore>;
}

function hostCore({ backing, documents, clock }: Context) {
  return {
    unapplied: (limit, after) => queries.unapplied(backing, limit, after),
    orphaned: (limit, after) => queries.orphaned(backing, limit, after, clock()),
    abandoned: (limit, after) =>
      queries.abandoned(backing, limit, after, clock()).map((row) => workOf(row, documents)),
    due: (limit, after) =>
      queries
        .due(backing, limit, after, clock())
        .map((row) => ({ stream: row.stream.name, key: row.key, at: row.at })),
  } satisfies Partial<StoreCore>;
}

function keepingCore({ backing, documents, clock }: Context) {
  return {
    prune: (closedBefore, limit) => keeping.prune(backing, closedBefore, limit),
    stats: () => keeping.stats(backing, clock()),
    check: (limit) => keeping.check(backing, documents, limit),
    now: clock,
    release() {},
  } satisfies Partial<StoreCore>;
}
