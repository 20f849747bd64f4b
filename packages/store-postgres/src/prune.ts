/** Pruning: one portion of closed streams goes with all that is theirs, in one short transaction. Spec: STO-prune. */
import { createBackoff, type Pruned, portionRecords } from "@swl/store-provider";
import type { Database } from "./database.js";
import { classify, toStoreError } from "./driver-errors.js";

export interface Pruning {
  readonly name: string;
  readonly database: Database;
  /** Milliseconds for the whole call. */
  readonly patience: number;
}

/** Repeated when a blob was pinned at the moment at which it was to go. */
export async function prune(
  { name, database, patience }: Pruning,
  closedBefore: number,
  limit: number,
): Promise<Pruned> {
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
