/**
 * Older rows of slots go behind the newest one: gathered while visits are written, removed in the background with one
 * statement. A hint: what is left behind by a failure or a crash goes when the same slot is written and pruned again.
 */
import type { PreparedItem } from "@swl/store-provider";
import type { Database } from "./database.js";

export interface Pruner {
  /** To be told what was accepted. */
  note(items: readonly PreparedItem[]): void;
  /** Waits for what is under way and removes what was gathered. */
  finish(): Promise<void>;
}

const remove = `DELETE FROM swl.slots o USING
  (SELECT s.sid, k.key, (SELECT max(m.position) FROM swl.slots m WHERE m.sid = s.sid AND m.key = k.key) AS newest
    FROM unnest($1::text[], $2::text[]) AS k (stream, key) JOIN swl.streams s ON s.stream = k.stream) n
  WHERE o.sid = n.sid AND o.key = n.key AND o.position < n.newest`;

/** @param threshold after so many rows written what lies behind them is removed */
export function createPruner(database: Database, threshold: number): Pruner {
  let gathered = new Map<string, readonly [stream: string, key: string]>();
  let written = 0;
  let running: Promise<void> | undefined;

  async function prune(): Promise<void> {
    const slots = [...gathered.values()];
    gathered = new Map();
    written = 0;
    if (slots.length === 0) return;
    await database
      .write(
        remove,
        slots.map(([stream]) => stream),
        slots.map(([, key]) => key),
      )
      .catch(() => {});
  }

  return {
    note(items) {
      for (const { item } of items) {
        // A stream's first slots have nothing behind them.
        if (item.expect === 0) continue;
        for (const { key } of item.slots ?? []) {
          written += 1;
          gathered.set(`${item.stream}\0${key}`, [item.stream, key]);
        }
      }
      if (written < threshold || running !== undefined) return;
      running = prune().finally(() => {
        running = undefined;
      });
    },
    async finish() {
      await running;
      await prune();
    },
  };
}
