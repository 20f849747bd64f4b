/**
 * The tables, as migrations that only go forward; the file says in its header which of them it has had. The log is
 * appended to at its end, whatever the stream, with an index by position: batches of many streams touch few pages
 * (measured: with the log clustered by stream, batches of 32 visits take 2.5 times as long; lone ones the same).
 * A visit writes the log and its slots; a stream's row changes only when it is created, owned, held, closed, fenced or
 * has records waiting to be applied. The last position is not kept: it is the largest one of the log. Nothing counts
 * for ever but `work.seq`: pruned rows leave free pages, which the next ones fill.
 */

/** `SWLS`: what the header of our files has as application ID. */
export const applicationId = 0x53574c53;

/** Entry n brings a file from version n to n + 1. Released entries never change. */
export const migrations: readonly (readonly string[])[] = [
  [
    `CREATE TABLE streams (
      sid INTEGER PRIMARY KEY,
      stream TEXT NOT NULL UNIQUE,
      origin INTEGER NOT NULL,
      applied INTEGER, -- NULL: every record is applied
      fence INTEGER NOT NULL,
      owner TEXT,
      hold TEXT,
      closed INTEGER NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT`,
    `CREATE INDEX streams_unapplied ON streams (stream)
      WHERE applied IS NOT NULL AND closed = 0 AND hold IS NULL`,
    "CREATE INDEX streams_owner ON streams (owner, stream) WHERE owner IS NOT NULL",
    `CREATE TABLE log (
      id INTEGER PRIMARY KEY,
      sid INTEGER NOT NULL,
      position INTEGER NOT NULL,
      kind TEXT NOT NULL,
      commit_id TEXT NOT NULL,
      at INTEGER NOT NULL,
      applies INTEGER NOT NULL,
      document BLOB NOT NULL
    ) STRICT`,
    "CREATE UNIQUE INDEX log_position ON log (sid, position)",
    `CREATE TABLE slots (
      sid INTEGER NOT NULL,
      key TEXT NOT NULL,
      document BLOB NOT NULL,
      PRIMARY KEY (sid, key)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE facets (
      sid INTEGER NOT NULL,
      label TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (sid, label)
    ) STRICT, WITHOUT ROWID`,
    "CREATE INDEX facets_value ON facets (label, value, sid)",
    `CREATE TABLE dues (
      sid INTEGER NOT NULL,
      key TEXT NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (sid, key)
    ) STRICT, WITHOUT ROWID`,
    "CREATE INDEX dues_at ON dues (at, sid, key)",
    `CREATE TABLE work (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      sid INTEGER NOT NULL,
      queue TEXT NOT NULL,
      not_before INTEGER NOT NULL,
      document BLOB NOT NULL,
      holder TEXT,
      until INTEGER,
      withdraw INTEGER NOT NULL
    ) STRICT`,
    "CREATE INDEX work_stream ON work (sid)",
    "CREATE INDEX work_queue ON work (queue, not_before, seq) WHERE holder IS NULL AND withdraw = 0",
    "CREATE INDEX work_holder ON work (holder, id) WHERE holder IS NOT NULL",
    "CREATE INDEX work_until ON work (until) WHERE until IS NOT NULL",
    "CREATE INDEX work_withdrawn ON work (id) WHERE holder IS NULL AND withdraw = 1",
    `CREATE TABLE receipts (
      scope TEXT NOT NULL,
      request TEXT NOT NULL,
      digest TEXT NOT NULL,
      sid INTEGER NOT NULL,
      position INTEGER NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (scope, request)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE notes (
      id INTEGER PRIMARY KEY,
      sid INTEGER NOT NULL,
      event TEXT NOT NULL,
      document BLOB NOT NULL,
      at INTEGER NOT NULL,
      UNIQUE (sid, event)
    ) STRICT`,
    "CREATE TABLE blobs (digest TEXT PRIMARY KEY, document BLOB NOT NULL) STRICT",
    "CREATE TABLE holders (holder TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE INDEX holders_until ON holders (until)",
  ],
  [
    // When a stream was closed, for pruning.
    "ALTER TABLE streams ADD COLUMN closed_at INTEGER",
    `UPDATE streams SET closed_at = (SELECT l.at FROM log l WHERE l.sid = streams.sid
      ORDER BY l.position DESC LIMIT 1) WHERE closed = 1`,
    "CREATE INDEX streams_closed ON streams (closed_at, sid) WHERE closed_at IS NOT NULL",
    "CREATE INDEX receipts_stream ON receipts (sid)",
    `CREATE TABLE pins (
      sid INTEGER NOT NULL, -- 0: kept for ever
      digest TEXT NOT NULL,
      PRIMARY KEY (sid, digest)
    ) STRICT, WITHOUT ROWID`,
    "CREATE INDEX pins_digest ON pins (digest)",
    // Format 1 did not say who needs a blob: those that were there stay.
    "INSERT INTO pins (sid, digest) SELECT 0, digest FROM blobs",
  ],
];
