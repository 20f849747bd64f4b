/** Work: claimed by holders with row locks that others skip, given back, renewed, found when it is abandoned. */
import { type ClaimOptions, type Documents, storeError, type Work } from "@swl/store-provider";
import type { Database, Row } from "./database.js";

/** A row `w` as `readWork` wants it. */
export const workColumns = `json_build_object('seq', w.seq, 'id', w.id, 'queue', w.queue,
    'stream', (SELECT t.stream FROM swl.streams t WHERE t.sid = w.sid),
    'notBefore', w.not_before, 'document', encode(w.document, 'base64'), 'holder', w.holder, 'until', w.until,
    'withdraw', w.withdraw)`;

interface WorkJson {
  readonly seq: number;
  readonly id: string;
  readonly stream: string;
  readonly queue: string;
  readonly notBefore: number;
  readonly document: string;
  readonly holder: string | null;
  readonly until: number | null;
  readonly withdraw: boolean;
}

export function readWork(json: unknown, documents: Documents): Work {
  const row = json as WorkJson;
  return {
    id: row.id,
    stream: row.stream,
    queue: row.queue,
    notBefore: row.notBefore,
    document: documents.decode(Buffer.from(row.document, "base64")),
    ...(row.holder !== null && { holder: row.holder }),
    ...(row.until !== null && { until: row.until }),
    withdraw: row.withdraw,
  };
}

const readAll = (rows: readonly Row[], documents: Documents) =>
  rows.map((row) => readWork(row["work"], documents));

/** The stream of a row `w` has no hold: looked up for one row after the other, whatever the plan. */
const isFree = "(SELECT s.hold IS NULL FROM swl.streams s WHERE s.sid = w.sid)";

/** What others are claiming at this moment is skipped, not waited for. */
const take = `WITH t AS MATERIALIZED (SELECT swl.write_at($1) AS now),
  allowed AS MATERIALIZED (SELECT $3::bigint IS NOT NULL OR EXISTS (
    SELECT 1 FROM swl.holders h CROSS JOIN t WHERE h.holder = $2 AND h.until > t.now) AS yes),
  found AS MATERIALIZED (
    SELECT q.n, c.id FROM unnest($4::text[], $5::bigint[]) WITH ORDINALITY AS q (queue, most, n)
      CROSS JOIN LATERAL (
        SELECT w.id FROM swl.work w
          WHERE w.queue = q.queue AND w.holder IS NULL AND NOT w.withdraw
            AND w.not_before <= (SELECT now FROM t) AND ${isFree} AND (SELECT yes FROM allowed)
          ORDER BY w.not_before, w.seq LIMIT q.most FOR UPDATE OF w SKIP LOCKED) c),
  w AS (UPDATE swl.work w SET holder = $2, until = (SELECT now FROM t) + $3
    FROM found WHERE w.id = found.id AND w.holder IS NULL
    RETURNING w.*, found.n)
  SELECT allowed.yes, ${workColumns} AS work, w.n, w.not_before, w.seq
    FROM allowed LEFT JOIN w ON true ORDER BY w.n, w.not_before, w.seq`;

/** Throws `store.lease-lost` when a claim without a lease of its own comes from a holder that is not live. */
export async function claim(
  database: Database,
  holder: string,
  { queues, lease }: ClaimOptions,
  clock: number | null,
  documents: Documents,
): Promise<readonly Work[]> {
  const wanted = new Map<string, number>();
  for (const { queue, limit } of queues) wanted.set(queue, (wanted.get(queue) ?? 0) + limit);
  const rows = await database.write(
    take,
    clock,
    holder,
    lease ?? null,
    [...wanted.keys()],
    [...wanted.values()],
  );
  if (rows[0]?.["yes"] !== true) {
    throw storeError("lease-lost", `The lease of holder ${holder} has run out.`);
  }
  return readAll(
    rows.filter((row) => row["seq"] !== null),
    documents,
  );
}

export async function workOfHolder(database: Database, holder: string, documents: Documents) {
  return readAll(
    await database.read(
      `SELECT ${workColumns} AS work FROM swl.work w WHERE w.holder = $1 ORDER BY w.id`,
      holder,
    ),
    documents,
  );
}

/** Without a delay the work keeps its place in the queue. */
export async function unclaim(
  database: Database,
  holder: string,
  work: readonly string[],
  delay: number,
  clock: number | null,
): Promise<void> {
  await database.write(
    `UPDATE swl.work SET holder = NULL, until = NULL,
        not_before = CASE WHEN $3::bigint = 0 THEN not_before ELSE t.now + $3 END
      FROM (SELECT swl.write_at($4) AS now) t WHERE id = ANY ($2::text[]) AND holder = $1`,
    holder,
    work,
    delay,
    clock,
  );
}

export async function renewWork(
  database: Database,
  holder: string,
  work: readonly string[],
  lease: number,
  clock: number | null,
): Promise<readonly string[]> {
  const rows = await database.write(
    "SELECT swl.renew_work($1, $2, $3, $4) AS id",
    holder,
    work,
    lease,
    clock,
  );
  const renewed = new Set(rows.map((row) => row["id"]));
  return work.filter((id) => renewed.has(id));
}

/** Steps from queue to queue in the index, however much work each of them has. */
const queueNames = `WITH RECURSIVE q (queue) AS (
    SELECT min(queue) FROM swl.work WHERE holder IS NULL AND NOT withdraw AND queue > $2
    UNION ALL
    SELECT (SELECT min(w.queue) FROM swl.work w WHERE w.holder IS NULL AND NOT w.withdraw AND w.queue > q.queue)
      FROM q WHERE q.queue IS NOT NULL
  )
  SELECT q.queue FROM q WHERE q.queue IS NOT NULL AND EXISTS (
    SELECT 1 FROM swl.work w
      WHERE w.queue = q.queue AND w.holder IS NULL AND NOT w.withdraw
        AND w.not_before <= (SELECT swl.now_by($1)) AND ${isFree}
  ) ORDER BY q.queue LIMIT $3`;

export async function claimableQueues(
  database: Database,
  clock: number | null,
  limit: number,
  after: string,
): Promise<readonly string[]> {
  const rows = await database.read(queueNames, clock, after, limit);
  return rows.map((row) => row["queue"] as string);
}

/** Marked and unheld; or claimed with a lease of its own that ran out; or by a holder whose lease ran out. */
const left = `WITH RECURSIVE t AS MATERIALIZED (SELECT swl.now_by($1) AS now),
  h (holder) AS (
    SELECT min(holder) FROM swl.work WHERE holder IS NOT NULL
    UNION ALL
    SELECT (SELECT min(w.holder) FROM swl.work w WHERE w.holder > h.holder) FROM h WHERE h.holder IS NOT NULL
  ),
  found (id) AS (
    SELECT w.id FROM swl.work w WHERE w.holder IS NULL AND w.withdraw AND w.id > $2 AND ${isFree}
    UNION ALL
    SELECT w.id FROM swl.work w
      WHERE w.until IS NOT NULL AND w.until <= (SELECT now FROM t) AND w.id > $2 AND ${isFree}
    UNION ALL
    SELECT w.id FROM h LEFT JOIN swl.holders l ON l.holder = h.holder
      CROSS JOIN LATERAL (SELECT w.id FROM swl.work w
        WHERE w.holder = h.holder AND w.until IS NULL AND w.id > $2 AND ${isFree} ORDER BY w.id LIMIT $3) w
      WHERE l.until IS NULL OR l.until <= (SELECT now FROM t)
  )
  SELECT ${workColumns} AS work FROM (SELECT f.id FROM found f ORDER BY f.id LIMIT $3) f
    CROSS JOIN LATERAL (SELECT w.* FROM swl.work w WHERE w.id = f.id LIMIT 1) w ORDER BY w.id`;

export async function abandonedWork(
  database: Database,
  clock: number | null,
  limit: number,
  after: string,
  documents: Documents,
): Promise<readonly Work[]> {
  return readAll(await database.read(left, clock, after, limit), documents);
}
