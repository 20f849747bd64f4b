/**
 * The one statement that judges and writes a batch: each item that its stream, and what it names, let through. It has
 * only the parts that the batch needs, as each costs something even where it has nothing to do; a text for each set of
 * parts, and for a lone item for each number of their rows, prepared once a connection. Rows are looked up one by one,
 * or by `ANY`, whatever the planner believed of the tables' sizes when the plan was made. Nothing is accepted on tables of another version, nor in a session whose
 * transactions see less than the newest rows or do not wait for the disk. Races end at unique positions, names and
 * receipts: then nothing is written.
 */
import { stampTolerance } from "@swl/store-provider";
import { momentBy, waitsForDisk } from "./moment.js";
import { format } from "./schema.js";

/** In the order of their parameters; of each the columns of its rows, where the first one is the item's number. */
export const parts = {
  /** Always there. `origin`: the stream is made; else it is there, at `expect`, where that is not null. */
  items: [
    "stream text",
    "expect bigint",
    "origin bigint",
    "stamp bigint",
    "owner text",
    "commit_id text",
    "applies boolean",
    "disowns boolean",
    "fences boolean",
    "closes boolean",
  ],
  /**
   * `start` and `length` of a document say where it is in the one parameter that has them all; `size` and `slots` are
   * those of the table.
   */
  records: [
    "n int",
    "step int",
    "applies boolean",
    "kind text",
    "start int",
    "length int",
    "size int",
    "slots json",
  ],
  receipts: ["n int", "scope text", "request text", "digest text"],
  facets: ["n int", "label text", "value text"],
  blobs: ["n int", "digest text", "start int", "length int"],
  /** `brought`: with the same item. */
  pins: ["n int", "digest text", "brought boolean"],
  settled: ["n int", "id text"],
  work: ["n int", "place int", "id text", "queue text", "delay bigint", "start int", "length int"],
  /** Due entries whose instant must have come. */
  fired: ["n int", "stream text", "key text"],
  unset: ["n int", "key text"],
  dues: ["n int", "key text", "at bigint"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Part = keyof typeof parts;

export interface Shape {
  /** Those that have rows; how many, where one item is written and its values are told one by one, else null: in lists. */
  readonly parts: ReadonlyMap<Part, number | null>;
  /** Some items make their streams. */
  readonly creates: boolean;
  /** The streams' own rows may have to change; else only items are accepted that leave them as they are. */
  readonly changes: boolean;
}

/** The rows of each part, as something to select from. */
function rowsOf(present: Shape["parts"]): ReadonlyMap<Part, string> {
  let parameters = 2;
  const rows = new Map<Part, string>();
  for (const [name, columns] of Object.entries(parts) as [Part, readonly string[]][]) {
    const count = present.get(name);
    if (count === undefined) continue;
    const isItem = name === "items";
    const names = [...columns.map((column) => column.split(" ")[0]), ...(isItem ? ["n"] : [])].join(", ");
    const next = (column: string) => `$${++parameters}::${column.split(" ")[1]}`;
    if (count === null) {
      const lists = columns.map((column) => `${next(column)}[]`).join(", ");
      rows.set(name, `unnest(${lists})${isItem ? " WITH ORDINALITY" : ""} AS i (${names})`);
    } else {
      const told = isItem ? columns : columns.slice(1);
      const row = () => (isItem ? [...told.map(next), "1"] : ["1", ...told.map(next)]).join(", ");
      rows.set(
        name,
        `(VALUES ${Array.from({ length: count }, () => `(${row()})`).join(", ")}) AS i (${names})`,
      );
    }
  }
  return rows;
}

/** $1: the clock, $2: the documents; then the columns of the parts, or the values of their rows one by one. */
export function directSql({ parts: present, creates, changes }: Shape): string {
  const rows = rowsOf(present);
  const from = (part: Part) => `${rows.get(part)} JOIN s ON s.n = i.n`;
  const document = "substring($2::bytea FROM i.start FOR i.length)";
  const blocked = blockers(rows);
  const free = blocked === "" ? "" : " AND i.n NOT IN (SELECT n FROM blocked)";
  const held = `(i.owner IS NULL OR EXISTS (
      SELECT 1 FROM swl.holders h WHERE h.holder = i.owner AND h.until > t.now)) AND i.stamp <= t.now + ${stampTolerance}${free}`;
  const same = "f.applied IS NULL AND i.applies AND (i.owner IS NULL OR f.owner = i.owner)";
  const there = `SELECT i.*, f.sid, f.ctid AS place, l.position AS before, t.now,
      i.closes OR i.fences OR (f.applied IS NULL) <> i.applies OR (i.disowns AND f.owner IS NOT NULL)
        OR (i.owner IS NOT NULL AND f.owner IS NULL) AS moves
    FROM ${rows.get("items")} CROSS JOIN t
      CROSS JOIN LATERAL (SELECT f.ctid, f.* FROM swl.streams f WHERE f.stream = i.stream LIMIT 1) f
      CROSS JOIN LATERAL (SELECT max(l.position) AS position FROM swl.log l WHERE l.sid = f.sid) l
    WHERE i.origin IS NULL AND NOT f.closed AND f.hold IS NULL AND l.position = coalesce(i.expect, l.position)
      AND ${changes ? "(f.owner IS NULL OR i.owner IS NULL OR f.owner = i.owner)" : same} AND ${held}`;
  // Numbered as they come in the batch, whatever way the plan takes.
  const made = `SELECT i.*, nextval('swl.stream_numbers') AS sid, NULL::tid AS place, i.origin AS before, t.now, false AS moves
    FROM (SELECT i.* FROM ${rows.get("items")} CROSS JOIN t
      WHERE i.origin IS NOT NULL AND NOT EXISTS (SELECT 1 FROM swl.streams f WHERE f.stream = i.stream) AND ${held}
      ORDER BY i.n) i CROSS JOIN t`;
  const writes = [
    [
      "t",
      "MATERIALIZED ",
      `SELECT ${momentBy("$1")} AS now FROM swl.format
      WHERE version = ${format} AND current_setting('transaction_isolation') = 'read committed' AND ${waitsForDisk}`,
    ],
    ...(blocked === "" ? [] : [["blocked", "MATERIALIZED ", blocked]]),
    [changes ? "found" : "s", "MATERIALIZED ", creates ? `${there}\n  UNION ALL ${made}` : there],
    ...(changes
      ? [
          ["changed", "", changeStreams],
          ["s", "MATERIALIZED ", unlost],
        ]
      : []),
    ...(changes
      ? [
          ["over_work", "", over("work")],
          ["over_dues", "", over("dues")],
        ]
      : []),
    // Carried out from the last to the first: whoever is at the same streams is met at their positions, in one order.
    ...[...rows.keys()].reverse().flatMap((part) => {
      const write = writers[part];
      return write === undefined ? [] : [[part, "", write(from(part), document)]];
    }),
    [
      "records",
      "",
      `INSERT INTO swl.log (sid, position, at, applies, kind, commit_id, document, size, slots)
    SELECT s.sid, s.before + i.step, s.now, i.applies, i.kind, s.commit_id, ${document}, i.size, i.slots FROM ${from("records")}
      ORDER BY s.sid, i.step`,
    ],
    ...(creates ? [["made", "", createStreams]] : []),
  ];
  const list = writes.map(([name, kind, text]) => `${name} AS ${kind}(${text})`);
  return `WITH ${list.join(",\n  ")}\n  SELECT s.n::int AS n, s.before + 1 AS first, s.now FROM s`;
}

/** Items that something else than their stream stands against. */
function blockers(rows: ReadonlyMap<Part, string>): string {
  const list: string[] = [];
  const add = (part: Part, condition: string) => {
    if (rows.has(part)) list.push(`SELECT i.n FROM ${rows.get(part)} WHERE ${condition}`);
  };
  add("receipts", "EXISTS (SELECT 1 FROM swl.receipts r WHERE r.scope = i.scope AND r.request = i.request)");
  add("pins", "NOT i.brought AND NOT EXISTS (SELECT 1 FROM swl.blobs b WHERE b.digest = i.digest)");
  add("work", "EXISTS (SELECT 1 FROM swl.work w WHERE w.id = i.id)");
  add(
    "fired",
    `NOT EXISTS (SELECT 1 FROM swl.dues d WHERE d.sid = (SELECT f.sid FROM swl.streams f WHERE f.stream = i.stream)
      AND d.key = i.key AND d.at <= (SELECT now FROM t))`,
  );
  return list.join(" UNION ALL ");
}

const createStreams = `INSERT INTO swl.streams (sid, stream, origin, applied, fence, owner, hold, closed, closed_at, created_at)
    SELECT s.sid, s.stream, s.origin, CASE WHEN NOT s.applies THEN 0 END, CASE WHEN s.fences THEN s.before + 1 ELSE 0 END,
      CASE WHEN NOT s.closes THEN s.owner END, NULL, s.closes, CASE WHEN s.closes THEN s.now END, s.now
      FROM s WHERE s.origin IS NOT NULL ORDER BY s.stream`;

const changeStreams = `UPDATE swl.streams f SET
      applied = CASE WHEN NOT s.applies THEN coalesce(f.applied, s.before) END,
      fence = CASE WHEN s.fences THEN s.before + 1 ELSE f.fence END,
      owner = CASE WHEN NOT s.closes AND NOT s.disowns THEN coalesce(s.owner, f.owner) END,
      closed = s.closes, closed_at = CASE WHEN s.closes THEN s.now END
    FROM (SELECT * FROM found WHERE moves ORDER BY sid) s WHERE f.ctid = s.place RETURNING s.n`;

/** Where somebody else changed the row first it is another one now, or none: then the item is judged anew. */
const unlost = "SELECT f.* FROM found f WHERE NOT f.moves OR f.n IN (SELECT n FROM changed)";

/** What a closed stream has no more. */
const over = (table: string) =>
  `DELETE FROM swl.${table} o WHERE o.sid = ANY (ARRAY (SELECT s.sid FROM s WHERE s.closes AND s.origin IS NULL))`;

const dueGone = (rows: string) => `DELETE FROM swl.dues o WHERE o.ctid = ANY (ARRAY (
      SELECT d.place FROM ${rows}
        CROSS JOIN LATERAL (SELECT d.ctid AS place FROM swl.dues d WHERE d.sid = s.sid AND d.key = i.key LIMIT 1) d))`;

const writers: { readonly [P in Part]?: (rows: string, document: string) => string } = {
  receipts: (rows) => `INSERT INTO swl.receipts (scope, request, digest, sid, position, at)
    SELECT i.scope, i.request, i.digest, s.sid, s.before + 1, s.now FROM ${rows} ORDER BY i.scope, i.request`,
  facets: (rows) => `INSERT INTO swl.facets AS o (sid, label, value)
    SELECT s.sid, i.label, i.value FROM ${rows}
    ON CONFLICT (sid, label) DO UPDATE SET value = excluded.value WHERE o.value <> excluded.value`,
  blobs: (rows, document) => `INSERT INTO swl.blobs (digest, document)
    SELECT DISTINCT ON (i.digest) i.digest, ${document} FROM ${rows} ORDER BY i.digest
    ON CONFLICT (digest) DO NOTHING`,
  pins: (rows) => `INSERT INTO swl.pins (sid, digest)
    SELECT s.sid, i.digest FROM ${rows} ORDER BY i.digest, s.sid ON CONFLICT DO NOTHING`,
  settled: (rows) => `DELETE FROM swl.work o WHERE o.id = ANY (ARRAY (
      SELECT w.id FROM ${rows}
        CROSS JOIN LATERAL (SELECT w.id FROM swl.work w WHERE w.id = i.id AND w.sid = s.sid LIMIT 1) w))`,
  work: (rows, document) => `INSERT INTO swl.work (id, sid, queue, not_before, withdraw, document)
    SELECT i.id, s.sid, i.queue, s.now + i.delay, false, ${document} FROM ${rows} WHERE NOT s.closes
      ORDER BY s.n, i.place`,
  unset: dueGone,
  dues: (
    rows,
  ) => `INSERT INTO swl.dues (sid, key, at) SELECT s.sid, i.key, i.at FROM ${rows} WHERE NOT s.closes
    ON CONFLICT (sid, key) DO UPDATE SET at = excluded.at`,
};
