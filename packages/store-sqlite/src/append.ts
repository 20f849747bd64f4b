/** Appending: the decision and what it changes are the contract's own; the writing is all that is left to do here. */
import {
  type AcceptedItem,
  type Answer,
  answerItem,
  changesOf,
  decide,
  type PreparedItem,
  type Snapshot,
} from "@swl/store-provider";
import { hasBlob, insertBlobs } from "./blobs.js";
import type { Database } from "./driver.js";
import { findDue, removeDues, writeDues } from "./dues.js";
import { leaseOf } from "./holders.js";
import { commitAt, insertRecords } from "./log.js";
import { findReceipt, insertReceipts } from "./receipts.js";
import { writeSlots } from "./slots.js";
import { findStream, insertStream, type StreamRow, setFacets, updateStream } from "./streams.js";
import { findWork, removeAllWork, writeWork } from "./work.js";

/** To be called with the write lock: what `decide` saw is still so when it is written. */
export function appendItem(database: Database, prepared: PreparedItem, now: number): Answer {
  const { item } = prepared;
  const row = findStream(database, item.stream);
  return answerItem(decide(item, snapshotOf(database, row), now), (accepted) =>
    write(database, row, prepared, accepted),
  );
}

function snapshotOf(database: Database, row: StreamRow | undefined): Snapshot {
  return {
    stream: row?.facts,
    commitAt: (position) => row && commitAt(database, row.sid, position),
    receipt: (scope, request) => findReceipt(database, scope, request),
    work: (id) => findWork(database, id),
    due: (key) => row && findDue(database, row.sid, key),
    holder: (holder) => leaseOf(database, holder),
    blob: (digest) => hasBlob(database, digest),
  };
}

function write(
  database: Database,
  row: StreamRow | undefined,
  prepared: PreparedItem,
  accepted: AcceptedItem,
): void {
  const { first, at, stream: after } = accepted;
  const changes = changesOf(prepared, accepted);
  const sid = row?.sid ?? insertStream(database, prepared.item.stream, first - 1, after, at);
  if (row !== undefined) updateStream(database, row, after, at);
  insertRecords(database, sid, changes);
  writeSlots(database, sid, changes);
  insertReceipts(database, sid, changes);
  setFacets(database, sid, changes);
  insertBlobs(database, sid, changes);
  writeWork(database, sid, changes);
  writeDues(database, sid, changes);
  if (!after.closed) return;
  removeAllWork(database, sid);
  removeDues(database, sid);
}
