/** The row of a stream, its labels, and lists of streams. */
import {
  type Changes,
  type Hold,
  type ListOptions,
  type Page,
  type StreamFacts,
  type StreamHead,
  setOwn,
} from "@swl/store-provider";
import type { Database, Row, Value } from "./driver.js";

/** A stream's row as it is now, with the number that stands for the stream in every other table. */
export interface StreamRow {
  readonly sid: number;
  readonly stream: string;
  readonly origin: number;
  readonly facts: StreamFacts;
}

const select = `SELECT s.*, (SELECT max(position) FROM log WHERE sid = s.sid) AS position FROM streams s`;

export function findStream(database: Database, stream: string): StreamRow | undefined {
  return readRow(database.get(`${select} WHERE s.stream = ?`, stream));
}

/** Streams in the order of their numbers, after one of these. */
export function streamsFrom(database: Database, after: number, limit: number): readonly StreamRow[] {
  return database
    .all(`${select} WHERE s.sid > ? ORDER BY s.sid LIMIT ?`, after, limit)
    .flatMap((row) => readRow(row) ?? []);
}

function readRow(row: Row | undefined): StreamRow | undefined {
  if (row === undefined) return undefined;
  const position = row["position"] as number;
  return {
    sid: row["sid"] as number,
    stream: row["stream"] as string,
    origin: row["origin"] as number,
    facts: {
      position,
      applied: (row["applied"] as number | null) ?? position,
      fence: row["fence"] as number,
      ...(row["owner"] !== null && { owner: row["owner"] as string }),
      ...(row["hold"] !== null && { hold: row["hold"] as Hold }),
      closed: row["closed"] === 1,
      createdAt: row["created_at"] as number,
    },
  };
}

/** What the row keeps of the facts; `applied` only while something waits to be applied. */
function columns({ applied, position, fence, owner, hold, closed }: StreamFacts): readonly Value[] {
  return [applied === position ? null : applied, fence, owner ?? null, hold ?? null, closed ? 1 : 0];
}

export function insertStream(
  database: Database,
  stream: string,
  origin: number,
  facts: StreamFacts,
  at: number,
): number {
  const row = database.get(
    `INSERT INTO streams (applied, fence, owner, hold, closed, closed_at, stream, origin, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING sid`,
    ...columns(facts),
    facts.closed ? at : null,
    stream,
    origin,
    facts.createdAt,
  );
  return row?.["sid"] as number;
}

/** Writes nothing when the row stays as it is, which is so for nearly every visit. */
export function updateStream(
  database: Database,
  { sid, facts: before }: StreamRow,
  after: StreamFacts,
  at: number,
): void {
  const old = columns(before);
  const now = columns(after);
  if (now.every((value, index) => value === old[index])) return;
  database.run(
    "UPDATE streams SET applied = ?, fence = ?, owner = ?, hold = ?, closed = ?, closed_at = ? WHERE sid = ?",
    ...now,
    after.closed ? at : null,
    sid,
  );
}

export function setFacets(database: Database, sid: number, { facets }: Changes): void {
  for (const [label, value] of facets) {
    database.run(
      `INSERT INTO facets (sid, label, value) VALUES (?, ?, ?)
        ON CONFLICT (sid, label) DO UPDATE SET value = excluded.value WHERE value <> excluded.value`,
      sid,
      label,
      value,
    );
  }
}

export function headOf(database: Database, { sid, stream, facts }: StreamRow): StreamHead {
  const facets: { [label: string]: string } = {};
  for (const row of database.all("SELECT label, value FROM facets WHERE sid = ?", sid)) {
    setOwn(facets, row["label"] as string, row["value"] as string);
  }
  return { stream, ...facts, facets };
}

export function listStreams(
  database: Database,
  wanted: NonNullable<ListOptions["facets"]>,
  before: number,
  limit: number,
): Page<StreamHead> {
  const rows = candidates(database, Object.entries(wanted), before, limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map((row) => headOf(database, row)),
    ...(rows.length > limit && last !== undefined && { next: String(last.sid) }),
  };
}

function candidates(
  database: Database,
  labels: readonly (readonly [string, string])[],
  before: number,
  limit: number,
): readonly StreamRow[] {
  const [first, ...others] = rarestFirst(database, labels, before);
  const sids =
    first === undefined
      ? database.all("SELECT sid FROM streams WHERE sid < ? ORDER BY sid DESC LIMIT ?", before, limit)
      : database.all(
          `SELECT f.sid FROM facets f WHERE f.label = ? AND f.value = ? AND f.sid < ?
            ${others.map(() => also).join(" ")} ORDER BY f.sid DESC LIMIT ?`,
          ...first,
          before,
          ...others.flat(),
          limit,
        );
  return sids.flatMap((row) => {
    const found = readRow(database.get(`${select} WHERE s.sid = ?`, row["sid"] as number));
    return found === undefined ? [] : [found];
  });
}

/** The label that the fewest streams have leads, by its index; nobody counts further than so many. */
function rarestFirst(
  database: Database,
  labels: readonly (readonly [string, string])[],
  before: number,
): readonly (readonly [string, string])[] {
  if (labels.length < 2) return labels;
  const counted = labels.map((label) => {
    const few = "SELECT 1 FROM facets WHERE label = ? AND value = ? AND sid < ? LIMIT 1000";
    const row = database.get(`SELECT count(*) AS streams FROM (${few})`, ...label, before);
    return { label, streams: row?.["streams"] as number };
  });
  return counted.toSorted((a, b) => a.streams - b.streams).map(({ label }) => label);
}

const also = "AND EXISTS (SELECT 1 FROM facets o WHERE o.sid = f.sid AND o.label = ? AND o.value = ?)";

/** Open streams without a hold that have records which no item has applied. */
export function unappliedStreams(database: Database, limit: number, after: string): readonly string[] {
  return database
    .all(
      `SELECT stream FROM streams WHERE applied IS NOT NULL AND closed = 0 AND hold IS NULL AND stream > ?
        ORDER BY stream LIMIT ?`,
      after,
      limit,
    )
    .map((row) => row["stream"] as string);
}
