/** Holders and their leases, and the claims they make. A lease runs strictly before its deadline and never comes back. */
import { type ClaimOptions, type HolderAnswer, isLive, storeError } from "@swl/store-provider";
import type { Database, Row } from "./driver.js";
import { claimable } from "./work.js";

export function leaseOf(database: Database, holder: string): number | undefined {
  return database.get("SELECT until FROM holders WHERE holder = ?", holder)?.["until"] as number | undefined;
}

export function openHolder(
  database: Database,
  holder: string,
  lease: number,
  exclusive: boolean,
  now: number,
): HolderAnswer {
  if (leaseOf(database, holder) !== undefined) return renewHolder(database, holder, lease, now);
  if (exclusive) {
    const active = database.get(
      "SELECT holder, until FROM holders WHERE until > ? ORDER BY until DESC, holder LIMIT 1",
      now,
    );
    if (active !== undefined) {
      return { kind: "active", holder: active["holder"] as string, until: active["until"] as number, now };
    }
    // Whoever lost to this one stays lost, even when the clock is set back.
    database.run("UPDATE holders SET until = 0 WHERE until > 0");
  }
  database.run("INSERT INTO holders (holder, until) VALUES (?, ?)", holder, now + lease);
  return { kind: "held", until: now + lease, now };
}

export function renewHolder(database: Database, holder: string, lease: number, now: number): HolderAnswer {
  if (!isLive(leaseOf(database, holder), now)) {
    closeHolder(database, holder);
    return { kind: "lease-lost", now };
  }
  database.run("UPDATE holders SET until = ? WHERE holder = ?", now + lease, holder);
  return { kind: "held", until: now + lease, now };
}

export function liveHolders(
  database: Database,
  now: number,
  limit: number,
): readonly { readonly holder: string; readonly until: number }[] {
  return database
    .all("SELECT holder, until FROM holders WHERE until > ? ORDER BY holder LIMIT ?", now, limit)
    .map((row) => ({ holder: row["holder"] as string, until: row["until"] as number }));
}

export function closeHolder(database: Database, holder: string): void {
  database.run("UPDATE holders SET until = 0 WHERE holder = ? AND until > 0", holder);
}

/** Throws `store.lease-lost` when a claim without a lease of its own comes from a holder that is not live. */
export function checkClaimant(
  database: Database,
  holder: string,
  { lease }: ClaimOptions,
  now: number,
): void {
  if (lease === undefined && !isLive(leaseOf(database, holder), now)) {
    throw storeError("lease-lost", `The lease of holder ${holder} has run out.`);
  }
}

/** True when some of the queues has something to claim: asked before the write lock is. */
export function hasClaimable(database: Database, { queues }: ClaimOptions, now: number): boolean {
  return queues.some(({ queue, limit }) => limit > 0 && claimable(database, queue, now, 1).length > 0);
}

export function claim(
  database: Database,
  holder: string,
  { queues, lease }: ClaimOptions,
  now: number,
): readonly Row[] {
  const until = lease === undefined ? null : now + lease;
  return queues.flatMap(({ queue, limit }) =>
    claimable(database, queue, now, limit).map((row) => {
      database.run(
        "UPDATE work SET holder = ?, until = ? WHERE seq = ?",
        holder,
        until,
        row["seq"] as number,
      );
      return { ...row, holder, until };
    }),
  );
}

/** Without a delay the work keeps its place in the queue. */
export function unclaim(
  database: Database,
  holder: string,
  work: readonly string[],
  delay: number,
  now: number,
): void {
  const notBefore = delay === 0 ? null : now + delay;
  for (const id of work) {
    database.run(
      `UPDATE work SET holder = NULL, until = NULL, not_before = coalesce(?, not_before)
        WHERE id = ? AND holder = ?`,
      notBefore,
      id,
      holder,
    );
  }
}

export function renewWork(
  database: Database,
  holder: string,
  work: readonly string[],
  lease: number,
  now: number,
): readonly string[] {
  return work.filter(
    (id) =>
      database.run(
        "UPDATE work SET until = ? WHERE id = ? AND holder = ? AND until > ?",
        now + lease,
        id,
        holder,
        now,
      ).changes > 0,
  );
}

/** Steps from owner to owner in the index, however many streams each of them has. */
export function orphanedStreams(database: Database, now: number, limit: number, after: string) {
  return database
    .all(
      `WITH RECURSIVE o (owner) AS (
        SELECT min(owner) FROM streams WHERE owner IS NOT NULL
        UNION ALL
        SELECT (SELECT min(owner) FROM streams WHERE owner > o.owner) FROM o WHERE o.owner IS NOT NULL
      )
      SELECT s.stream, s.owner
        FROM o LEFT JOIN holders l ON l.holder = o.owner CROSS JOIN streams s ON s.owner = o.owner
        WHERE (l.until IS NULL OR l.until <= ?) AND s.stream > ? AND s.hold IS NULL
        ORDER BY s.stream LIMIT ?`,
      now,
      after,
      limit,
    )
    .map((row) => ({ stream: row["stream"] as string, owner: row["owner"] as string }));
}
