/** What a host looks for. Held streams are left out; closed ones have no owner, dues or work any more. */
import { compareIds, isLive } from "@swl/store-provider";
import type { Backing, DueRow, StreamRow, WorkRow } from "./backing.js";

export function unapplied(backing: Backing, limit: number, after: string | undefined): readonly string[] {
  const rows = backing.unapplied.from((row) => after === undefined || compareIds(row.name, after) > 0);
  return take(rows, limit).map((row) => row.name);
}

export function orphaned(
  backing: Backing,
  limit: number,
  after: string | undefined,
  now: number,
): readonly { readonly stream: string; readonly owner: string }[] {
  const found: StreamRow[] = [];
  for (const owner of backing.owned.names()) {
    if (isLive(backing.holders.get(owner), now)) continue;
    const rows = backing.owned
      .get(owner)
      ?.from((row) => after === undefined || compareIds(row.name, after) > 0);
    found.push(...take(rows, limit, (row) => row.facts.hold === undefined));
  }
  return found
    .sort((a, b) => compareIds(a.name, b.name))
    .slice(0, limit)
    .map((row) => ({ stream: row.name, owner: row.facts.owner as string }));
}

export function abandoned(
  backing: Backing,
  limit: number,
  after: string | undefined,
  now: number,
): readonly WorkRow[] {
  const past = (row: WorkRow) => after === undefined || compareIds(row.id, after) > 0;
  const found = take(backing.withdrawn.from(past), limit, (row) => row.stream.facts.hold === undefined);
  for (const holder of backing.held.names()) {
    const lease = backing.holders.get(holder);
    found.push(
      ...take(
        backing.held.get(holder)?.from(past),
        limit,
        (row) => row.stream.facts.hold === undefined && !isLive(row.until ?? lease, now),
      ),
    );
  }
  return found.sort((a, b) => compareIds(a.id, b.id)).slice(0, limit);
}

export function due(backing: Backing, limit: number, after: number, now: number): readonly DueRow[] {
  return take(untilNow(backing, now), after + limit, (row) => row.stream.facts.hold === undefined).slice(
    after,
  );
}

function* untilNow(backing: Backing, now: number): Generator<DueRow> {
  for (const row of backing.due.from()) {
    if (row.at > now) return;
    yield row;
  }
}

function take<T>(rows: Iterable<T> = [], limit: number, keep: (row: T) => boolean = () => true): T[] {
  const taken: T[] = [];
  for (const row of rows) {
    if (taken.length >= limit) break;
    if (keep(row)) taken.push(row);
  }
  return taken;
}
