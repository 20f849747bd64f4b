/**
 * A whole store of nothing but tables: everything that the contract asks for, on what `Tables` reads and writes. It
 * asks row by row, which is right before it is fast; a store that must be fast writes its own `StoreCore`.
 */

import type { StoreCore } from "./assemble.js";
import { refused } from "./batch.js";
import type { StreamHead, StreamState } from "./contract.js";
import { type Documents, isFailure } from "./documents.js";
import { storeError } from "./failure.js";
import { tableAppend } from "./table-append.js";
import { tableHolders } from "./table-holders.js";
import { tableKeeping } from "./table-keeping.js";
import { readHead, readRecord, readWork } from "./table-rows.js";
import type { TableStream, Tables } from "./tables.js";

export interface TableCoreOptions {
  readonly documents: Documents;
  /**
   * Runs the work on one transaction: all of it is kept, or nothing. `write`: nobody writes between what it reads and
   * what it writes. It may be run again from the start when the database asks for that.
   */
  transact<T>(kind: "read" | "write", work: (tables: Tables) => Promise<T>): Promise<T>;
}

/** The core without its end: `release` is the author's. */
export function createTableCore(options: TableCoreOptions): Omit<StoreCore, "release"> {
  return {
    ...streamCore(options),
    ...noteCore(options),
    ...tableHolders(options, (row) => readWork(row, options.documents)),
    ...tableKeeping(options),
    now: () => options.transact("read", async (tables) => tables.now()),
  };
}

function streamCore({ documents, transact }: TableCoreOptions) {
  const withStream = <T>(name: string, work: (tables: Tables, row: TableStream) => Promise<T>) =>
    transact("read", async (tables) => {
      const row = await tables.stream(name);
      return row && work(tables, row);
    });
  return {
    append: (items) =>
      transact("write", async (tables) => {
        const now = await tables.now();
        const answers = [];
        for (const item of items) {
          answers.push(isFailure(item) ? refused(item) : await tableAppend(tables, item, now));
        }
        return answers;
      }),
    head: (stream) => withStream(stream, readHead),
    load: (stream) => withStream(stream, (tables, row) => readState(tables, row, documents)),
    async read(stream, after, limit) {
      const records = await withStream(stream, async (tables, row) =>
        tables.records(row.id, after + 1, limit),
      );
      return (records ?? []).map((record) => readRecord(record, documents));
    },
    list: (facets, before = Number.MAX_SAFE_INTEGER, limit) =>
      transact("read", async (tables) => {
        const rows = await tables.listStreams(Object.entries(facets), before, limit + 1);
        const items: StreamHead[] = [];
        for (const row of rows.slice(0, limit)) items.push(await readHead(tables, row));
        const last = rows[limit - 1];
        return { items, ...(rows.length > limit && last !== undefined && { next: String(last.id) }) };
      }),
  } satisfies Partial<StoreCore>;
}

function noteCore({ documents, transact }: TableCoreOptions) {
  return {
    async blob(digest) {
      const bytes = await transact("read", async (tables) => tables.blob(digest));
      return bytes && documents.decode(bytes);
    },
    receipt: (scope, request) =>
      transact("read", async (tables) => {
        const row = await tables.receipt(scope, request);
        return row && { scope, request, ...row };
      }),
    note: (stream, event, document) =>
      transact("write", async (tables) => {
        const row = await tables.stream(stream);
        if (row === undefined) throw storeError("not-found", `There is no stream ${stream}.`);
        if ((await tables.notes(row.id)).some((note) => note.event === event)) return false;
        await tables.addNote(row.id, event, document, await tables.now());
        return true;
      }),
    notes: (stream) =>
      transact("read", async (tables) => {
        const row = await tables.stream(stream);
        const notes = row === undefined ? [] : await tables.notes(row.id);
        return notes.map((note) => ({ ...note, document: documents.decode(note.document) }));
      }),
  } satisfies Partial<StoreCore>;
}

async function readState(tables: Tables, row: TableStream, documents: Documents): Promise<StreamState> {
  const { id, origin, facts } = row;
  const [first] = await tables.records(id, origin + 1, 1);
  if (first === undefined) throw storeError("corrupt", `The log of ${row.stream} is empty.`);
  const slots = await tables.slots(id);
  const tail = await tables.records(id, facts.applied, facts.position - facts.applied + 1);
  return {
    ...(await readHead(tables, row)),
    first: readRecord(first, documents),
    slots: new Map(slots.map(([key, bytes]) => [key, documents.decode(bytes)])),
    dues: new Map(await tables.dues(id)),
    work: (await tables.workOf(id)).map((work) => readWork(work, documents)),
    tail: tail.map((record) => readRecord(record, documents)),
  };
}
