/** Appending to tables: what the decision looks up is fetched first, what it changes is written row by row. */
import { type AcceptedItem, answerItem } from "./answer.js";
import type { PreparedItem } from "./batch.js";
import { changesOf } from "./changes.js";
import type { Answer, Item } from "./contract.js";
import { type CommitFacts, decide, type Snapshot } from "./decide.js";
import type { TableStream, Tables } from "./tables.js";

export async function tableAppend(tables: Tables, prepared: PreparedItem, now: number): Promise<Answer> {
  const { item } = prepared;
  const row = await tables.stream(item.stream);
  const decision = decide(item, await snapshotOf(tables, item, row), now);
  let accepted: AcceptedItem | undefined;
  const answer = answerItem(decision, (decided) => {
    accepted = decided;
  });
  if (accepted !== undefined) await write(tables, row, prepared, accepted);
  return answer;
}

async function snapshotOf(tables: Tables, item: Item, row: TableStream | undefined): Promise<Snapshot> {
  const required = item.require ?? [];
  const receipts = await fetched(
    (item.receipts ?? []).map(({ scope, request }) => `${scope}\0${request}`),
    async (key) => {
      const [scope = "", request = ""] = key.split("\0");
      const receipt = await tables.receipt(scope, request);
      return receipt && { scope, request, ...receipt };
    },
  );
  const work = await fetched(
    [
      ...(item.work ?? []).map(({ id }) => id),
      ...required.flatMap((condition) => ("work" in condition ? [condition.work] : [])),
    ],
    (id) => tables.work(id),
  );
  const holders = await fetched(
    [
      ...[item.owner, row?.facts.owner].filter((name) => typeof name === "string"),
      ...required.flatMap((condition) =>
        "holder" in condition ? [condition.holder] : "owner" in condition ? [condition.owner] : [],
      ),
    ],
    (holder) => tables.lease(holder),
  );
  const blobs = await fetched(item.pins ?? [], (digest) => tables.blob(digest));
  const dues = new Map(row === undefined ? [] : await tables.dues(row.id));
  const [first] = item.receipts ?? [];
  const position =
    item.expect === "next"
      ? receipts.get(`${first?.scope}\0${first?.request}`)?.position
      : (item.expect === 0 ? (item.origin ?? 0) : item.expect) + 1;
  const commit = row && position && (await commitAt(tables, row, position));
  return {
    stream: row?.facts,
    commitAt: (at) => (commit && commit.first === at ? commit : undefined),
    receipt: (scope, request) => receipts.get(`${scope}\0${request}`),
    work: (id) => work.get(id),
    due: (key) => dues.get(key),
    holder: (holder) => holders.get(holder),
    blob: (digest) => blobs.get(digest) !== undefined,
  };
}

/** What is there under each of the keys; IDs have no NUL, so that two of them may be joined by one. */
async function fetched<T>(
  keys: readonly string[],
  fetch: (key: string) => T | undefined | Promise<T | undefined>,
): Promise<ReadonlyMap<string, T>> {
  const found = new Map<string, T>();
  for (const key of keys) {
    const value = await fetch(key);
    if (value !== undefined) found.set(key, value);
  }
  return found;
}

/** The item whose first record is at this position. */
async function commitAt(tables: Tables, row: TableStream, first: number): Promise<CommitFacts | undefined> {
  const [record] = await tables.records(row.id, first, 1);
  if (record?.position !== first) return undefined;
  let last = first;
  for (let more = true; more; ) {
    const [next] = await tables.records(row.id, last + 1, 1);
    more = next?.commit === record.commit;
    if (more) last += 1;
  }
  return { commit: record.commit, first, last, at: record.at };
}

async function write(
  tables: Tables,
  row: TableStream | undefined,
  prepared: PreparedItem,
  accepted: AcceptedItem,
): Promise<void> {
  const { at, stream: facts } = accepted;
  const changes = changesOf(prepared, accepted);
  const closedAt = facts.closed ? at : null;
  const created = { stream: prepared.item.stream, origin: accepted.first - 1, facts };
  const id = row === undefined ? await tables.addStream(created, closedAt) : row.id;
  if (row !== undefined) await tables.setStream(id, facts, closedAt);
  await tables.addRecords(id, changes.records);
  for (const { key, document } of changes.slots) await tables.setSlot(id, key, document);
  for (const receipt of changes.receipts) await tables.addReceipt(id, receipt);
  for (const [label, value] of changes.facets) await tables.setFacet(id, label, value);
  for (const { digest, document } of changes.blobs) {
    if ((await tables.blob(digest)) === undefined) await tables.addBlob(digest, document);
  }
  for (const digest of changes.pins) await tables.addPin(id, digest);
  for (const work of changes.settled) {
    if ((await tables.work(work))?.streamId === id) await tables.removeWork(work);
  }
  for (const work of changes.work) await tables.addWork(id, work);
  for (const name of changes.withdrawn) {
    const work = await tables.work(name);
    if (work?.streamId === id) await tables.setWork({ ...work, withdraw: true });
  }
  for (const key of changes.unset) await tables.setDue(id, key, null);
  for (const due of changes.dues) await tables.setDue(id, due.key, due.at);
  if (facts.closed) await empty(tables, id);
}

/** A closed stream has nothing to do any more. */
async function empty(tables: Tables, id: number): Promise<void> {
  for (const work of await tables.workOf(id)) await tables.removeWork(work.id);
  for (const [key] of await tables.dues(id)) await tables.setDue(id, key, null);
}
