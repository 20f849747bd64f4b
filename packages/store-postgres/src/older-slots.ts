/**
 * Older rows of slots go behind the newest one: gathered while visits are written, removed in the background with one
 * statement, where enough have come for it to be worth while. A stream that is closed keeps its last few. What a failure or a crash left behind is found by looking at all slots, a portion of streams at a time.
 */
import type { PreparedItem } from "@swl/store-provider";
import type { Database } from "./database.js";

export interface OlderSlots {
  /** To be told what was accepted. */
  note(items: readonly PreparedItem[]): void;
  /** Looks for what was left behind, once for a handle and after a failure: for so many milliseconds, later the rest. */
  sweep(milliseconds: number): Promise<void>;
  /** Waits for what is under way and removes what was gathered. */
  finish(): Promise<void>;
}

/**
 * From the row before the first one that was gathered, which the last removal has left, to the newest one. What was
 * removed before is not walked over again: while a session holds a snapshot it is still there.
 */
const remove = `DELETE FROM swl.slots o USING
  (SELECT s.sid, k.key,
      coalesce((SELECT max(m.position) FROM swl.slots m
        WHERE m.sid = s.sid AND m.key = k.key AND m.position < k.first), k.first) AS oldest,
      (SELECT max(m.position) FROM swl.slots m WHERE m.sid = s.sid AND m.key = k.key) AS newest
    FROM unnest($1::text[], $2::text[], $3::bigint[]) AS k (stream, key, first)
      JOIN swl.streams s ON s.stream = k.stream) n
  WHERE o.sid = n.sid AND o.key = n.key AND o.position >= n.oldest AND o.position < n.newest`;

interface Gathered {
  readonly stream: string;
  readonly key: string;
  /** Position of the first row that came since the last removal. */
  readonly first: number;
  /** Rows since then. */
  rows: number;
}

/** Older rows that a slot may have before they are looked for: most slots of most streams are written a few times only. */
const worthIt = 8;
/** Slots kept in mind; when there are more all go that have older rows. */
const most = 8_192;

/** Of the streams with numbers above $1, so many. Gives the last one's number; NULL after the last portion. */
const sweepSome = `WITH p AS MATERIALIZED (
    SELECT max(sid) AS last FROM (SELECT sid FROM swl.streams WHERE sid > $1 ORDER BY sid LIMIT 2000) s),
  gone AS (DELETE FROM swl.slots o USING (
      SELECT s.sid, s.key, max(s.position) AS newest FROM swl.slots s
        WHERE s.sid > $1 AND s.sid <= (SELECT last FROM p) GROUP BY s.sid, s.key HAVING count(*) > 1) n
    WHERE o.sid = n.sid AND o.key = n.key AND o.position < n.newest)
  SELECT last FROM p`;

/** @param threshold after so many rows written what lies behind them is removed */
export function createOlderSlots(database: Database, threshold: number): OlderSlots {
  /** By stream and key. */
  const gathered = new Map<string, Map<string, Gathered>>();
  let size = 0;
  let written = 0;
  let running: Promise<void> | undefined;
  /** Where the next look begins; null when there is nothing to look for. */
  let swept: number | null = 0;

  function forget(stream: string): void {
    size -= gathered.get(stream)?.size ?? 0;
    gathered.delete(stream);
  }

  /** Those with so many rows. */
  function taken(least: number): readonly Gathered[] {
    const slots: Gathered[] = [];
    for (const [stream, keys] of gathered) {
      for (const [key, slot] of keys) {
        if (slot.rows < least) continue;
        slots.push(slot);
        keys.delete(key);
        size -= 1;
      }
      if (keys.size === 0) gathered.delete(stream);
    }
    return slots;
  }

  async function removeGathered(least: number): Promise<void> {
    const slots = taken(least);
    written = 0;
    if (slots.length === 0) return;
    await database
      .write(
        remove,
        slots.map(({ stream }) => stream),
        slots.map(({ key }) => key),
        slots.map(({ first }) => first),
      )
      .catch(() => {
        swept = 0;
      });
  }

  function gather(stream: string, key: string, first: number): void {
    const keys = gathered.get(stream) ?? new Map<string, Gathered>();
    gathered.set(stream, keys);
    const slot = keys.get(key);
    if (slot !== undefined) slot.rows += 1;
    else {
      keys.set(key, { stream, key, first, rows: 1 });
      size += 1;
    }
  }

  return {
    note(items) {
      for (const { item } of items) {
        // A stream's first slots have nothing behind them; those of one that is closed stay as long as it does.
        if (item.close === true) forget(item.stream);
        else if (item.expect !== 0 && item.expect !== "next") {
          const first = item.expect + item.records.length;
          for (const { key } of item.slots ?? []) gather(item.stream, key, first);
          written += item.slots?.length ?? 0;
        }
      }
      const full = size >= most;
      if ((written < threshold && !full) || running !== undefined) return;
      running = removeGathered(full ? 1 : worthIt).finally(() => {
        running = undefined;
      });
    },
    async sweep(milliseconds) {
      const ends = performance.now() + milliseconds;
      while (swept !== null && performance.now() < ends) {
        const [row] = await database.write(sweepSome, swept);
        swept = (row?.["last"] ?? null) as number | null;
      }
    },
    async finish() {
      await running;
      await removeGathered(1);
    },
  };
}
