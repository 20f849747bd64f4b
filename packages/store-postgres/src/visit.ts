/**
 * The commit of a lone plain visit: a record with its slots after the position that the item expects, on a stream that
 * stands there, open, with nothing else waiting and its owner's lease running: one insert. It is what direct-sql.ts does
 * for any items, which would cost this one more. What it does not accept is judged the long way.
 */
import type { Answer, PreparedItem } from "@swl/store-provider";
import { stampTolerance } from "@swl/store-provider";
import type { Statements } from "./database.js";
import { momentBy, waitsForDisk } from "./moment.js";
import { slotList } from "./slots.js";

/** Brings one record and slots, applies, and leaves the stream's row as it is. */
export function isPlainVisit({ item, records }: PreparedItem): boolean {
  if (records.length !== 1) return false;
  const { expect, applies, owner, require, receipts, facets, dues, work, settled, withdraw, blobs, pins } =
    item;
  if (expect === "next" || expect === 0 || applies !== true || owner === null) return false;
  if (item.fence || item.close || item.hold !== undefined || item.lift !== undefined) return false;
  if (facets !== undefined && Object.keys(facets).length > 0) return false;
  return [require, receipts, dues, work, settled, withdraw, blobs, pins].every((list) => !list?.length);
}

/**
 * A session whose commits would not wait for the disk is left to those that tell it to. Which format the tables have is
 * not looked up each time: where a later one has no use for such rows it gives the log's columns other names.
 */
const now = momentBy("$1");
const visit = `INSERT INTO swl.log (sid, position, at, applies, kind, commit_id, document, size, slots)
  SELECT f.sid, $3::bigint + 1, ${now}, true, $6::text, $7::text, $8::bytea, $9::int, $10::json
    FROM swl.streams f
    WHERE f.stream = $2::text AND NOT f.closed AND f.hold IS NULL AND f.applied IS NULL AND ${waitsForDisk}
      AND (SELECT l.position FROM swl.log l WHERE l.sid = f.sid ORDER BY l.position DESC LIMIT 1) = $3::bigint
      AND $4::bigint <= ${now} + ${stampTolerance}
      AND ($5::text IS NULL OR (f.owner = $5 AND EXISTS (
        SELECT 1 FROM swl.holders h WHERE h.holder = $5 AND h.until > ${now})))
  RETURNING at`;

/** Undefined where it must be judged. Throws what the driver throws when others were faster. */
export async function writeVisit(
  call: Statements,
  prepared: PreparedItem,
  clock: number | null,
): Promise<Answer | undefined> {
  const { item, records, slots } = prepared;
  const [record] = records as readonly [Uint8Array];
  const list = slotList(prepared);
  const document =
    list === null ? record : Buffer.concat([record, ...slots.filter((slot) => slot !== undefined)]);
  const [row] = await call.write(
    visit,
    clock,
    item.stream,
    item.expect,
    item.stamp,
    item.owner ?? null,
    item.records[0]?.kind,
    item.commit,
    document,
    list && record.byteLength,
    list,
  );
  if (row === undefined) return undefined;
  const first = (item.expect as number) + 1;
  return { kind: "accepted", first, last: first, at: row["at"] as number, repeated: false };
}
