/**
 * The commit of a lone plain visit: a record and slots after the position that the item expects, on a stream that stands
 * there, open, with nothing else waiting and its owner's lease running. It is what direct-sql.ts does for lists of any
 * items, which would cost a lone one half as much again. What it does not accept is judged the long way.
 */
import type { Answer, PreparedItem } from "@swl/store-provider";
import { stampTolerance } from "@swl/store-provider";
import type { Statements } from "./database.js";

/** Brings one record and slots, applies, and leaves the stream's row as it is. */
export function isPlainVisit({ item, records }: PreparedItem): boolean {
  const { expect, applies, owner, require, receipts, facets, dues, work, settled, withdraw, blobs, pins } =
    item;
  if (records.length !== 1 || expect === "next" || expect === 0 || applies !== true || owner === null)
    return false;
  if (item.fence || item.close || item.hold !== undefined || item.lift !== undefined) return false;
  if (facets !== undefined && Object.keys(facets).length > 0) return false;
  return [require, receipts, dues, work, settled, withdraw, blobs, pins].every((list) => !list?.length);
}

const lone = `WITH t AS MATERIALIZED (SELECT swl.write_at($1) AS now),
  s AS MATERIALIZED (
    SELECT s.sid, i.expect, t.now
      FROM (SELECT $2::text AS stream, $3::bigint AS expect, $4::bigint AS stamp, $5::text AS owner) i
      CROSS JOIN t JOIN swl.streams s ON s.stream = i.stream
      WHERE NOT s.closed AND s.hold IS NULL AND s.applied IS NULL
        AND (SELECT max(l.position) FROM swl.log l WHERE l.sid = s.sid) = i.expect
        AND i.stamp <= t.now + ${stampTolerance}
        AND (i.owner IS NULL OR (s.owner = i.owner AND EXISTS (
          SELECT 1 FROM swl.holders h WHERE h.holder = i.owner AND h.until > t.now)))),
  l AS (INSERT INTO swl.log (sid, position, at, applies, kind, commit_id, document)
    SELECT s.sid, s.expect + 1, s.now, true, $6, $7, $8 FROM s),
  k AS (INSERT INTO swl.slots (sid, key, position, document)
    SELECT s.sid, k.key, s.expect + 1, k.document
      FROM s CROSS JOIN unnest($9::text[], $10::bytea[]) AS k (key, document))
  SELECT s.now FROM s`;

/** Undefined where it must be judged. Throws what the driver throws when others were faster. */
export async function writeVisit(
  call: Statements,
  visit: PreparedItem,
  clock: number | null,
): Promise<Answer | undefined> {
  const [row] = await call.write(lone, ...loneValues(visit, clock));
  if (row === undefined) return undefined;
  const first = (visit.item.expect as number) + 1;
  return { kind: "accepted", first, last: first, at: row["now"] as number, repeated: false };
}

function loneValues({ item, records, slots }: PreparedItem, clock: number | null): readonly unknown[] {
  return [
    clock,
    item.stream,
    item.expect,
    item.stamp,
    item.owner ?? null,
    item.records[0]?.kind,
    item.commit,
    records[0],
    (item.slots ?? []).map(({ key }) => key),
    slots.map((bytes) => bytes ?? null),
  ];
}
