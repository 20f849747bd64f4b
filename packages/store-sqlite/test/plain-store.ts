/**
 * A stranger's store, as small as one can be: SQL for `Tables`, a transaction, and nothing else. It shows what
 * `createTableCore` leaves to an author, and that the suite passes on it. It outlives its process, not a power cut: that would take
 * `synchronous = FULL`.
 */
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import {
  assembleStore,
  type Codec,
  createBackoff,
  createDocuments,
  createTableCore,
  type Hold,
  plainCodec,
  resolveLimits,
  type Store,
  type StoreLimits,
  type StreamFacts,
  sharedWakeHub,
  storeError,
  type TableRecord,
  type TableStream,
  type Tables,
  type TableWork,
} from "@swl/store-provider";

type Row = Record<string, unknown>;

const schema = `
  CREATE TABLE IF NOT EXISTS streams (id INTEGER PRIMARY KEY, stream TEXT UNIQUE, origin INT, position INT, applied INT,
    fence INT, owner TEXT, hold TEXT, closed INT, created_at INT, closed_at INT);
  CREATE TABLE IF NOT EXISTS facets (id INT, label TEXT, value TEXT, PRIMARY KEY (id, label));
  CREATE TABLE IF NOT EXISTS log (id INT, position INT, kind TEXT, commit_id TEXT, at INT, applies INT, document BLOB,
    PRIMARY KEY (id, position));
  CREATE TABLE IF NOT EXISTS slots (id INT, key TEXT, document BLOB, PRIMARY KEY (id, key));
  CREATE TABLE IF NOT EXISTS receipts (id INT, scope TEXT, request TEXT, digest TEXT, position INT, at INT,
    PRIMARY KEY (scope, request));
  CREATE TABLE IF NOT EXISTS notes (id INT, event TEXT, document BLOB, at INT, PRIMARY KEY (id, event));
  CREATE TABLE IF NOT EXISTS pins (id INT, digest TEXT, PRIMARY KEY (id, digest));
  CREATE TABLE IF NOT EXISTS blobs (digest TEXT PRIMARY KEY, document BLOB);
  CREATE TABLE IF NOT EXISTS dues (id INT, key TEXT, at INT, PRIMARY KEY (id, key));
  CREATE TABLE IF NOT EXISTS work (seq INTEGER PRIMARY KEY AUTOINCREMENT, work TEXT UNIQUE, id INT, queue TEXT,
    not_before INT, document BLOB, holder TEXT, until INT, withdraw INT);
  CREATE TABLE IF NOT EXISTS holders (holder TEXT PRIMARY KEY, until INT);
`;
const perStream = ["streams", "facets", "log", "slots", "receipts", "notes", "pins"];
const free = "w.holder IS NULL AND w.withdraw = 0 AND s.hold IS NULL";
const gone = "NOT EXISTS (SELECT 1 FROM holders h WHERE h.holder = %s AND h.until > ?)";
const selectWork = "SELECT w.*, s.stream FROM work w JOIN streams s ON s.id = w.id";

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
  let turn: Promise<unknown> = Promise.resolve();
  const transact = <T>(kind: "read" | "write", work: (tables: Tables) => Promise<T>): Promise<T> => {
    // One connection has one transaction: the calls of this handle take turns.
    const mine = turn.then(async () => {
      await begin(database, kind === "write" ? "BEGIN IMMEDIATE" : "BEGIN");
      try {
        const value = await work(tables);
        database.exec("COMMIT");
        return value;
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      }
    });
    turn = mine.catch(() => {});
    return mine;
  };
  return assembleStore({
    info: {
      name: "plain",
      limits,
      capabilities: {
        durable: true,
        multiProcess: true,
        wakeUps: "process",
        clock: clock === undefined ? "store" : "injected",
        pooler: true,
      },
    },
    documents,
    hub: sharedWakeHub(`plain ${file}`),
    core: { ...createTableCore({ documents, transact }), release: () => database.close() },
  });
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

function tablesOf(database: DatabaseSync, clock: () => number): Tables {
  const all = (sql: string, ...values: readonly SQLInputValue[]) =>
    database.prepare(sql).all(...values) as readonly Row[];
  const run = (sql: string, ...values: readonly SQLInputValue[]) => void database.prepare(sql).run(...values);
  const get = (sql: string, ...values: readonly SQLInputValue[]) => all(sql, ...values)[0];
  const access = { all, get, run };
  return { now: clock, ...streamTables(access), ...documentTables(access), ...workTables(access) };
}

interface Access {
  all(sql: string, ...values: readonly SQLInputValue[]): readonly Row[];
  get(sql: string, ...values: readonly SQLInputValue[]): Row | undefined;
  run(sql: string, ...values: readonly SQLInputValue[]): void;
}

const columns = (facts: StreamFacts, closedAt: number | null): readonly SQLInputValue[] => [
  facts.position,
  facts.applied,
  facts.fence,
  facts.owner ?? null,
  facts.hold ?? null,
  facts.closed ? 1 : 0,
  closedAt,
];

const streamOf = (row: Row): TableStream => ({
  id: row["id"] as number,
  stream: row["stream"] as string,
  origin: row["origin"] as number,
  facts: {
    position: row["position"] as number,
    applied: row["applied"] as number,
    fence: row["fence"] as number,
    ...(row["owner"] !== null && { owner: row["owner"] as string }),
    ...(row["hold"] !== null && { hold: row["hold"] as Hold }),
    closed: row["closed"] === 1,
    createdAt: row["created_at"] as number,
  },
});

const recordOf = (row: Row): TableRecord => ({
  position: row["position"] as number,
  kind: row["kind"] as string,
  commit: row["commit_id"] as string,
  at: row["at"] as number,
  applies: row["applies"] === 1,
  document: row["document"] as Uint8Array,
});

const workOf = (row: Row): TableWork => ({
  id: row["work"] as string,
  streamId: row["id"] as number,
  stream: row["stream"] as string,
  queue: row["queue"] as string,
  notBefore: row["not_before"] as number,
  document: row["document"] as Uint8Array,
  ...(row["holder"] !== null && { holder: row["holder"] as string }),
  ...(row["until"] !== null && { until: row["until"] as number }),
  withdraw: row["withdraw"] === 1,
});

const text = (row: Row | undefined, name: string) => row?.[name] as string;
const number = (row: Row | undefined, name: string) => row?.[name] as number;
const bytes = (row: Row | undefined) => row?.["document"] as Uint8Array;

function streamTables({ all, get, run }: Access) {
  return {
    stream(name) {
      const row = get("SELECT * FROM streams WHERE stream = ?", name);
      return row && streamOf(row);
    },
    addStream({ stream, origin, facts }, closedAt) {
      const row = get(
        `INSERT INTO streams (stream, origin, created_at, position, applied, fence, owner, hold, closed, closed_at)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
        stream,
        origin,
        facts.createdAt,
        ...columns(facts, closedAt),
      );
      return number(row, "id");
    },
    setStream: (id, facts, closedAt) =>
      run(
        `UPDATE streams SET position = ?, applied = ?, fence = ?, owner = ?, hold = ?, closed = ?, closed_at = ?
          WHERE id = ?`,
        ...columns(facts, closedAt),
        id,
      ),
    removeStream(id) {
      for (const table of perStream) run(`DELETE FROM ${table} WHERE id = ?`, id);
    },
    listStreams(facets, before, limit) {
      const label = "AND EXISTS (SELECT 1 FROM facets f WHERE f.id = s.id AND f.label = ? AND f.value = ?)";
      const labels = facets.map(() => label).join(" ");
      const sql = `SELECT * FROM streams s WHERE s.id < ? ${labels} ORDER BY s.id DESC LIMIT ?`;
      return all(sql, before, ...facets.flat(), limit).map(streamOf);
    },
    streamsAfter: (id, limit) =>
      all("SELECT * FROM streams WHERE id > ? ORDER BY id LIMIT ?", id, limit).map(streamOf),
    streamsClosedBefore: (instant, limit) =>
      all("SELECT * FROM streams WHERE closed_at < ? ORDER BY closed_at, id LIMIT ?", instant, limit).map(
        streamOf,
      ),
    facets: (id) =>
      all("SELECT * FROM facets WHERE id = ?", id).map(
        (row) => [text(row, "label"), text(row, "value")] as const,
      ),
    setFacet: (id, label, value) => run("REPLACE INTO facets VALUES (?, ?, ?)", id, label, value),
    unapplied: (limit, after) =>
      all(
        `SELECT stream FROM streams WHERE applied < position AND closed = 0 AND hold IS NULL AND stream > ?
          ORDER BY stream LIMIT ?`,
        after,
        limit,
      ).map((row) => text(row, "stream")),
    orphaned: (now, limit, after) =>
      all(
        `SELECT s.stream, s.owner FROM streams s WHERE s.owner IS NOT NULL AND s.hold IS NULL AND s.stream > ?
          AND ${gone.replace("%s", "s.owner")} ORDER BY s.stream LIMIT ?`,
        after,
        now,
        limit,
      ).map((row) => ({ stream: text(row, "stream"), owner: text(row, "owner") })),
    stats(now) {
      const count = (from: string) => number(get(`SELECT count(*) AS n FROM ${from}`), "n");
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

function documentTables({ all, get, run }: Access) {
  return {
    addRecords(id, records) {
      for (const { position, kind, commit, at, applies, document } of records) {
        const flag = applies ? 1 : 0;
        run("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)", id, position, kind, commit, at, flag, document);
      }
    },
    records: (id, from, limit) =>
      all("SELECT * FROM log WHERE id = ? AND position >= ? ORDER BY position LIMIT ?", id, from, limit).map(
        recordOf,
      ),
    slots: (id) =>
      all("SELECT * FROM slots WHERE id = ?", id).map((row) => [text(row, "key"), bytes(row)] as const),
    setSlot(id, key, document) {
      if (document === undefined) run("DELETE FROM slots WHERE id = ? AND key = ?", id, key);
      else run("REPLACE INTO slots VALUES (?, ?, ?)", id, key, document);
    },
    receipt(scope, request) {
      const row = get(
        `SELECT r.digest, s.stream, r.position, r.at FROM receipts r JOIN streams s ON s.id = r.id
          WHERE r.scope = ? AND r.request = ?`,
        scope,
        request,
      );
      if (row === undefined) return undefined;
      const [digest, stream] = [text(row, "digest"), text(row, "stream")];
      return { digest, stream, position: number(row, "position"), at: number(row, "at") };
    },
    addReceipt: (id, { scope, request, digest, position, at }) =>
      run("INSERT INTO receipts VALUES (?, ?, ?, ?, ?, ?)", id, scope, request, digest, position, at),
    receiptsOf: (id) =>
      all("SELECT * FROM receipts WHERE id = ?", id).map((row) => ({
        request: text(row, "request"),
        position: number(row, "position"),
      })),
    notes: (id) =>
      all("SELECT * FROM notes WHERE id = ? ORDER BY rowid", id).map((row) => ({
        event: text(row, "event"),
        document: bytes(row),
        at: number(row, "at"),
      })),
    addNote: (id, event, document, at) =>
      run("INSERT INTO notes VALUES (?, ?, ?, ?)", id, event, document, at),
    blob(digest) {
      const row = get("SELECT document FROM blobs WHERE digest = ?", digest);
      return row && bytes(row);
    },
    addBlob: (digest, document) => run("INSERT INTO blobs VALUES (?, ?)", digest, document),
    removeBlob: (digest) => run("DELETE FROM blobs WHERE digest = ?", digest),
    blobsAfter: (digest, limit) =>
      all("SELECT * FROM blobs WHERE digest > ? ORDER BY digest LIMIT ?", digest, limit).map(
        (row) => [text(row, "digest"), bytes(row)] as const,
      ),
    pins: (id) => all("SELECT digest FROM pins WHERE id = ?", id).map((row) => text(row, "digest")),
    addPin: (id, digest) => run("INSERT OR IGNORE INTO pins VALUES (?, ?)", id, digest),
    isPinned: (digest) => get("SELECT 1 FROM pins WHERE digest = ?", digest) !== undefined,
  } satisfies Partial<Tables>;
}

function workTables({ all, get, run }: Access) {
  return {
    dues: (id) =>
      all("SELECT * FROM dues WHERE id = ?", id).map((row) => [text(row, "key"), number(row, "at")] as const),
    setDue(id, key, at) {
      if (at === null) run("DELETE FROM dues WHERE id = ? AND key = ?", id, key);
      else run("REPLACE INTO dues VALUES (?, ?, ?)", id, key, at);
    },
    due: (now, limit, skip) =>
      all(
        `SELECT s.stream, d.key, d.at FROM dues d JOIN streams s ON s.id = d.id WHERE d.at <= ? AND s.hold IS NULL
          ORDER BY d.at, d.id, d.key LIMIT ? OFFSET ?`,
        now,
        limit,
        skip,
      ).map((row) => ({ stream: text(row, "stream"), key: text(row, "key"), at: number(row, "at") })),
    work(id) {
      const row = get(`${selectWork} WHERE w.work = ?`, id);
      return row && workOf(row);
    },
    workOf: (id) => all(`${selectWork} WHERE w.id = ? ORDER BY w.seq`, id).map(workOf),
    heldBy: (holder) => all(`${selectWork} WHERE w.holder = ? ORDER BY w.work`, holder).map(workOf),
    addWork: (id, work) =>
      run(
        "INSERT INTO work (work, id, queue, not_before, document, withdraw) VALUES (?, ?, ?, ?, ?, 0)",
        work.id,
        id,
        work.queue,
        work.notBefore,
        work.document,
      ),
    setWork: ({ id, holder, until, notBefore, withdraw }) =>
      run(
        "UPDATE work SET holder = ?, until = ?, not_before = ?, withdraw = ? WHERE work = ?",
        holder ?? null,
        until ?? null,
        notBefore,
        withdraw ? 1 : 0,
        id,
      ),
    removeWork: (id) => run("DELETE FROM work WHERE work = ?", id),
    lease: (holder) =>
      get("SELECT until FROM holders WHERE holder = ?", holder)?.["until"] as number | undefined,
    setLease: (holder, until) => run("REPLACE INTO holders VALUES (?, ?)", holder, until),
    liveHolders: (now) =>
      all("SELECT * FROM holders WHERE until > ? ORDER BY holder", now).map((row) => ({
        holder: text(row, "holder"),
        until: number(row, "until"),
      })),
    claimable: (queue, now, limit) =>
      all(
        `${selectWork} WHERE w.queue = ? AND w.not_before <= ? AND ${free} ORDER BY w.not_before, w.seq LIMIT ?`,
        queue,
        now,
        limit,
      ).map(workOf),
    queues: (now, limit, after) =>
      all(
        `SELECT DISTINCT w.queue FROM work w JOIN streams s ON s.id = w.id
          WHERE w.queue > ? AND w.not_before <= ? AND ${free} ORDER BY w.queue LIMIT ?`,
        after,
        now,
        limit,
      ).map((row) => text(row, "queue")),
    abandoned: (now, limit, after) =>
      all(
        `${selectWork} WHERE w.work > ? AND s.hold IS NULL AND (
            (w.holder IS NULL AND w.withdraw = 1) OR w.until <= ?
            OR (w.holder IS NOT NULL AND w.until IS NULL AND ${gone.replace("%s", "w.holder")}))
          ORDER BY w.work LIMIT ?`,
        after,
        now,
        now,
        limit,
      ).map(workOf),
  } satisfies Partial<Tables>;
}
