/** Holders and their leases. A lease runs strictly before its deadline and never comes back. */
import type { HolderAnswer } from "@swl/store-provider";
import type { Database } from "./database.js";

export async function openHolder(
  database: Database,
  holder: string,
  lease: number,
  exclusive: boolean,
  clock: number | null,
): Promise<HolderAnswer> {
  const [row] = await database.write(
    "SELECT swl.open_holder($1, $2, $3, $4) AS answer",
    holder,
    lease,
    exclusive,
    clock,
  );
  return row?.["answer"] as HolderAnswer;
}

export async function renewHolder(
  database: Database,
  holder: string,
  lease: number,
  clock: number | null,
): Promise<HolderAnswer> {
  const [row] = await database.write("SELECT swl.renew_holder($1, $2, $3) AS answer", holder, lease, clock);
  return row?.["answer"] as HolderAnswer;
}

export async function closeHolder(database: Database, holder: string): Promise<void> {
  await database.write(
    "UPDATE swl.holders SET until = 0 FROM (SELECT swl.write_at(0) AS now) t WHERE holder = $1 AND until > t.now",
    holder,
  );
}

export async function liveHolders(database: Database, clock: number | null, limit: number) {
  const rows = await database.read(
    "SELECT holder, until FROM swl.holders WHERE until > (SELECT swl.now_by($1)) ORDER BY holder LIMIT $2",
    clock,
    limit,
  );
  return rows.map((row) => ({ holder: row["holder"] as string, until: row["until"] as number }));
}

/** Steps from owner to owner in the index, however many streams each of them has. */
const orphans = `WITH RECURSIVE t AS MATERIALIZED (SELECT swl.now_by($1) AS now),
  o (owner) AS (
    SELECT min(owner) FROM swl.streams WHERE owner IS NOT NULL
    UNION ALL
    SELECT (SELECT min(s.owner) FROM swl.streams s WHERE s.owner > o.owner) FROM o WHERE o.owner IS NOT NULL
  )
  SELECT s.stream, o.owner
    FROM o LEFT JOIN swl.holders l ON l.holder = o.owner
      CROSS JOIN LATERAL (SELECT s.stream FROM swl.streams s
        WHERE s.owner = o.owner AND s.stream > $2 AND s.hold IS NULL ORDER BY s.stream LIMIT $3) s
    WHERE l.until IS NULL OR l.until <= (SELECT now FROM t)
    ORDER BY s.stream LIMIT $3`;

export async function orphanedStreams(
  database: Database,
  clock: number | null,
  limit: number,
  after: string,
) {
  const rows = await database.read(orphans, clock, after, limit);
  return rows.map((row) => ({ stream: row["stream"] as string, owner: row["owner"] as string }));
}
