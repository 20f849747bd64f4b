/** Pruning: one portion of closed streams goes with all that is theirs, in one short transaction. Spec: STO-prune. */
import { createBackoff, type Pruned, portionRecords } from "@swl/store-provider";
import type { Database } from "./database.js";
import { classify, toStoreError } from "./driver-errors.js";
import type { OlderSlots } from "./older-slots.js";

export interface Pruning {
  readonly name: string;
  readonly database: Database;
  readonly olderSlots: OlderSlots;
  /** Milliseconds for the whole call. */
  readonly patience: number;
}

/** When nothing is left to prune it looks for older rows of slots that a crash has left. */
export async function prune(context: Pruning, closedBefore: number, limit: number): Promise<Pruned> {
  const begun = performance.now();
  const pruned = await pruneOnce(context, closedBefore, limit);
  if (!pruned.more) await context.olderSlots.sweep((context.patience - (performance.now() - begun)) / 2);
  return pruned;
}

/** Repeated when a blob was pinned at the moment at which it was to go. */
async function pruneOnce({ name, database, patience }: Pruning, closedBefore: number, limit: number) {
  const call = database.call();
  const begun = performance.now();
  const backoff = createBackoff({ total: patience });
  for (;;) {
    try {
      const [row] = await call.write(
        "SELECT swl.prune_closed($1, $2, $3) AS pruned",
        closedBefore,
        limit,
        portionRecords,
      );
      return row?.["pruned"] as Pruned;
    } catch (error) {
      const delay =
        classify(error)?.remedy === "reload" ? backoff.next(performance.now() - begun) : undefined;
      if (delay === undefined) throw toStoreError(name, error, false);
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
}
