/**
 * The exact in-memory store: the model that other stores are compared with. It keeps everything in this process and
 * forgets it with the process; every answer is the one the contract asks for. Spec: docs/spec/store-provider.md.
 */
import {
  type Answer,
  type ClaimOptions,
  type Codec,
  checkCount,
  checkId,
  checkIds,
  checkWhole,
  createDocuments,
  createGate,
  type Documents,
  isFailure,
  plainCodec,
  prepareBatch,
  refused,
  resolveLimits,
  type Store,
  type StoreInfo,
  type StoreLimits,
  storeError,
} from "@swl/store-provider";
import { appendItem } from "./append.js";
import { Backing, pair } from "./backing.js";
import * as holders from "./holders.js";
import * as queries from "./host-queries.js";
import { headOf, listStreams, notesOf, recordsFrom, stateOf, workOf, writeNote } from "./reads.js";

/** What several memory stores may share. Opaque. */
export interface MemoryBacking {
  readonly kind: "memory-backing";
}

export interface MemoryStoreOptions {
  /** Milliseconds since the epoch. Default `Date.now`. */
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
    capabilities: { durable: false, multiProcess: false, wakeUps: false },
  };
  const documents = createDocuments(codec, limits.documentBytes);
  const gate = createGate(info.name);
  const context: Context = { backing, documents, limits, clock, run: gate.run };
  return {
    info,
    ...streamMethods(context),
    ...noteMethods(context),
    ...holderMethods(context),
    ...hostMethods(context),
    now: () => gate.run(clock),
    close: () => gate.close(),
  };
}

interface Context {
  readonly backing: Backing;
  readonly documents: Documents;
  readonly limits: StoreLimits;
  readonly clock: () => number;
  readonly run: <T>(call: () => T) => Promise<T>;
}

function streamMethods({ backing, documents, limits, clock, run }: Context) {
  return {
    append: (items) =>
      run((): readonly Answer[] => {
        const prepared = prepareBatch(items, documents, limits);
        const now = clock();
        return prepared.map((entry) => (isFailure(entry) ? refused(entry) : appendItem(backing, entry, now)));
      }),
    head: (stream) =>
      run(() => {
        checkId("stream", stream);
        const row = backing.streams.get(stream);
        return row && headOf(row);
      }),
    load: (stream) =>
      run(() => {
        checkId("stream", stream);
        const row = backing.streams.get(stream);
        return row && stateOf(row, documents);
      }),
    read: (stream, { after = 0, limit = 1_000 } = {}) =>
      run(() => {
        checkId("stream", stream);
        checkWhole("after", after);
        checkCount("limit", limit);
        const row = backing.streams.get(stream);
        return row === undefined ? [] : recordsFrom(row, after + 1, limit, documents);
      }),
    list: ({ facets = {}, after, limit = 100 } = {}) =>
      run(() => {
        checkCount("limit", limit);
        if (after !== undefined) checkWhole("after", Number(after));
        const before = after === undefined ? Number.MAX_SAFE_INTEGER : Number(after);
        return listStreams(backing, facets, before, limit);
      }),
  } satisfies Partial<Store>;
}

function noteMethods({ backing, documents, clock, run }: Context) {
  return {
    blob: (digest) =>
      run(() => {
        checkId("digest", digest);
        const bytes = backing.blobs.get(digest);
        return bytes && documents.decode(bytes);
      }),
    receipt: (scope, request) =>
      run(() => {
        checkIds("scope and request", [scope, request]);
        return backing.receipts.get(pair(scope, request));
      }),
    note: (stream, event, document) =>
      run(() => {
        checkIds("stream and event", [stream, event]);
        const bytes = documents.encode(document);
        if (isFailure(bytes)) throw storeError(bytes.kind, bytes.message);
        return writeNote(backing.streams.get(stream), stream, event, bytes, clock());
      }),
    notes: (stream) =>
      run(() => {
        checkId("stream", stream);
        return notesOf(backing.streams.get(stream), documents);
      }),
  } satisfies Partial<Store>;
}

function holderMethods({ backing, documents, clock, run }: Context) {
  return {
    openHolder: (holder, { lease, exclusive }) =>
      run(() => {
        checkId("holder", holder);
        checkCount("lease", lease, Number.MAX_SAFE_INTEGER);
        return holders.openHolder(backing, holder, lease, exclusive, clock());
      }),
    renewHolder: (holder, lease) =>
      run(() => {
        checkId("holder", holder);
        checkCount("lease", lease, Number.MAX_SAFE_INTEGER);
        return holders.renewHolder(backing, holder, lease, clock());
      }),
    closeHolder: (holder) =>
      run(() => {
        checkId("holder", holder);
        holders.closeHolder(backing, holder);
      }),
    claim: (holder, options: ClaimOptions) =>
      run(() => {
        checkClaim(holder, options);
        return holders.claim(backing, holder, options, clock()).map((row) => workOf(row, documents));
      }),
    queues: (limit) =>
      run(() => {
        checkCount("limit", limit);
        return holders.claimableQueues(backing, limit, clock());
      }),
    held: (holder) =>
      run(() => {
        checkId("holder", holder);
        return holders.heldBy(backing, holder).map((row) => workOf(row, documents));
      }),
    unclaim: (holder, work, { delay = 0 } = {}) =>
      run(() => {
        checkIds("holder and work", [holder, ...work]);
        checkWhole("delay", delay);
        holders.unclaim(backing, holder, work, delay, clock());
      }),
    renewWork: (holder, work, lease) =>
      run(() => {
        checkIds("holder and work", [holder, ...work]);
        checkCount("lease", lease, Number.MAX_SAFE_INTEGER);
        return holders.renewWork(backing, holder, work, lease, clock());
      }),
  } satisfies Partial<Store>;
}

function checkClaim(holder: string, { queues, lease }: ClaimOptions): void {
  checkIds("holder and queue", [holder, ...queues.map((entry) => entry.queue)]);
  for (const { limit } of queues) checkWhole("limit", limit);
  if (lease !== undefined) checkCount("lease", lease, Number.MAX_SAFE_INTEGER);
}

function hostMethods({ backing, documents, clock, run }: Context) {
  return {
    unapplied: (limit, after) =>
      run(() => {
        checkCount("limit", limit);
        return queries.unapplied(backing, limit, after);
      }),
    orphaned: (limit, after) =>
      run(() => {
        checkCount("limit", limit);
        return queries.orphaned(backing, limit, after, clock());
      }),
    abandoned: (limit, after) =>
      run(() => {
        checkCount("limit", limit);
        return queries.abandoned(backing, limit, after, clock()).map((row) => workOf(row, documents));
      }),
    due: (limit, after = 0) =>
      run(() => {
        checkCount("limit", limit);
        checkWhole("after", after);
        return queries.due(backing, limit, after, clock()).map((row) => ({
          stream: row.stream.name,
          key: row.key,
          at: row.at,
        }));
      }),
  } satisfies Partial<Store>;
}
