/**
 * Older rows of slots go behind the newest one: gathered while visits are written, removed in the background with one
 * statement. What a failure or a crash left behind is found by looking at all slots, a portion of streams at a time.
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
}

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
  let gathered = new Map<string, Gathered>();
  let written = 0;
  let running: Promise<void> | undefined;
  /** Where the next look begins; null when there is nothing to look for. */
  let swept: number | null = 0;

  async function removeGathered(): Promise<void> {
    const slots = [...gathered.values()];
    gathered = new Map();
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

  return {
    note(items) {
      for (const { item } of items) {
        // A stream's first slots have nothing behind them.
        if (item.expect === 0 || item.expect === "next") continue;
        const { stream } = item;
        const first = item.expect + item.records.length;
        for (const { key } of item.slots ?? []) {
          written += 1;
          const name = `${stream}\0${key}`;
          if (!gathered.has(name)) gathered.set(name, { stream, key, first });
        }
      }
      if (written < threshold || running !== undefined) return;
      running = removeGathered().finally(() => {
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
      await removeGathered();
    },
  };
}
