/** Streams, their labels and logs, and what belongs to them: read with one statement each, so on one snapshot. */
import {
  type Documents,
  type ListOptions,
  type LogRecord,
  type Note,
  type Page,
  type Receipt,
  type StreamHead,
  type StreamState,
  setOwn,
  storeError,
} from "@swl/store-provider";
import type { Database, Row } from "./database.js";
import { factsOf, streamColumns } from "./facts.js";
import { ownDocument, recentRows, type SlotList, slotDocuments, unpack } from "./slots.js";
import { readWork, workColumns } from "./work.js";

/** Of a stream `s`, as `headOf` wants it. */
export const headColumns = `json_build_object(${streamColumns}, 'facets',
    (SELECT json_agg(json_build_array(f.label, f.value)) FROM swl.facets f WHERE f.sid = s.sid))`;

export function headOf(json: unknown): StreamHead {
  const row = json as Parameters<typeof factsOf>[0] & {
    readonly facets: readonly (readonly [string, string])[] | null;
  };
  const facets: { [label: string]: string } = {};
  for (const [label, value] of row.facets ?? []) setOwn(facets, label, value);
  return { stream: row.stream, ...factsOf(row), facets };
}

export async function findHead(database: Database, stream: string): Promise<StreamHead | undefined> {
  const [row] = await database.read(
    `SELECT ${headColumns} AS head FROM swl.streams s WHERE s.stream = $1`,
    stream,
  );
  return row && headOf(row["head"]);
}

const record = `json_build_object('position', l.position, 'kind', l.kind, 'commit', l.commit_id, 'at', l.at,
    'applies', l.applies, 'document', encode(${ownDocument}, 'base64'))`;

const state = `SELECT ${headColumns} AS head,
    (SELECT ${record} FROM swl.log l WHERE l.sid = s.sid AND l.position = s.origin + 1) AS first,
    (SELECT json_agg(json_build_array(k.key, encode(k.newest, 'base64'))) FROM swl.slots k WHERE k.sid = s.sid) AS slots,
    (SELECT json_agg(json_build_array(l.slots, encode(${slotDocuments}, 'base64')) ORDER BY l.position)
      FROM ${recentRows}) AS recent,
    (SELECT json_agg(json_build_array(d.key, d.at)) FROM swl.dues d WHERE d.sid = s.sid) AS dues,
    (SELECT json_agg(${workColumns} ORDER BY w.seq) FROM swl.work w WHERE w.sid = s.sid) AS work,
    (SELECT json_agg(${record} ORDER BY l.position) FROM swl.log l WHERE l.sid = s.sid AND l.position >=
      coalesce(s.applied, (SELECT max(m.position) FROM swl.log m WHERE m.sid = s.sid))) AS tail
  FROM swl.streams s WHERE s.stream = $1`;

export async function loadStream(
  database: Database,
  stream: string,
  documents: Documents,
  /** Told how many rows it has whose slots were never folded. */
  recent: (rows: number) => void = () => {},
): Promise<StreamState | undefined> {
  const [row] = await database.read(state, stream);
  if (row === undefined) return undefined;
  if (row["first"] === null) throw storeError("corrupt", `The log of ${stream} is empty.`);
  const list = <T>(name: string) => (row[name] ?? []) as readonly T[];
  const head = headOf(row["head"]);
  if (!head.closed) recent(list("recent").length);
  return {
    ...head,
    first: recordOf(row["first"] as RecordJson, documents),
    slots: slotsOf(list("slots"), list("recent"), documents),
    dues: new Map(list<readonly [string, number]>("dues")),
    work: list("work").map((work) => readWork(work, documents)),
    tail: list<RecordJson>("tail").map((found) => recordOf(found, documents)),
  };
}

/** Only the newest document of a slot is decoded. */
function slotsOf(
  folded: readonly (readonly [string, string])[],
  recent: readonly (readonly [SlotList, string])[],
  documents: Documents,
): StreamState["slots"] {
  const newest = new Map<string, Uint8Array>();
  for (const [key, text] of folded) newest.set(key, Buffer.from(text, "base64"));
  for (const [slots, text] of recent) {
    for (const [key, bytes] of unpack(slots, Buffer.from(text, "base64"))) {
      if (bytes === undefined) newest.delete(key);
      else newest.set(key, bytes);
    }
  }
  return new Map([...newest].map(([key, bytes]) => [key, documents.decode(bytes)]));
}

type RecordJson = Omit<LogRecord, "document"> & { readonly document: string };

function recordOf({ document, ...rest }: RecordJson, documents: Documents): LogRecord {
  return { ...rest, document: documents.decode(Buffer.from(document, "base64")) };
}

export async function readLog(
  database: Database,
  stream: string,
  after: number,
  limit: number,
  documents: Documents,
): Promise<readonly LogRecord[]> {
  const rows = await database.read(
    `SELECT l.position, l.kind, l.commit_id, l.at, l.applies, ${ownDocument} AS document FROM swl.log l
      WHERE l.sid = (SELECT s.sid FROM swl.streams s WHERE s.stream = $1) AND l.position > $2
      ORDER BY l.position LIMIT $3`,
    stream,
    after,
    limit,
  );
  return rows.map((row) => ({
    position: row["position"] as number,
    kind: row["kind"] as string,
    commit: row["commit_id"] as string,
    at: row["at"] as number,
    applies: row["applies"] as boolean,
    document: documents.decode(row["document"] as Uint8Array),
  }));
}

/** The label that the fewest streams have leads, by its index; the others are looked up. */
export async function listStreams(
  database: Database,
  wanted: NonNullable<ListOptions["facets"]>,
  before: number,
  limit: number,
): Promise<Page<StreamHead>> {
  const labels = await rarestFirst(database, Object.entries(wanted), before);
  const [first, ...others] = labels;
  const rows =
    first === undefined
      ? await database.read(
          `SELECT s.sid, ${headColumns} AS head FROM swl.streams s WHERE s.sid < $1 ORDER BY s.sid DESC LIMIT $2`,
          before,
          limit + 1,
        )
      : await database.read(
          byLabel(others.length > 0),
          before,
          limit + 1,
          ...first,
          Number.MAX_SAFE_INTEGER,
          ...(others.length === 0 ? [] : columnsOf(others)),
        );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map((row) => headOf(row["head"])),
    ...(rows.length > limit && last !== undefined && { next: String(last["sid"]) }),
  };
}

type Labels = readonly (readonly [label: string, value: string])[];

const columnsOf = (labels: Labels) => [labels.map(([label]) => label), labels.map(([, value]) => value)];

async function rarestFirst(database: Database, labels: Labels, before: number): Promise<Labels> {
  if (labels.length < 2) return labels;
  const counts = await database.read(rarity, before, ...columnsOf(labels));
  return counts.map(({ n }) => labels[(n as number) - 1]!);
}

/** From entry to entry of the labels' own index: equalities would leave the planner another one, of all streams. */
const entries = (label: string, value: string) =>
  `(f.label, f.value, f.sid) >= (${label}, ${value}, 0) AND (f.label, f.value, f.sid) < (${label}, ${value}, $1)`;

/** Nobody counts further than that, to find out which label is the rarest. */
const rarity = `SELECT o.n::int AS n FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS o (label, value, n)
    CROSS JOIN LATERAL (SELECT count(*) AS streams FROM (
      SELECT 1 FROM swl.facets f WHERE ${entries("o.label", "o.value")} LIMIT 1000) f) c
  ORDER BY c.streams, o.n`;

/**
 * What bears the leading label comes in order, without an end that a plan could know of, so that it is not all sorted for
 * one page; the others are counted, as the planner would make a list of all labels of all streams to find who lacks one.
 */
const byLabel = (hasOthers: boolean) => `SELECT f.sid, ${headColumns} AS head FROM (
      SELECT f.label, f.value, f.sid FROM swl.facets f WHERE ${entries("$3", "$4")}
        ORDER BY f.label DESC, f.value DESC, f.sid DESC LIMIT $5) f
    CROSS JOIN LATERAL (SELECT s.* FROM swl.streams s WHERE s.sid = f.sid LIMIT 1) s
  ${hasOthers ? `WHERE ${others}` : ""} ORDER BY f.label DESC, f.value DESC, f.sid DESC LIMIT $2`;

const others = `cardinality($6::text[]) = (
    SELECT count(*) FROM unnest($6::text[], $7::text[]) AS o (label, value)
      CROSS JOIN LATERAL (SELECT 1 FROM swl.facets x
        WHERE x.sid = f.sid AND x.label = o.label AND x.value = o.value LIMIT 1) x)`;

/** Open streams without a hold that have records which no item has applied. */
export async function unappliedStreams(
  database: Database,
  limit: number,
  after: string,
): Promise<readonly string[]> {
  const rows = await database.read(
    `SELECT stream FROM swl.streams WHERE applied IS NOT NULL AND NOT closed AND hold IS NULL AND stream > $1
      ORDER BY stream LIMIT $2`,
    after,
    limit,
  );
  return rows.map((row) => row["stream"] as string);
}

export async function dueNow(database: Database, clock: number | null, limit: number, after: number) {
  const rows = await database.read(
    `SELECT s.stream, d.key, d.at FROM swl.dues d
        CROSS JOIN LATERAL (SELECT s.stream FROM swl.streams s WHERE s.sid = d.sid AND s.hold IS NULL LIMIT 1) s
      WHERE d.at <= (SELECT swl.now_by($1)) ORDER BY d.at, d.sid, d.key LIMIT $2 OFFSET $3`,
    clock,
    limit,
    after,
  );
  return rows.map((row) => ({
    stream: row["stream"] as string,
    key: row["key"] as string,
    at: row["at"] as number,
  }));
}

export async function findReceipt(
  database: Database,
  scope: string,
  request: string,
): Promise<Receipt | undefined> {
  const [row] = await database.read(
    `SELECT r.scope, r.request, r.digest, s.stream, r.position, r.at
      FROM swl.receipts r JOIN swl.streams s ON s.sid = r.sid WHERE r.scope = $1 AND r.request = $2`,
    scope,
    request,
  );
  return row && ({ ...row } as Row & Receipt);
}

export async function readBlob(database: Database, digest: string, documents: Documents) {
  const [row] = await database.read("SELECT document FROM swl.blobs WHERE digest = $1", digest);
  return row && documents.decode(row["document"] as Uint8Array);
}

/** The stream is kept from being pruned meanwhile. False when there was one. Throws `store.not-found` without the stream. */
export async function writeNote(
  database: Database,
  stream: string,
  event: string,
  document: Uint8Array,
  clock: number | null,
): Promise<boolean> {
  const [row] = await database.write(
    `WITH s AS MATERIALIZED (SELECT sid FROM swl.streams WHERE stream = $1 FOR KEY SHARE),
      w AS (INSERT INTO swl.notes (sid, event, document, at)
        SELECT s.sid, $2, $3, swl.write_at($4) FROM s ON CONFLICT (sid, event) DO NOTHING RETURNING 1)
      SELECT EXISTS (SELECT 1 FROM s) AS found, EXISTS (SELECT 1 FROM w) AS written`,
    stream,
    event,
    document,
    clock,
  );
  if (row?.["found"] !== true) throw storeError("not-found", `There is no stream ${stream}.`);
  return row["written"] === true;
}

export async function readNotes(
  database: Database,
  stream: string,
  documents: Documents,
): Promise<readonly Note[]> {
  const rows = await database.read(
    `SELECT n.event, n.document, n.at FROM swl.notes n
      WHERE n.sid = (SELECT s.sid FROM swl.streams s WHERE s.stream = $1) ORDER BY n.id`,
    stream,
  );
  return rows.map((row) => ({
    event: row["event"] as string,
    document: documents.decode(row["document"] as Uint8Array),
    at: row["at"] as number,
  }));
}
