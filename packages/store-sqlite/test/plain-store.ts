/**
 * A stranger's store, as small as one can be: SQL for `Tables`, a transaction, and nothing else. It shows what
 * `createTableCore` leaves to an author, and that the suite passes on it. Columns have the names that `Tables` has. It
 * outlives its process, not a power cut: that would take `synchronous = FULL`.
 */
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import {
  assembleStore,
  type Codec,
  createBackoff,
  createDocuments,
  createTableCore,
  createTurns,
  plainCodec,
  resolveLimits,
  type Store,
  type StoreLimits,
  type StreamFacts,
  sharedWakeHub,
  storeError,
  type TableStream,
  type Tables,
  type TableWork,
} from "@swl/store-provider";

const schema = `
  CREATE TABLE IF NOT EXISTS streams (id INTEGER PRIMARY KEY, stream TEXT UNIQUE, origin INT, createdAt INT,
    position INT, applied INT, fence INT, owner TEXT, hold TEXT, closed INT, closedAt INT);
  CREATE TABLE IF NOT EXISTS facets (id INT, label TEXT, value TEXT, PRIMARY KEY (id, label));
  CREATE TABLE IF NOT EXISTS log (id INT, position INT, kind TEXT, "commit" TEXT, at INT, applies INT, document BLOB,
    PRIMARY KEY (id, position));
  CREATE TABLE IF NOT EXISTS slots (id INT, key TEXT, document BLOB, PRIMARY KEY (id, key));
  CREATE TABLE IF NOT EXISTS receipts (id INT, scope TEXT, request TEXT, digest TEXT, position INT, at INT,
    PRIMARY KEY (scope, request));
  CREATE TABLE IF NOT EXISTS notes (id INT, event TEXT, document BLOB, at INT, PRIMARY KEY (id, event));
  CREATE TABLE IF NOT EXISTS pins (id INT, digest TEXT, PRIMARY KEY (id, digest));
  CREATE TABLE IF NOT EXISTS blobs (digest TEXT PRIMARY KEY, document BLOB);
  CREATE TABLE IF NOT EXISTS dues (id INT, key TEXT, at INT, PRIMARY KEY (id, key));
  CREATE TABLE IF NOT EXISTS work (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE, streamId INT, queue TEXT,
    notBefore INT, document BLOB, holder TEXT, until INT, withdraw INT);
  CREATE TABLE IF NOT EXISTS holders (holder TEXT PRIMARY KEY, until INT);
`;
const perStream = ["streams", "facets", "log", "slots", "receipts", "notes", "pins"];
const selectWork = `SELECT w.id, w.streamId, s.stream, w.queue, w.notBefore, w.document, w.holder, w.until, w.withdraw
  FROM work w JOIN streams s ON s.id = w.streamId`;
const free = "w.holder IS NULL AND w.withdraw = 0 AND s.hold IS NULL";
const isOver = (holder: string) =>
  `NOT EXISTS (SELECT 1 FROM holders h WHERE h.holder = ${holder} AND h.until > ?)`;

export interface PlainOptions {
  readonly file: string;
  readonly clock?: () => number;
  readonly codec?: Codec;
  readonly limits?: Partial<StoreLimits>;
}

export function openPlainStore({ file, clock, codec = plainCodec, ...options }: PlainOptions): Store {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${schema}`);
  const limits = resolveLimits(options.limits);
  const documents = createDocuments(codec, limits.documentBytes);
  const tables = tablesOf(database, clock ?? Date.now);
  const inTurn = createTurns();
  const capabilities = { durable: true, multiProcess: true, wakeUps: "process", pooler: true } as const;
  return assembleStore({
    info: {
      name: "plain",
      limits,
      capabilities: { ...capabilities, clock: clock === undefined ? "store" : "injected" },
    },
    documents,
    hub: sharedWakeHub(`plain ${file}`),
    core: {
      ...createTableCore({
        documents,
        // One connection has one transaction.
        transact: (kind, work) => inTurn(() => transaction(database, kind, () => work(tables))),
      }),
      release: () => database.close(),
    },
  });
}

async function transaction<T>(database: DatabaseSync, kind: "read" | "write", work: () => Promise<T>) {
  await begin(database, kind === "write" ? "BEGIN IMMEDIATE" : "BEGIN");
  try {
    const value = await work();
    database.exec("COMMIT");
    return value;
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

/** Waits for other handles without blocking this process, in which some of them may be. */
async function begin(database: DatabaseSync, sql: string): Promise<void> {
  const backoff = createBackoff();
  const begun = performance.now();
  for (;;) {
    try {
      return database.exec(sql);
    } catch (error) {
      const delay = backoff.next(performance.now() - begun);
      if (delay === undefined) throw storeError("unavailable", "The database stayed locked.", error);
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
}

type Values = readonly SQLInputValue[];
type Row = Record<string, unknown>;

interface Access {
  /** Rows as objects without what is NULL; flags are booleans. */
  all<T>(sql: string, ...values: Values): T[];
  get<T>(sql: string, ...values: Values): T | undefined;
  /** Rows as lists of their columns. */
  lists<T>(sql: string, ...values: Values): T[];
  /** One column. */
  column<T>(sql: string, ...values: Values): T[];
  run(sql: string, ...values: Values): void;
}

function accessTo(database: DatabaseSync): Access {
  const rows = (sql: string, values: Values) => database.prepare(sql).all(...values) as Row[];
  const all = <T>(sql: string, ...values: Values) => rows(sql, values).map((row) => told(row) as T);
  const lists = <T>(sql: string, ...values: Values) =>
    rows(sql, values).map((row) => Object.values(row) as T);
  return {
    all,
    lists,
    get: <T>(sql: string, ...values: Values) => all<T>(sql, ...values)[0],
    column: <T>(sql: string, ...values: Values) => lists<[T]>(sql, ...values).map(([value]) => value),
    run: (sql, ...values) => void database.prepare(sql).run(...values),
  };
}

const flags = ["closed", "applies", "withdraw"];

function told(row: Row): unknown {
  const members = Object.entries(row).filter(([, value]) => value !== null);
  return Object.fromEntries(
    members.map(([name, value]) => [name, flags.includes(name) ? value === 1 : value]),
  );
}

function tablesOf(database: DatabaseSync, now: () => number): Tables {
  const access = accessTo(database);
  return {
    now,
    ...streamTables(access),
    ...documentTables(access),
    ...workTables(access),
    ...lookTables(access),
  };
}

const columns = ({ position, applied, fence, owner, hold, closed }: StreamFacts, closedAt: number | null) =>
  [position, applied, fence, owner ?? null, hold ?? null, closed ? 1 : 0, closedAt] as const;

type StreamRow = StreamFacts & Omit<TableStream, "facts"> & { readonly closedAt?: number };
const streamOf = ({ id, stream, origin, closedAt: _closedAt, ...facts }: StreamRow): TableStream => ({
  ...{ id, stream, origin, facts },
});

function streamTables({ all, column, lists, run }: Access) {
  const streams = (where: string, ...values: Values) =>
    all<StreamRow>(`SELECT * FROM streams s WHERE ${where}`, ...values).map(streamOf);
  return {
    stream: (name) => streams("stream = ?", name)[0],
    addStream({ stream, origin, facts }, closedAt) {
      const values = [stream, origin, facts.createdAt, ...columns(facts, closedAt)];
      const sql = "INSERT INTO streams VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id";
      return column<number>(sql, ...values)[0] as number;
    },
    setStream(id, facts, closedAt) {
      const sql = `UPDATE streams SET position = ?, applied = ?, fence = ?, owner = ?, hold = ?, closed = ?, closedAt = ?
        WHERE id = ?`;
      run(sql, ...columns(facts, closedAt), id);
    },
    removeStream(id) {
      for (const table of perStream) run(`DELETE FROM ${table} WHERE id = ?`, id);
    },
    listStreams(facets, before, limit) {
      const label = " AND EXISTS (SELECT 1 FROM facets f WHERE f.id = s.id AND f.label = ? AND f.value = ?)";
      const where = `id < ? ${label.repeat(facets.length)} ORDER BY id DESC LIMIT ?`;
      return streams(where, before, ...facets.flat(), limit);
    },
    streamsAfter: (id, limit) => streams("id > ? ORDER BY id LIMIT ?", id, limit),
    streamsClosedBefore: (instant, limit) =>
      streams("closedAt < ? ORDER BY closedAt, id LIMIT ?", instant, limit),
    facets: (id) => lists("SELECT label, value FROM facets WHERE id = ?", id),
    setFacet: (id, label, value) => run("REPLACE INTO facets VALUES (?, ?, ?)", id, label, value),
    dues: (id) => lists("SELECT key, at FROM dues WHERE id = ?", id),
    setDue(id, key, at) {
      if (at === null) run("DELETE FROM dues WHERE id = ? AND key = ?", id, key);
      else run("REPLACE INTO dues VALUES (?, ?, ?)", id, key, at);
    },
  } satisfies Partial<Tables>;
}

function documentTables({ all, column, get, lists, run }: Access) {
  return {
    addRecords(id, records) {
      for (const { position, kind, commit, at, applies, document } of records) {
        const values = [id, position, kind, commit, at, applies ? 1 : 0, document];
        run("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)", ...values);
      }
    },
    records(id, from, limit) {
      const sql = `SELECT position, kind, "commit", at, applies, document FROM log
        WHERE id = ? AND position >= ? ORDER BY position LIMIT ?`;
      return all(sql, id, from, limit);
    },
    slots: (id) => lists("SELECT key, document FROM slots WHERE id = ?", id),
    setSlot(id, key, document) {
      if (document === undefined) run("DELETE FROM slots WHERE id = ? AND key = ?", id, key);
      else run("REPLACE INTO slots VALUES (?, ?, ?)", id, key, document);
    },
    receipt(scope, request) {
      const sql = `SELECT r.digest, s.stream, r.position, r.at FROM receipts r JOIN streams s ON s.id = r.id
        WHERE r.scope = ? AND r.request = ?`;
      return get(sql, scope, request);
    },
    addReceipt: (id, { scope, request, digest, position, at }) =>
      run("INSERT INTO receipts VALUES (?, ?, ?, ?, ?, ?)", id, scope, request, digest, position, at),
    receiptsOf: (id) => all("SELECT request, position FROM receipts WHERE id = ?", id),
    notes: (id) => all("SELECT event, document, at FROM notes WHERE id = ? ORDER BY rowid", id),
    addNote: (id, event, document, at) =>
      run("INSERT INTO notes VALUES (?, ?, ?, ?)", id, event, document, at),
    blob: (digest) => column<Uint8Array>("SELECT document FROM blobs WHERE digest = ?", digest)[0],
    addBlob: (digest, document) => run("INSERT INTO blobs VALUES (?, ?)", digest, document),
    removeBlob: (digest) => run("DELETE FROM blobs WHERE digest = ?", digest),
    blobsAfter: (digest, limit) =>
      lists("SELECT digest, document FROM blobs WHERE digest > ? ORDER BY digest LIMIT ?", digest, limit),
    pins: (id) => column("SELECT digest FROM pins WHERE id = ?", id),
    addPin: (id, digest) => run("INSERT OR IGNORE INTO pins VALUES (?, ?)", id, digest),
    isPinned: (digest) => column("SELECT 1 FROM pins WHERE digest = ? LIMIT 1", digest).length > 0,
  } satisfies Partial<Tables>;
}

function workTables({ all, column, run }: Access) {
  const works = (where: string, ...values: Values) =>
    all<TableWork>(`${selectWork} WHERE ${where}`, ...values);
  return {
    work: (id) => works("w.id = ?", id)[0],
    workOf: (id) => works("w.streamId = ? ORDER BY w.seq", id),
    heldBy: (holder) => works("w.holder = ? ORDER BY w.id", holder),
    addWork(streamId, { id, queue, notBefore, document }) {
      const sql =
        "INSERT INTO work (id, streamId, queue, notBefore, document, withdraw) VALUES (?, ?, ?, ?, ?, 0)";
      run(sql, id, streamId, queue, notBefore, document);
    },
    setWork({ id, holder = null, until = null, notBefore, withdraw }) {
      const sql = "UPDATE work SET holder = ?, until = ?, notBefore = ?, withdraw = ? WHERE id = ?";
      run(sql, holder, until, notBefore, withdraw ? 1 : 0, id);
    },
    removeWork: (id) => run("DELETE FROM work WHERE id = ?", id),
    lease: (holder) => column<number>("SELECT until FROM holders WHERE holder = ?", holder)[0],
    setLease: (holder, until) => run("REPLACE INTO holders VALUES (?, ?)", holder, until),
    liveHolders: (now) => all("SELECT holder, until FROM holders WHERE until > ? ORDER BY holder", now),
    claimable(queue, now, limit) {
      const where = `w.queue = ? AND w.notBefore <= ? AND ${free} ORDER BY w.notBefore, w.seq LIMIT ?`;
      return works(where, queue, now, limit);
    },
    abandoned(now, limit, after) {
      const where = `w.id > ? AND s.hold IS NULL AND ((w.holder IS NULL AND w.withdraw = 1) OR w.until <= ?
        OR (w.holder IS NOT NULL AND w.until IS NULL AND ${isOver("w.holder")})) ORDER BY w.id LIMIT ?`;
      return works(where, after, now, now, limit);
    },
  } satisfies Partial<Tables>;
}

function lookTables({ all, column }: Access) {
  return {
    unapplied(limit, after) {
      const sql = `SELECT stream FROM streams WHERE applied < position AND closed = 0 AND hold IS NULL AND stream > ?
        ORDER BY stream LIMIT ?`;
      return column(sql, after, limit);
    },
    orphaned(now, limit, after) {
      const sql = `SELECT stream, owner FROM streams s WHERE owner IS NOT NULL AND hold IS NULL AND stream > ?
        AND ${isOver("s.owner")} ORDER BY stream LIMIT ?`;
      return all(sql, after, now, limit);
    },
    due(now, limit, skip) {
      const sql = `SELECT s.stream, d.key, d.at FROM dues d JOIN streams s ON s.id = d.id WHERE d.at <= ?
        AND s.hold IS NULL ORDER BY d.at, d.id, d.key LIMIT ? OFFSET ?`;
      return all(sql, now, limit, skip);
    },
    queues(now, limit, after) {
      const sql = `SELECT DISTINCT w.queue FROM work w JOIN streams s ON s.id = w.streamId
        WHERE w.queue > ? AND w.notBefore <= ? AND ${free} ORDER BY w.queue LIMIT ?`;
      return column(sql, after, now, limit);
    },
    stats(now) {
      const count = (from: string) => column<number>(`SELECT count(*) FROM ${from}`)[0] as number;
      const closed = count("streams WHERE closed = 1");
      const held = count("streams WHERE closed = 0 AND hold IS NOT NULL");
      const claimed = count("work WHERE holder IS NOT NULL");
      return {
        streams: { open: count("streams") - closed - held, held, closed },
        records: count("log"),
        slots: count("slots"),
        dues: count("dues"),
        work: { waiting: count("work") - claimed, claimed },
        receipts: count("receipts"),
        notes: count("notes"),
        blobs: count("blobs"),
        holders: count(`holders WHERE until > ${now}`),
      };
    },
  } satisfies Partial<Tables>;
}
