/**
 * The commit of a plain visit, in one statement: records and slots after the position that the item expects, on a stream
 * that stands there, open, with nothing else waiting and its owner's lease running. Two prepared forms: one item, and
 * lists of many, which would cost a lone one double. What it does not accept is judged the long way.
 */
import type { Answer, PreparedItem } from "@swl/store-provider";
import { stampTolerance } from "@swl/store-provider";
import type { Row, Statements } from "./database.js";

/** Brings records and slots, applies, and leaves the stream's row as it is. */
export function isPlainVisit({ item }: PreparedItem): boolean {
  const { expect, applies, owner, require, receipts, facets, dues, work, settled, withdraw, blobs, pins } =
    item;
  if (expect === "next" || expect === 0 || applies !== true || owner === null) return false;
  if (item.fence || item.close || item.hold !== undefined || item.lift !== undefined) return false;
  if (facets !== undefined && Object.keys(facets).length > 0) return false;
  return [require, receipts, dues, work, settled, withdraw, blobs, pins].every((list) => !list?.length);
}

/** What a stream `s` must be like for an item `i`. */
const stands = `NOT s.closed AND s.hold IS NULL AND s.applied IS NULL
    AND (SELECT max(l.position) FROM swl.log l WHERE l.sid = s.sid) = i.expect
    AND i.stamp <= t.now + ${stampTolerance}
    AND (i.owner IS NULL OR (s.owner = i.owner AND EXISTS (
      SELECT 1 FROM swl.holders h WHERE h.holder = i.owner AND h.until > t.now)))`;

const lone = `WITH t AS MATERIALIZED (SELECT swl.write_at($1) AS now),
  s AS MATERIALIZED (
    SELECT s.sid, i.expect, t.now
      FROM (SELECT $2::text AS stream, $3::bigint AS expect, $4::bigint AS stamp, $5::text AS owner) i
      CROSS JOIN t JOIN swl.streams s ON s.stream = i.stream
      WHERE ${stands}),
  l AS (INSERT INTO swl.log (sid, position, at, applies, kind, commit_id, document)
    SELECT s.sid, s.expect + 1, s.now, true, $6, $7, $8 FROM s),
  k AS (INSERT INTO swl.slots (sid, key, position, document)
    SELECT s.sid, k.key, s.expect + 1, k.document
      FROM s CROSS JOIN unnest($9::text[], $10::bytea[]) AS k (key, document))
  SELECT 1 AS n, s.now FROM s`;

const many = `WITH t AS MATERIALIZED (SELECT swl.write_at($1) AS now),
  s AS MATERIALIZED (
    SELECT i.n, s.sid, i.expect, i.commit_id, t.now
      FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[])
        WITH ORDINALITY AS i (stream, expect, stamp, owner, commit_id, n)
      CROSS JOIN t
      -- Each looked up by itself, whatever the planner believes to be the number of streams.
      CROSS JOIN LATERAL (SELECT * FROM swl.streams f WHERE f.stream = i.stream LIMIT 1) s
      WHERE ${stands}),
  l AS (INSERT INTO swl.log (sid, position, at, applies, kind, commit_id, document)
    SELECT s.sid, s.expect + r.step, s.now, r.applies, r.kind, s.commit_id, r.document
      FROM unnest($7::int[], $8::int[], $9::boolean[], $10::text[], $11::bytea[])
        AS r (n, step, applies, kind, document)
      JOIN s ON s.n = r.n ORDER BY s.sid, r.step),
  k AS (INSERT INTO swl.slots (sid, key, position, document)
    SELECT s.sid, k.key, s.expect + k.step, k.document
      FROM unnest($12::int[], $13::int[], $14::text[], $15::bytea[]) AS k (n, step, key, document)
      JOIN s ON s.n = k.n)
  SELECT s.n::int AS n, s.now FROM s`;

/** One answer an item, undefined where it must be judged. Throws what the driver throws when others were faster. */
export async function writeVisits(
  call: Statements,
  visits: readonly PreparedItem[],
  clock: number | null,
): Promise<readonly (Answer | undefined)[]> {
  const [only] = visits;
  const rows =
    visits.length === 1 && only?.records.length === 1
      ? await call.write(lone, ...loneValues(only, clock))
      : await call.write(many, ...manyValues(visits, clock));
  const at = new Map(rows.map((row: Row) => [row["n"] as number, row["now"] as number]));
  return visits.map(({ item, records }, index) => {
    const accepted = at.get(index + 1);
    if (accepted === undefined) return undefined;
    const expect = item.expect as number;
    return {
      kind: "accepted",
      first: expect + 1,
      last: expect + records.length,
      at: accepted,
      repeated: false,
    };
  });
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

function manyValues(visits: readonly PreparedItem[], clock: number | null): readonly unknown[] {
  const items = visits.map(({ item }) => item);
  const records = visits.flatMap((visit, index) =>
    visit.item.records.map(({ kind }, step) => ({
      n: index + 1,
      step: step + 1,
      kind,
      bytes: visit.records[step],
      applies: step === visit.records.length - 1,
    })),
  );
  const slots = visits.flatMap((visit, index) =>
    (visit.item.slots ?? []).map(({ key }, place) => ({
      n: index + 1,
      step: visit.records.length,
      key,
      bytes: visit.slots[place] ?? null,
    })),
  );
  return [
    clock,
    items.map(({ stream }) => stream),
    items.map(({ expect }) => expect),
    items.map(({ stamp }) => stamp),
    items.map(({ owner }) => owner ?? null),
    items.map(({ commit }) => commit),
    records.map(({ n }) => n),
    records.map(({ step }) => step),
    records.map(({ applies }) => applies),
    records.map(({ kind }) => kind),
    records.map(({ bytes }) => bytes),
    slots.map(({ n }) => n),
    slots.map(({ step }) => step),
    slots.map(({ key }) => key),
    slots.map(({ bytes }) => bytes),
  ];
}
