/**
 * Slots. What an item sets stands in the row of its last record, behind the record's own document, so that a visit is
 * one row. Each time a stream's log has grown by so many records the newest of its slots are folded, in the background,
 * into a table of their own, and the stream's row says up to which position: who loads a stream reads that table and the
 * few rows since. A busy stream is folded less often: while anybody holds a transaction open no version of its row can be
 * removed, and every visit would have to pass them all. A fold is one statement, and the log does not change, so that nobody ever sees a part of it.
 */
import { type Answer, type PreparedItem, storeError } from "@swl/store-provider";
import type { Database } from "./database.js";

/** The slots in a record's row: of each its key and the length of its document, null where it is removed. */
export type SlotList = readonly (readonly [key: string, length: number | null])[];

/** As JSON; null without slots. */
export function slotList({ item, slots }: PreparedItem): string | null {
  if (item.slots === undefined || item.slots.length === 0) return null;
  return JSON.stringify(item.slots.map(({ key }, index) => [key, slots[index]?.byteLength ?? null]));
}

/** Of a row of the log `l`: the record's own document, without the slots. */
export const ownDocument =
  "CASE WHEN l.size IS NULL THEN l.document ELSE substring(l.document FOR l.size) END";

/** Of a row of the log `l`: what follows it. */
export const slotDocuments = "substring(l.document FROM l.size + 1)";

/** Rows of a stream `s` whose slots are not in their table. */
export const recentRows = "swl.log l WHERE l.sid = s.sid AND l.position > s.folded AND l.slots IS NOT NULL";

/** The slots of one row, in their order; of a removed one undefined. */
export function* unpack(list: SlotList, bytes: Uint8Array): Generator<[string, Uint8Array | undefined]> {
  let start = 0;
  for (const [key, length] of list) {
    yield [key, length === null ? undefined : bytes.subarray(start, start + length)];
    start += length ?? 0;
  }
  if (start !== bytes.byteLength) throw storeError("corrupt", "The slots of a record are not what it says.");
}

/** Records of a stream after which its slots are folded. */
export const foldEvery = 64;
/** Bytes of an item's slots for which they are folded at once. */
const foldBytes = 16_384;
/** Milliseconds for which a stream that was folded rests, unless so many records or bytes of slots have come since. */
const rest = 10_000;
const restRecords = 1_024;
const restBytes = 1_048_576;
/** Streams folded with one statement, and most that are kept in mind: the others are met when they have grown again. */
const atOnce = 16;
const most = 8_192;

const fold = `WITH w AS MATERIALIZED (
    SELECT s.sid, s.folded, (SELECT max(l.position) FROM swl.log l WHERE l.sid = s.sid) AS upto
      FROM unnest($1::text[]) AS i (stream)
        CROSS JOIN LATERAL (SELECT f.* FROM swl.streams f WHERE f.stream = i.stream LIMIT 1) s WHERE NOT s.closed),
  u AS (UPDATE swl.streams s SET folded = w.upto FROM (SELECT * FROM w ORDER BY sid) w
      WHERE s.sid = w.sid AND s.folded = w.folded AND NOT s.closed RETURNING s.sid, w.folded, w.upto),
  newest AS MATERIALIZED (
    SELECT DISTINCT ON (s.sid, e.key) s.sid, e.key, l.position, l.size + e.start AS start, e.length
      FROM u s CROSS JOIN LATERAL (SELECT l.position, l.size, l.slots FROM ${recentRows} AND l.position <= s.upto
          OFFSET 0) l
        CROSS JOIN LATERAL (SELECT e.n, e.value->>0 AS key, (e.value->>1)::int AS length,
          coalesce(sum((e.value->>1)::int) OVER (ORDER BY e.n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS start
          FROM json_array_elements(l.slots) WITH ORDINALITY AS e (value, n)) e
      ORDER BY s.sid, e.key, l.position DESC, e.n DESC),
  gone AS (DELETE FROM swl.slots o WHERE o.ctid = ANY (ARRAY (
      SELECT k.place FROM newest n
        CROSS JOIN LATERAL (SELECT k.ctid AS place FROM swl.slots k WHERE k.sid = n.sid AND k.key = n.key LIMIT 1) k
        WHERE n.length IS NULL)))
  INSERT INTO swl.slots AS o (sid, key, position, newest)
    SELECT n.sid, n.key, n.position, l.part FROM newest n
      CROSS JOIN LATERAL (SELECT substring(l.document FROM n.start::int + 1 FOR n.length) AS part FROM swl.log l
        WHERE l.sid = n.sid AND l.position = n.position LIMIT 1) l
      WHERE n.length IS NOT NULL
    ON CONFLICT (sid, key) DO UPDATE SET position = excluded.position, newest = excluded.newest`;

export interface Folding {
  /** To be told of what was accepted. */
  note(items: readonly PreparedItem[], answers: readonly (Answer | undefined)[]): void;
  /** To be told how many rows a loaded stream had since its last fold: some may have been missed. */
  loaded(stream: string, rows: number): void;
  /** Waits for what is under way, and begins nothing more. */
  finish(): Promise<void>;
}

type Positions = Pick<Extract<Answer, { readonly kind: "accepted" }>, "first" | "last">;

export function createFolding(database: Database): Folding {
  const grown = new Set<string>();
  /** Streams that were folded last, what has come since, and from which position on; the oldest first. */
  const resting = new Map<string, { readonly from: number; readonly until: number; bytes: number }>();
  let running: Promise<void> | undefined;
  let ended = false;

  /** What fails is met again when the stream has grown, or is loaded. */
  async function work(): Promise<void> {
    while (grown.size > 0 && !ended) {
      const streams = [...grown].slice(0, atOnce);
      for (const stream of streams) grown.delete(stream);
      await database.write(fold, streams).catch(() => {});
    }
    running = undefined;
  }

  function add(stream: string): void {
    if (ended || grown.size >= most) return;
    grown.add(stream);
    running ??= work();
  }

  function noteOne({ item: { stream, close }, slots }: PreparedItem, { first, last }: Positions): void {
    const recent = resting.get(stream);
    if (close === true) {
      resting.delete(stream);
      return;
    }
    const bytes = slots.reduce((sum, slot) => sum + (slot?.byteLength ?? 0), 0);
    if (recent !== undefined) recent.bytes += bytes;
    const isPast = Math.floor((first - 1) / foldEvery) !== Math.floor(last / foldEvery);
    if (!isPast && bytes < foldBytes) return;
    const now = performance.now();
    if (recent !== undefined && now < recent.until) {
      if (last - recent.from < restRecords && recent.bytes < restBytes) return;
    }
    add(stream);
    resting.delete(stream);
    resting.set(stream, { from: last, until: now + rest, bytes: 0 });
    if (resting.size > most)
      for (const oldest of [...resting.keys()].slice(0, most / 8)) resting.delete(oldest);
  }

  return {
    note(items, answers) {
      for (const [index, prepared] of items.entries()) {
        const answer = answers[index];
        if (answer?.kind === "accepted") noteOne(prepared, answer);
      }
    },
    loaded(stream, rows) {
      if (rows > 2 * foldEvery) add(stream);
    },
    async finish() {
      ended = true;
      await running;
    },
  };
}
