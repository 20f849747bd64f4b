/** Appending: the decision is the contract's own (`decide`), the writing is all that is left to do here. */
import {
  type AcceptedItem,
  type Answer,
  answerItem,
  decide,
  type PreparedItem,
  type Snapshot,
} from "@swl/store-provider";
import { type Backing, pair, type RecordRow, type StreamRow } from "./backing.js";

export function appendItem(backing: Backing, prepared: PreparedItem, now: number): Answer {
  const { item } = prepared;
  return answerItem(decide(item, snapshotOf(backing, item.stream), now), (accepted) =>
    write(backing, prepared, accepted),
  );
}

function snapshotOf(backing: Backing, name: string): Snapshot {
  const row = backing.streams.get(name);
  return {
    stream: row?.facts,
    commitAt(position) {
      const start = position - (row?.origin ?? 0) - 1;
      const record = row?.log[start];
      if (row === undefined || record === undefined) return undefined;
      let end = start;
      while (row.log[end + 1]?.commit === record.commit) end += 1;
      return { commit: record.commit, first: position, last: position + end - start, at: record.at };
    },
    receipt: (scope, request) => backing.receipts.get(pair(scope, request)),
    work(id) {
      const work = backing.workById.get(id);
      return work && { ...work, stream: work.stream.name };
    },
    due: (key) => row?.dues.get(key)?.at,
    holder: (holder) => backing.holders.get(holder),
    blob: (digest) => backing.blobs.has(digest),
  };
}

function write(backing: Backing, prepared: PreparedItem, decision: AcceptedItem): void {
  const { item } = prepared;
  const row =
    backing.streams.get(item.stream) ??
    backing.createStream(item.stream, decision.first - 1, decision.stream);
  backing.setFacts(row, decision.stream);
  row.log.push(...recordsOf(prepared, decision));
  for (const [index, { key }] of (item.slots ?? []).entries()) {
    const document = prepared.slots[index];
    if (document === undefined) row.slots.delete(key);
    else row.slots.set(key, document);
  }
  for (const receipt of item.receipts ?? []) {
    backing.addReceipt(row, {
      scope: receipt.scope,
      request: receipt.request,
      digest: receipt.digest,
      stream: item.stream,
      position: decision.first,
      at: decision.at,
    });
  }
  for (const [label, value] of Object.entries(item.facets ?? {})) backing.setFacet(row, label, value);
  for (const [index, { digest }] of (item.blobs ?? []).entries()) {
    if (!backing.blobs.has(digest)) backing.blobs.set(digest, prepared.blobs[index] as Uint8Array);
    backing.pin(row, digest);
  }
  for (const digest of item.pins ?? []) backing.pin(row, digest);
  writeWork(backing, row, prepared, decision);
  writeDues(backing, row, prepared, decision);
  if (decision.stream.closed) backing.close(row);
}

function recordsOf({ item, records }: PreparedItem, { at }: AcceptedItem): RecordRow[] {
  return item.records.map(({ kind }, index) => ({
    kind,
    commit: item.commit,
    at,
    applies: item.applies === true && index === item.records.length - 1,
    document: records[index] as Uint8Array,
  }));
}

function writeWork(
  backing: Backing,
  row: StreamRow,
  { item, work }: PreparedItem,
  decision: AcceptedItem,
): void {
  for (const id of item.settled ?? []) {
    const settled = backing.workById.get(id);
    if (settled?.stream === row) backing.removeWork(settled);
  }
  for (const [index, { id, queue, delay }] of (item.work ?? []).entries()) {
    backing.addWork({
      id,
      stream: row,
      queue,
      notBefore: decision.at + delay,
      document: work[index] as Uint8Array,
      withdraw: false,
    });
  }
  for (const id of item.withdraw ?? []) {
    const marked = backing.workById.get(id);
    if (marked?.stream === row) backing.replaceWork(marked, { ...marked, withdraw: true });
  }
}

function writeDues(backing: Backing, row: StreamRow, { item }: PreparedItem, decision: AcceptedItem): void {
  for (const key of decision.fired) backing.setDue(row, key, null);
  for (const { key, at } of item.dues ?? []) backing.setDue(row, key, at);
}
