/** What is in the tables, counted: a statement for each, so that none of them takes long. */
import type { StoreStats } from "@swl/store-provider";
import type { Database } from "./database.js";
import { tables } from "./schema.js";
import { recentRows } from "./slots.js";

export async function stats(database: Database, clock: number | null): Promise<StoreStats> {
  const one = async (sql: string, ...values: readonly unknown[]) => {
    const [row] = await database.read(sql, ...values);
    return row as Readonly<Record<string, number>>;
  };
  const count = async (table: string) => (await one(`SELECT count(*) AS n FROM swl.${table}`))["n"] as number;
  const streams = await one(`SELECT count(*) FILTER (WHERE NOT closed AND hold IS NULL) AS open,
    count(*) FILTER (WHERE NOT closed AND hold IS NOT NULL) AS held, count(*) FILTER (WHERE closed) AS closed
    FROM swl.streams`);
  const slots = await one(`SELECT count(*) AS n FROM (SELECT DISTINCT ON (sid, key) there FROM (
      SELECT sid, key, position, 0 AS n, true AS there FROM swl.slots
      UNION ALL SELECT s.sid, e.value->>0, l.position, e.n, e.value->>1 IS NOT NULL FROM swl.streams s
        CROSS JOIN LATERAL (SELECT l.position, l.slots FROM ${recentRows}) l
        CROSS JOIN LATERAL json_array_elements(l.slots) WITH ORDINALITY AS e (value, n)) k
    ORDER BY sid, key, position DESC, n DESC) newest WHERE there`);
  const work = await one(`SELECT count(*) FILTER (WHERE holder IS NULL) AS waiting,
    count(*) FILTER (WHERE holder IS NOT NULL) AS claimed FROM swl.work`);
  const holders = await one(
    "SELECT count(*) AS n FROM swl.holders WHERE until > (SELECT swl.now_by($1))",
    clock,
  );
  const { bytes, version } = await one(
    `SELECT (SELECT version FROM swl.format) AS version,
      (SELECT sum(pg_total_relation_size(name::regclass))::bigint FROM unnest(ARRAY[${tables
        .map((table) => `'swl.${table}'`)
        .join(", ")}]) AS name) AS bytes`,
  );
  return {
    format: version as number,
    streams: streams as { readonly open: number; readonly held: number; readonly closed: number },
    records: await count("log"),
    slots: slots["n"] as number,
    dues: await count("dues"),
    work: work as { readonly waiting: number; readonly claimed: number },
    receipts: await count("receipts"),
    notes: await count("notes"),
    blobs: await count("blobs"),
    holders: holders["n"] as number,
    bytes: bytes as number,
  };
}
