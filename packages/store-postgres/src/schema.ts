/**
 * The tables, as migrations that only go forward; `swl.` stands for the schema's own name. A visit inserts one row into
 * `log` and changes none: its slots are in that row, and a stream's row changes only when it is created, owned, held,
 * closed, fenced, has records waiting to be applied, or when its slots are folded (slots.ts). The last position is not
 * kept: it is the largest one of the log, and its unique index is what two writers meet at.
 *
 * IDs have the collation C, the order of their UTF-8 bytes. Times are milliseconds since the epoch.
 */

/** Everything that is the store's, in no order that means anything. */
export const tables = [
  "format",
  "streams",
  "log",
  "slots",
  "facets",
  "dues",
  "work",
  "receipts",
  "notes",
  "blobs",
  "pins",
  "holders",
] as const;

/** Entry n brings the tables from version n to n + 1. Released entries never change; functions are made anew after them. */
export const migrations: readonly (readonly string[])[] = [
  [
    "CREATE SEQUENCE swl.stream_numbers",
    `CREATE TABLE swl.streams (
      sid bigint PRIMARY KEY,
      stream text COLLATE "C" NOT NULL UNIQUE,
      origin bigint NOT NULL,
      applied bigint, -- NULL: every record is applied
      fence bigint NOT NULL,
      owner text COLLATE "C",
      hold text,
      closed boolean NOT NULL,
      created_at bigint NOT NULL
    )`,
    `CREATE INDEX streams_unapplied ON swl.streams (stream)
      WHERE applied IS NOT NULL AND NOT closed AND hold IS NULL`,
    "CREATE INDEX streams_owner ON swl.streams (owner, stream) WHERE owner IS NOT NULL",
    `CREATE TABLE swl.log (
      sid bigint NOT NULL,
      position bigint NOT NULL,
      at bigint NOT NULL,
      applies boolean NOT NULL,
      kind text NOT NULL,
      commit_id text NOT NULL,
      document bytea NOT NULL,
      PRIMARY KEY (sid, position)
    )`,
    `CREATE TABLE swl.slots (
      sid bigint NOT NULL,
      position bigint NOT NULL,
      key text COLLATE "C" NOT NULL,
      document bytea, -- NULL: the slot was removed
      PRIMARY KEY (sid, key, position)
    )`,
    `CREATE TABLE swl.facets (
      sid bigint NOT NULL,
      label text COLLATE "C" NOT NULL,
      value text COLLATE "C" NOT NULL,
      PRIMARY KEY (sid, label)
    )`,
    "CREATE INDEX facets_value ON swl.facets (label, value, sid)",
    `CREATE TABLE swl.dues (
      sid bigint NOT NULL,
      key text COLLATE "C" NOT NULL,
      at bigint NOT NULL,
      PRIMARY KEY (sid, key)
    )`,
    "CREATE INDEX dues_at ON swl.dues (at, sid, key)",
    `CREATE TABLE swl.work (
      seq bigint GENERATED ALWAYS AS IDENTITY,
      id text COLLATE "C" PRIMARY KEY,
      sid bigint NOT NULL,
      queue text COLLATE "C" NOT NULL,
      not_before bigint NOT NULL,
      holder text COLLATE "C",
      until bigint,
      withdraw boolean NOT NULL,
      document bytea NOT NULL
    )`,
    "CREATE INDEX work_stream ON swl.work (sid, seq)",
    `CREATE INDEX work_queue ON swl.work (queue, not_before, seq)
      WHERE holder IS NULL AND NOT withdraw`,
    "CREATE INDEX work_holder ON swl.work (holder, id) WHERE holder IS NOT NULL",
    "CREATE INDEX work_until ON swl.work (until) WHERE until IS NOT NULL",
    "CREATE INDEX work_withdrawn ON swl.work (id) WHERE holder IS NULL AND withdraw",
    `CREATE TABLE swl.receipts (
      scope text COLLATE "C" NOT NULL,
      request text COLLATE "C" NOT NULL,
      digest text NOT NULL,
      sid bigint NOT NULL,
      position bigint NOT NULL,
      at bigint NOT NULL,
      PRIMARY KEY (scope, request)
    )`,
    `CREATE TABLE swl.notes (
      id bigint GENERATED ALWAYS AS IDENTITY,
      sid bigint NOT NULL,
      event text COLLATE "C" NOT NULL,
      document bytea NOT NULL,
      at bigint NOT NULL,
      PRIMARY KEY (sid, event)
    )`,
    `CREATE TABLE swl.blobs (digest text COLLATE "C" PRIMARY KEY, document bytea NOT NULL)`,
    `CREATE TABLE swl.holders (holder text COLLATE "C" PRIMARY KEY, until bigint NOT NULL)`,
    "CREATE INDEX holders_until ON swl.holders (until)",
  ],
  [
    "ALTER TABLE swl.streams ADD COLUMN closed_at bigint",
    `UPDATE swl.streams s SET closed_at = (SELECT l.at FROM swl.log l WHERE l.sid = s.sid
      ORDER BY l.position DESC LIMIT 1) WHERE s.closed`,
    "CREATE INDEX streams_closed ON swl.streams (closed_at, sid) WHERE closed",
    // Who needs the blobs of before is not known: each stays as long as any stream up to this number does.
    "ALTER TABLE swl.blobs ADD COLUMN until_sid bigint",
    "UPDATE swl.blobs SET until_sid = (SELECT coalesce(max(sid), 0) FROM swl.streams)",
    "CREATE INDEX blobs_until ON swl.blobs (until_sid) WHERE until_sid IS NOT NULL",
    `CREATE TABLE swl.pins (
      sid bigint NOT NULL,
      digest text COLLATE "C" NOT NULL REFERENCES swl.blobs,
      PRIMARY KEY (sid, digest)
    )`,
    "CREATE INDEX pins_digest ON swl.pins (digest)",
    "CREATE INDEX receipts_stream ON swl.receipts (sid)",
    ...["streams", "log", "slots", "facets", "dues", "work", "receipts", "notes", "pins"].map(reused),
  ],
  [
    // NULL: the document is the record's; else so many bytes of it, and those of the slots follow.
    "ALTER TABLE swl.log ADD COLUMN size int",
    // Of each slot its key and the length of its document, NULL: removed.
    "ALTER TABLE swl.log ADD COLUMN slots json",
    // Up to this position slots are in their table.
    "ALTER TABLE swl.streams ADD COLUMN folded bigint NOT NULL DEFAULT 0",
    `UPDATE swl.streams s SET folded = (SELECT max(l.position) FROM swl.log l WHERE l.sid = s.sid)
      WHERE EXISTS (SELECT 1 FROM swl.slots k WHERE k.sid = s.sid)`,
    `DELETE FROM swl.slots o WHERE o.document IS NULL OR o.position < (
      SELECT max(n.position) FROM swl.slots n WHERE n.sid = o.sid AND n.key = o.key)`,
    "ALTER TABLE swl.slots DROP CONSTRAINT slots_pkey",
    "ALTER TABLE swl.slots ADD PRIMARY KEY (sid, key)",
    "ALTER TABLE swl.slots ALTER COLUMN document SET NOT NULL",
    // A process of before that has it open must neither take this for all slots nor write here what the log has newer.
    "ALTER TABLE swl.slots RENAME COLUMN document TO newest",
  ],
];

/** Of the tables and functions of this version. */
export const format = migrations.length;

/**
 * Space that pruning frees is made fit for use soon and at full speed, not after a fifth of the table is dead: 1,000
 * rows and 2% more.
 */
function reused(table: string): string {
  return `ALTER TABLE swl.${table} SET (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_cost_delay = 0)`;
}
