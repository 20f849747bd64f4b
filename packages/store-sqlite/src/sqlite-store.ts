/**
 * The embedded durable store: one file, any number of processes of one machine. An accepted append has been synced to
 * the disk when its answer comes (WAL, synchronous=FULL); a batch is one transaction. Spec: docs/spec/store-provider.md.
 */
import { realpath } from "node:fs/promises";
import { basename, resolve } from "node:path";
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
  sharedWakeHub,
  storeError,
} from "@swl/store-provider";
import { appendItem } from "./append.js";
import { readBlob } from "./blobs.js";
import { check } from "./check.js";
import { type Database, type Driver, loadDriver } from "./driver.js";
import { toStoreError } from "./driver-errors.js";
import { dueNow, readDues } from "./dues.js";
import { checkStillThere, identityOf } from "./file-identity.js";
import * as holders from "./holders.js";
import { readLog } from "./log.js";
import { readNotes, writeNote } from "./notes.js";
import { checkStillCurrent, openFile } from "./open-file.js";
import { hasPrunable, prune } from "./prune.js";
import { findReceipt } from "./receipts.js";
import { createSession, type Session } from "./session.js";
import { readSlots } from "./slots.js";
import { stats } from "./stats.js";
import { findStream, headOf, listStreams, unappliedStreams } from "./streams.js";
import { abandonedWork, claimableQueues, readWork, workOfHolder, workOfStream } from "./work.js";

export interface SqliteStoreOptions {
  /** Path of the file; made when it is missing, in a folder that is there. */
  readonly file: string;
  /**
   * Milliseconds since the epoch: for tests and simulations (`capabilities.clock`); processes that share the file must
   * share it. Default `Date.now`.
   */
  readonly clock?: () => number;
  /** Default: bytes as they are. Every process must use the same one. */
  readonly codec?: Codec;
  readonly limits?: Partial<StoreLimits>;
  /** How long a wait for a lock may block this process, in milliseconds, 0..1,000. Default 5. */
  readonly busyTimeout?: number;
  /** How long a call waits for a lock altogether, in milliseconds, 0..600,000; then `store.unavailable`. Default 10,000. */
  readonly lockWait?: number;
  /**
   * What to do with a file of an older format: bring it forward, or refuse it as `store.incompatible` so that whoever
   * keeps the file does it when it suits (`swl store migrate`). A new file is made either way. Default `auto`.
   */
  readonly migrate?: "auto" | "never";
  /**
   * A file on a network file system (NFS, SMB, sshfs and the like; known on Linux only) is refused as
   * `store.incompatible`: SQLite's locks do not hold there and the file gets damaged. `allow` where exactly one machine
   * ever opens it. Default `refuse`.
   */
  readonly network?: "refuse" | "allow";
}

/**
 * Opens or makes the file. Throws, and leaves the file as it is: `store.corrupt` (no SQLite database, or a damaged
 * one), `store.incompatible` (a newer version's, an older one with `migrate: "never"`, another application's, no plain
 * file, a network file system, a durability setting that does not hold, a Node without `node:sqlite`, a bad option),
 * `store.not-found` (no such folder), `store.unauthorized`, `store.unavailable` (locked).
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  return openWith(await loadDriver(), options);
}

/** The same on another driver. */
export async function openWith(driver: Driver, options: SqliteStoreOptions): Promise<Store> {
  const { file, clock = Date.now, codec = plainCodec, busyTimeout = 5, lockWait = 10_000 } = options;
  if (typeof file !== "string" || file === "" || file === ":memory:") {
    throw storeError("incompatible", "The option file must be the path of a file.");
  }
  checkRange("busyTimeout", busyTimeout, 1_000);
  checkRange("lockWait", lockWait, 600_000);
  const limits = resolveLimits(options.limits);
  const named = resolve(file);
  // SQLite keeps its log beside the file itself, not beside a link to it.
  const path = await realpath(named).catch(() => named);
  const info: StoreInfo = {
    name: `sqlite (${basename(named)})`,
    limits,
    capabilities: {
      durable: true,
      multiProcess: true,
      wakeUps: "process",
      clock: options.clock === undefined ? "store" : "injected",
      pooler: true,
    },
  };
  const patience = { name: info.name, lockWait };
  const { migrate = "auto", network = "refuse" } = options;
  checkChoice("migrate", migrate, ["auto", "never"]);
  checkChoice("network", network, ["refuse", "allow"]);
  const database = await openFile({ driver, path, busyTimeout, patience, migrate, network }).catch(
    (error: unknown) => {
      throw toStoreError(info.name, error);
    },
  );
  const documents = createDocuments(codec, limits.documentBytes);
  const identity = identityOf(named);
  const context = {
    session: createSession(database, patience, (locked) => {
      checkStillThere(named, identity);
      checkStillCurrent(locked, path);
    }),
    documents,
    clock,
  };
  return assembleStore({
    info,
    documents,
    hub: sharedWakeHub(`sqlite ${identity ?? path}`),
    core: {
      ...streamCore(context),
      ...noteCore(context),
      ...holderCore(context),
      ...hostCore(context),
      ...keepingCore(context),
      now: clock,
      release: () => database.close(),
    },
  });
}

function checkRange(name: string, value: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= 0 && value <= most) return;
  throw storeError("incompatible", `The option ${name} must be a whole number from 0 to ${most}.`);
}

function checkChoice(name: string, value: string, choices: readonly string[]): void {
  if (choices.includes(value)) return;
  throw storeError("incompatible", `The option ${name} must be ${choices.join(" or ")}.`);
}

interface Context {
  readonly session: Session;
  readonly documents: Documents;
  readonly clock: () => number;
}

function streamCore({ session, documents, clock }: Context) {
  return {
    async append(items) {
      if (items.every(isFailure)) return items.map(refused);
      return session.write((database) => {
        const now = clock();
        return items.map((item) => (isFailure(item) ? refused(item) : appendItem(database, item, now)));
      });
    },
    head: (stream) =>
      session.read((database) => {
        const row = findStream(database, stream);
        return row && headOf(database, row);
      }),
    load: (stream) => session.read((database) => loadStream(database, stream, documents)),
    read: (stream, after, limit) =>
      session.read((database) => {
        const row = findStream(database, stream);
        return row === undefined ? [] : readLog(database, row.sid, after + 1, limit, documents);
      }),
    list: (facets, before = Number.MAX_SAFE_INTEGER, limit) =>
      session.read((database) => listStreams(database, facets, before, limit)),
  } satisfies Partial<StoreCore>;
}

function loadStream(database: Database, stream: string, documents: Documents) {
  const row = findStream(database, stream);
  if (row === undefined) return undefined;
  const [first] = readLog(database, row.sid, row.origin + 1, 1, documents);
  if (first === undefined) throw storeError("corrupt", `The log of ${stream} is empty.`);
  return {
    ...headOf(database, row),
    first,
    slots: readSlots(database, row.sid, documents),
    dues: readDues(database, row.sid),
    work: workOfStream(database, row.sid, documents),
    tail: readLog(database, row.sid, row.facts.applied, -1, documents),
  };
}

function noteCore({ session, documents, clock }: Context) {
  return {
    blob: (digest) => session.read((database) => readBlob(database, digest, documents)),
    receipt: (scope, request) => session.read((database) => findReceipt(database, scope, request)),
    note: (stream, event, document) =>
      session.write((database) => writeNote(database, stream, event, document, clock())),
    notes: (stream) => session.read((database) => readNotes(database, stream, documents)),
  } satisfies Partial<StoreCore>;
}

function holderCore({ session, documents, clock }: Context) {
  return {
    openHolder: (holder, lease, exclusive) =>
      session.write((database) => holders.openHolder(database, holder, lease, exclusive, clock())),
    renewHolder: (holder, lease) =>
      session.write((database) => holders.renewHolder(database, holder, lease, clock())),
    closeHolder: (holder) => session.write((database) => holders.closeHolder(database, holder)),
    async claim(holder, options) {
      const some = await session.read((database) => {
        const now = clock();
        holders.checkClaimant(database, holder, options, now);
        return holders.hasClaimable(database, options, now);
      });
      if (!some) return [];
      return session.write((database) => {
        const now = clock();
        holders.checkClaimant(database, holder, options, now);
        return holders.claim(database, holder, options, now).map((row) => readWork(row, documents));
      });
    },
    holders: (limit) => session.read((database) => holders.liveHolders(database, clock(), limit)),
    queues: (limit, after) => session.read((database) => claimableQueues(database, clock(), limit, after)),
    held: (holder) => session.read((database) => workOfHolder(database, holder, documents)),
    unclaim: (holder, work, delay) =>
      session.write((database) => holders.unclaim(database, holder, work, delay, clock())),
    renewWork: (holder, work, lease) =>
      session.write((database) => holders.renewWork(database, holder, work, lease, clock())),
  } satisfies Partial<StoreCore>;
}

function hostCore({ session, documents, clock }: Context) {
  return {
    unapplied: (limit, after = "") => session.read((database) => unappliedStreams(database, limit, after)),
    orphaned: (limit, after = "") =>
      session.read((database) => holders.orphanedStreams(database, clock(), limit, after)),
    abandoned: (limit, after = "") =>
      session.read((database) => abandonedWork(database, clock(), limit, after, documents)),
    due: (limit, after) => session.read((database) => dueNow(database, clock(), limit, after)),
  } satisfies Partial<StoreCore>;
}

function keepingCore({ session, documents, clock }: Context) {
  return {
    async prune(closedBefore, limit) {
      const some = await session.read((database) => hasPrunable(database, closedBefore));
      if (!some) return { streams: 0, records: 0, blobs: 0, more: false };
      return session.write((database) => prune(database, closedBefore, limit));
    },
    stats: () => session.read((database) => stats(database, clock())),
    check: (limit) => check(session, documents, limit),
  } satisfies Partial<StoreCore>;
}
