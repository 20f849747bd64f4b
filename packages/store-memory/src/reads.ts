/** What anyone may read: streams, logs, lists, blobs, receipts, notes. */
import {
  type Documents,
  type ListOptions,
  type LogRecord,
  type Note,
  type Page,
  type StreamHead,
  type StreamState,
  setOwn,
  storeError,
  type Work,
} from "@swl/store-provider";
import { type Backing, pair, type StreamRow, type WorkRow } from "./backing.js";

export function headOf(row: StreamRow): StreamHead {
  const facets: { [label: string]: string } = {};
  for (const [label, value] of row.facets) setOwn(facets, label, value);
  return { stream: row.name, ...row.facts, facets };
}

export function stateOf(row: StreamRow, documents: Documents): StreamState {
  const slots = new Map([...row.slots].map(([key, bytes]) => [key, documents.decode(bytes)]));
  const dues = new Map([...row.dues].map(([key, due]) => [key, due.at]));
  const work = [...row.work].sort((a, b) => a.sequence - b.sequence);
  const from = Math.max(row.facts.applied, row.origin + 1);
  return {
    ...headOf(row),
    first: recordAt(row, row.origin + 1, documents),
    slots,
    dues,
    work: work.map((entry) => workOf(entry, documents)),
    tail: recordsFrom(row, from, Number.POSITIVE_INFINITY, documents),
  };
}

export function recordsFrom(
  row: StreamRow,
  position: number,
  limit: number,
  documents: Documents,
): readonly LogRecord[] {
  const records: LogRecord[] = [];
  let next = Math.max(position, row.origin + 1);
  while (next <= row.facts.position && records.length < limit) {
    records.push(recordAt(row, next, documents));
    next += 1;
  }
  return records;
}

function recordAt(row: StreamRow, position: number, documents: Documents): LogRecord {
  const record = row.log[position - row.origin - 1];
  if (record === undefined) throw storeError("corrupt", `The log of ${row.name} has no record ${position}.`);
  return { ...record, document: documents.decode(record.document) };
}

export function workOf(row: WorkRow, documents: Documents): Work {
  return {
    id: row.id,
    stream: row.stream.name,
    queue: row.queue,
    notBefore: row.notBefore,
    document: documents.decode(row.document),
    ...(row.holder !== undefined && { holder: row.holder }),
    ...(row.until !== undefined && { until: row.until }),
    withdraw: row.withdraw,
  };
}

export function listStreams(
  backing: Backing,
  wanted: NonNullable<ListOptions["facets"]>,
  before: number,
  limit: number,
): Page<StreamHead> {
  const labels = Object.entries(wanted);
  const indexes = labels.map(([label, value]) => backing.byFacet.get(pair(label, value)));
  const smallest = indexes.reduce((a, b) => ((a?.size ?? 0) <= (b?.size ?? 0) ? a : b), indexes[0]);
  const candidates = labels.length === 0 ? backing.byCreation : smallest;
  const found: StreamRow[] = [];
  for (const row of candidates?.downFrom((entry) => entry.sequence >= before) ?? []) {
    if (!labels.every(([label, value]) => row.facets.get(label) === value)) continue;
    found.push(row);
    if (found.length > limit) break;
  }
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(headOf),
    ...(found.length > limit && last !== undefined && { next: String(last.sequence) }),
  };
}

export function writeNote(
  row: StreamRow | undefined,
  stream: string,
  event: string,
  document: Uint8Array,
  at: number,
): boolean {
  if (row === undefined) throw storeError("not-found", `There is no stream ${stream}.`);
  if (row.notes.has(event)) return false;
  row.notes.set(event, { document, at });
  return true;
}

export function notesOf(row: StreamRow | undefined, documents: Documents): readonly Note[] {
  return [...(row?.notes ?? [])].map(([event, note]) => ({
    event,
    document: documents.decode(note.document),
    at: note.at,
  }));
}
