/** Keeping the store: what is over goes, what is there is counted and checked. */
import {
  type Documents,
  isLive,
  type Pruned,
  portionRecords,
  type StoreFault,
  type StoreStats,
  type StreamContents,
  streamFaults,
} from "@swl/store-provider";
import { type Backing, lastAt, type StreamRow } from "./backing.js";
import { headOf } from "./reads.js";

export function prune(backing: Backing, closedBefore: number, limit: number): Pruned {
  const gone: StreamRow[] = [];
  let records = 0;
  const over = (row: StreamRow) => lastAt(row) < closedBefore;
  for (const row of backing.closed.from()) {
    if (!over(row) || gone.length >= limit || records >= portionRecords) break;
    gone.push(row);
    records += row.log.length;
  }
  const before = backing.blobs.size;
  for (const row of gone) backing.removeStream(row);
  const [next] = backing.closed.from();
  return {
    streams: gone.length,
    records,
    blobs: before - backing.blobs.size,
    more: next !== undefined && over(next),
  };
}

export function stats(backing: Backing, now: number): StoreStats {
  const rows = [...backing.streams.values()];
  const open = rows.filter(({ facts }) => !facts.closed);
  const held = open.filter(({ facts }) => facts.hold !== undefined).length;
  const claimed = [...backing.workById.values()].filter(({ holder }) => holder !== undefined).length;
  const sum = (count: (row: StreamRow) => number) => rows.reduce((total, row) => total + count(row), 0);
  return {
    streams: { open: open.length - held, held, closed: rows.length - open.length },
    records: sum((row) => row.log.length),
    slots: sum((row) => row.slots.size),
    dues: sum((row) => row.dues.size),
    work: { waiting: backing.workById.size - claimed, claimed },
    receipts: backing.receipts.size,
    notes: sum((row) => row.notes.size),
    blobs: backing.blobs.size,
    holders: [...backing.holders.values()].filter((until) => isLive(until, now)).length,
  };
}

export function check(backing: Backing, documents: Documents, limit: number): readonly StoreFault[] {
  const found: StoreFault[] = [];
  for (const fault of faults(backing, documents)) {
    if (found.length >= limit) break;
    found.push(fault);
  }
  return found;
}

function* faults(backing: Backing, documents: Documents): Generator<StoreFault> {
  for (const row of backing.byCreation.from()) yield* streamFaults(contentsOf(backing, row), documents);
  for (const [digest, bytes] of backing.blobs) {
    if (backing.pinned.get(digest) === undefined) yield { message: `No stream pins the blob ${digest}.` };
    try {
      documents.decode(bytes);
    } catch {
      yield { message: `The blob ${digest} cannot be read.` };
    }
  }
}

function contentsOf(backing: Backing, row: StreamRow): StreamContents {
  const named = (what: string, entries: Iterable<readonly [string, Uint8Array]>) =>
    [...entries].map(([name, bytes]) => [`${what} ${name}`, bytes] as const);
  return {
    head: headOf(row),
    origin: row.origin,
    records: row.log,
    documents: [
      ...named("slot", row.slots),
      ...named(
        "work",
        [...row.work].map(({ id, document }) => [id, document] as const),
      ),
      ...named(
        "note",
        [...row.notes].map(([event, { document }]) => [event, document] as const),
      ),
    ],
    dues: row.dues.size,
    work: row.work.size,
    receipts: row.receipts,
    missingBlobs: [...row.pins].filter((digest) => !backing.blobs.has(digest)),
  };
}
