/** Pruning and checking on tables. Spec: STO-prune, STO-check. */
import { isSwlError } from "@swl/base";
import type { StoreCore } from "./assemble.js";
import type { Documents } from "./documents.js";
import type { Pruned, StoreFault } from "./keeping.js";
import { portionRecords } from "./limits.js";
import { type StreamContents, streamFaults } from "./stream-faults.js";
import type { TableCoreOptions } from "./table-core.js";
import { readHead } from "./table-rows.js";
import type { TableRecord, TableStream, Tables } from "./tables.js";

/** Rows read on one transaction. */
const portion = 50;

export function tableKeeping({ documents, transact }: TableCoreOptions) {
  return {
    prune: (closedBefore, limit) => transact("write", (tables) => prune(tables, closedBefore, limit)),
    stats: () => transact("read", async (tables) => tables.stats(await tables.now())),
    async check(limit) {
      const found: StoreFault[] = [];
      let digest: string | undefined = "";
      while (digest !== undefined && found.length < limit) {
        const after: string = digest;
        digest = add(found, await transact("read", (tables) => checkBlobs(tables, documents, after)));
      }
      let id: number | undefined = 0;
      while (id !== undefined && found.length < limit) {
        const after: number = id;
        id = add(found, await transact("read", (tables) => checkStreams(tables, documents, after)));
      }
      return found.slice(0, limit);
    },
  } satisfies Partial<StoreCore>;
}

async function prune(tables: Tables, closedBefore: number, limit: number): Promise<Pruned> {
  let streams = 0;
  let records = 0;
  let blobs = 0;
  for (const row of await tables.streamsClosedBefore(closedBefore, limit)) {
    const pins = await tables.pins(row.id);
    await tables.removeStream(row.id);
    for (const digest of pins) {
      if (await tables.isPinned(digest)) continue;
      await tables.removeBlob(digest);
      blobs += 1;
    }
    streams += 1;
    records += row.facts.position - row.origin;
    if (records >= portionRecords) break;
  }
  const left = await tables.streamsClosedBefore(closedBefore, 1);
  return { streams, records, blobs, more: left.length > 0 };
}

/** What a portion of rows has, and where the next one begins; undefined after the last. */
interface Checked<T> {
  readonly faults: readonly StoreFault[];
  readonly last: T | undefined;
}

function add<T>(found: StoreFault[], { faults, last }: Checked<T>): T | undefined {
  found.push(...faults);
  return last;
}

async function checkBlobs(tables: Tables, documents: Documents, after: string): Promise<Checked<string>> {
  const faults: StoreFault[] = [];
  const rows = await tables.blobsAfter(after, portion);
  for (const [digest, bytes] of rows) {
    if (!(await tables.isPinned(digest))) faults.push({ message: `No stream pins the blob ${digest}.` });
    try {
      documents.decode(bytes);
    } catch (error) {
      if (!isSwlError(error)) throw error;
      faults.push({ message: `The blob ${digest} cannot be read: ${error.message}` });
    }
  }
  return { faults, last: rows.at(-1)?.[0] };
}

async function checkStreams(tables: Tables, documents: Documents, after: number): Promise<Checked<number>> {
  const faults: StoreFault[] = [];
  const rows = await tables.streamsAfter(after, portion);
  for (const row of rows) faults.push(...streamFaults(await contentsOf(tables, row), documents));
  return { faults, last: rows.at(-1)?.id };
}

async function contentsOf(tables: Tables, row: TableStream): Promise<StreamContents> {
  const { id, origin } = row;
  const records: TableRecord[] = [];
  for (let from = origin + 1; ; from = (records.at(-1)?.position ?? from) + 1) {
    const part = await tables.records(id, from, 500);
    if (part.length === 0) break;
    records.push(...part);
  }
  const missing: string[] = [];
  for (const digest of await tables.pins(id)) {
    if ((await tables.blob(digest)) === undefined) missing.push(digest);
  }
  const work = await tables.workOf(id);
  return {
    head: await readHead(tables, row),
    origin,
    records,
    documents: [
      ...(await tables.slots(id)).map(([key, bytes]) => [`slot ${key}`, bytes] as const),
      ...work.map((entry) => [`work ${entry.id}`, entry.document] as const),
      ...(await tables.notes(id)).map((note) => [`note ${note.event}`, note.document] as const),
    ],
    dues: (await tables.dues(id)).length,
    work: work.length,
    receipts: await tables.receiptsOf(id),
    missingBlobs: missing,
  };
}
