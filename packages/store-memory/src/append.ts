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
import { type Backing, pair } from "./backing.js";

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

function write(backing: Backing, prepared: PreparedItem, accepted: AcceptedItem): void {
  const { stream } = prepared.item;
  const changes = changesOf(prepared, accepted);
  const row =
    backing.streams.get(stream) ?? backing.createStream(stream, accepted.first - 1, accepted.stream);
  backing.setFacts(row, accepted.stream);
  row.log.push(...changes.records);
  for (const { key, document } of changes.slots) {
    if (document === undefined) row.slots.delete(key);
    else row.slots.set(key, document);
  }
  for (const receipt of changes.receipts) backing.addReceipt(row, receipt);
  for (const [label, value] of changes.facets) backing.setFacet(row, label, value);
  for (const { digest, document } of changes.blobs) {
    if (!backing.blobs.has(digest)) backing.blobs.set(digest, document);
  }
  for (const digest of changes.pins) backing.pin(row, digest);
  for (const id of changes.settled) {
    const settled = backing.workById.get(id);
    if (settled?.stream === row) backing.removeWork(settled);
  }
  for (const work of changes.work) backing.addWork({ ...work, stream: row, withdraw: false });
  for (const id of changes.withdrawn) {
    const marked = backing.workById.get(id);
    if (marked?.stream === row) backing.replaceWork(marked, { ...marked, withdraw: true });
  }
  for (const key of changes.unset) backing.setDue(row, key, null);
  for (const { key, at } of changes.dues) backing.setDue(row, key, at);
  if (accepted.stream.closed) backing.close(row);
}
