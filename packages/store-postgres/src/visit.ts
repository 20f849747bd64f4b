/**
 * The commit of a lone plain visit: a record and a slot after the position that the item expects, on a stream that stands
 * there, open, with nothing else waiting and its owner's lease running. It is what direct-sql.ts does for lists of any
 * items, which would cost a lone one double. What it does not accept is judged the long way.
 */
import type { Answer, PreparedItem } from "@swl/store-provider";
import { stampTolerance } from "@swl/store-provider";
import type { Statements } from "./database.js";
import { momentBy, waitsForDisk } from "./moment.js";

/** Brings one record and one slot at most, applies, and leaves the stream's row as it is. */
export function isPlainVisit({ item, records, slots }: PreparedItem): boolean {
  if (records.length !== 1 || slots.length > 1) return false;
  const { expect, applies, owner, require, receipts, facets, dues, work, settled, withdraw, blobs, pins } =
    item;
  if (expect === "next" || expect === 0 || applies !== true || owner === null) return false;
  if (item.fence || item.close || item.hold !== undefined || item.lift !== undefined) return false;
  if (facets !== undefined && Object.keys(facets).length > 0) return false;
  return [require, receipts, dues, work, settled, withdraw, blobs, pins].every((list) => !list?.length);
}

/**
 * The stream `f` at the moment `t.now`, if a visit may go on there. A session whose commits would not wait for the disk
 * is left to those that tell it to.
 */
const stands = `FROM (SELECT ${momentBy("$1")} AS now) t, swl.streams f
    WHERE f.stream = $2::text AND NOT f.closed AND f.hold IS NULL AND f.applied IS NULL AND ${waitsForDisk}
      AND (SELECT max(l.position) FROM swl.log l WHERE l.sid = f.sid) = $3::bigint
      AND $4::bigint <= t.now + ${stampTolerance}
      AND ($5::text IS NULL OR (f.owner = $5 AND EXISTS (
        SELECT 1 FROM swl.holders h WHERE h.holder = $5 AND h.until > t.now)))`;

/** Its first use says of what type a parameter is. */
const next = "$3::bigint + 1";
const log = "INSERT INTO swl.log (sid, position, at, applies, kind, commit_id, document)";

/** No more than two inserts, the second fed by the first: each step of a plan costs a lone visit something. */
const bare = `${log}
  SELECT f.sid, ${next}, t.now, true, $6::text, $7::text, $8::bytea ${stands} RETURNING at`;
const withSlot = `WITH k AS (INSERT INTO swl.slots (sid, key, position, document)
    SELECT f.sid, $9::text, ${next}, $10::bytea ${stands} RETURNING sid)
  ${log}
  SELECT k.sid, ${next}, ${momentBy("$1")}, true, $6::text, $7::text, $8::bytea FROM k RETURNING at`;

/** Undefined where it must be judged. Throws what the driver throws when others were faster. */
export async function writeVisit(
  call: Statements,
  visit: PreparedItem,
  clock: number | null,
): Promise<Answer | undefined> {
  const [slot] = visit.item.slots ?? [];
  const values = loneValues(visit, clock);
  const [row] =
    slot === undefined
      ? await call.write(bare, ...values)
      : await call.write(withSlot, ...values, slot.key, visit.slots[0] ?? null);
  if (row === undefined) return undefined;
  const first = (visit.item.expect as number) + 1;
  return { kind: "accepted", first, last: first, at: row["at"] as number, repeated: false };
}

function loneValues({ item, records }: PreparedItem, clock: number | null): readonly unknown[] {
  return [
    clock,
    item.stream,
    item.expect,
    item.stamp,
    item.owner ?? null,
    item.records[0]?.kind,
    item.commit,
    records[0],
  ];
}
