/**
 * The tables of a store as plain lists, so that they can be kept as JSON. Documents are bytes, kept as base64. Each
 * method is what one statement of SQL is elsewhere; none of them decides anything.
 */
import {
  compareIds,
  type TableRecord,
  type TableStream,
  type Tables,
  type TableWork,
} from "@swl/store-provider";

type Encoded<T> = Omit<T, "document"> & { document: string };
type Entry<T> = [name: string, value: T];

interface StreamRow extends TableStream {
  closedAt: number | null;
  facets: Entry<string>[];
  log: Encoded<TableRecord>[];
  slots: Entry<string>[];
  receipts: { scope: string; request: string; digest: string; position: number; at: number }[];
  notes: { event: string; document: string; at: number }[];
  pins: string[];
  dues: Entry<number>[];
}

export interface Rows {
  /** The next stream's number. */
  next: number;
  streams: StreamRow[];
  /** In the order in which it was added. */
  work: Encoded<Omit<TableWork, "stream">>[];
  blobs: Entry<string>[];
  holders: Entry<number>[];
}

export const emptyRows = (): Rows => ({ next: 1, streams: [], work: [], blobs: [], holders: [] });

const pack = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const unpack = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "base64"));
const decoded = <T extends { document: string }>(row: T) => ({ ...row, document: unpack(row.document) });
/** In order of name, after one of them. */
const byName = <T>(list: readonly T[], nameOf: (entry: T) => string, after = "", limit = Infinity) =>
  list
    .filter((entry) => compareIds(nameOf(entry), after) > 0)
    .sort((a, b) => compareIds(nameOf(a), nameOf(b)))
    .slice(0, limit);

function put<T>(list: Entry<T>[], name: string, value: T | undefined): void {
  const at = list.findIndex(([known]) => known === name);
  if (value === undefined) list.splice(at, at < 0 ? 0 : 1);
  else if (at < 0) list.push([name, value]);
  else list[at] = [name, value];
}

export const rowTables = (rows: Rows, now: () => number): Tables => ({
  ...{ now, ...streamTables(rows), ...documentTables(rows), ...workTables(rows), ...lookTables(rows) },
});

const rowOf = (rows: Rows, id: number): StreamRow => rows.streams.find((row) => row.id === id) as StreamRow;

function streamTables(rows: Rows) {
  const of = (id: number) => rowOf(rows, id);
  return {
    stream: (name) => rows.streams.find((row) => row.stream === name),
    addStream(stream, closedAt) {
      const lists = { facets: [], log: [], slots: [], receipts: [], notes: [], pins: [], dues: [] };
      rows.streams.push({ ...stream, ...lists, id: rows.next, closedAt });
      rows.next += 1;
      return rows.next - 1;
    },
    setStream: (id, facts, closedAt) => void Object.assign(of(id), { facts, closedAt }),
    removeStream(id) {
      rows.streams = rows.streams.filter((row) => row.id !== id);
    },
    listStreams(facets, before, limit) {
      const fits = (row: StreamRow) =>
        facets.every(([label, value]) => new Map(row.facets).get(label) === value);
      return rows.streams
        .filter((row) => row.id < before && fits(row))
        .reverse()
        .slice(0, limit);
    },
    streamsAfter: (id, limit) => rows.streams.filter((row) => row.id > id).slice(0, limit),
    streamsClosedBefore: (instant, limit) =>
      rows.streams
        .filter(({ closedAt }) => closedAt !== null && closedAt < instant)
        .sort((a, b) => (a.closedAt ?? 0) - (b.closedAt ?? 0) || a.id - b.id)
        .slice(0, limit),
    facets: (id) => of(id).facets,
    setFacet: (id, label, value) => put(of(id).facets, label, value),
    addRecords: (id, records) =>
      void of(id).log.push(...records.map((record) => ({ ...record, document: pack(record.document) }))),
    records(id, from, limit) {
      const found = of(id).log.filter(({ position }) => position >= from);
      return found.slice(0, limit).map(decoded);
    },
    slots: (id) => of(id).slots.map(([key, text]) => [key, unpack(text)] as const),
    setSlot: (id, key, document) => put(of(id).slots, key, document && pack(document)),
    dues: (id) => of(id).dues,
    setDue: (id, key, at) => put(of(id).dues, key, at ?? undefined),
  } satisfies Partial<Tables>;
}

function documentTables(rows: Rows) {
  const of = (id: number) => rowOf(rows, id);
  return {
    receipt(scope, request) {
      for (const { stream, receipts } of rows.streams) {
        const found = receipts.find((one) => one.scope === scope && one.request === request);
        if (found !== undefined) return { ...found, stream };
      }
      return undefined;
    },
    addReceipt: (id, receipt) => void of(id).receipts.push({ ...receipt }),
    receiptsOf: (id) => of(id).receipts,
    notes: (id) => of(id).notes.map(decoded),
    addNote: (id, event, document, at) => void of(id).notes.push({ event, document: pack(document), at }),
    blob(digest) {
      const found = rows.blobs.find(([known]) => known === digest);
      return found && unpack(found[1]);
    },
    addBlob: (digest, document) => put(rows.blobs, digest, pack(document)),
    removeBlob: (digest) => put(rows.blobs, digest, undefined),
    blobsAfter: (digest, limit) =>
      byName(rows.blobs, ([name]) => name, digest, limit).map(
        ([name, text]) => [name, unpack(text)] as const,
      ),
    pins: (id) => of(id).pins,
    addPin(id, digest) {
      if (!of(id).pins.includes(digest)) of(id).pins.push(digest);
    },
    isPinned: (digest) => rows.streams.some(({ pins }) => pins.includes(digest)),
  } satisfies Partial<Tables>;
}

const workOf = (rows: Rows, row: Rows["work"][number]): TableWork => ({
  ...decoded(row),
  stream: rowOf(rows, row.streamId).stream,
});

function workTables(rows: Rows) {
  const read = (row: Rows["work"][number]) => workOf(rows, row);
  return {
    work: (id) => rows.work.filter((row) => row.id === id).map(read)[0],
    workOf: (streamId) => rows.work.filter((row) => row.streamId === streamId).map(read),
    heldBy: (holder) =>
      byName(
        rows.work.filter((row) => row.holder === holder),
        ({ id }) => id,
      ).map(read),
    addWork: (streamId, work) =>
      void rows.work.push({ ...work, streamId, withdraw: false, document: pack(work.document) }),
    setWork({ stream: _stream, ...work }) {
      const row = rows.work.findIndex(({ id }) => id === work.id);
      rows.work[row] = { ...work, document: pack(work.document) };
    },
    removeWork(id) {
      rows.work = rows.work.filter((row) => row.id !== id);
    },
    lease: (holder) => new Map(rows.holders).get(holder),
    setLease: (holder, until) => put(rows.holders, holder, until),
    liveHolders(now) {
      const live = rows.holders.filter(([, until]) => until > now);
      return byName(live, ([holder]) => holder).map(([holder, until]) => ({ holder, until }));
    },
  } satisfies Partial<Tables>;
}

const streamName = ({ stream }: { readonly stream: string }) => stream;

function lookTables(rows: Rows) {
  const active = () => rows.streams.filter(({ facts }) => !facts.closed && facts.hold === undefined);
  const activeWork = () => {
    const ids = new Set(active().map(({ id }) => id));
    return rows.work.filter(({ streamId }) => ids.has(streamId));
  };
  const waiting = (now: number) =>
    activeWork().filter((row) => row.holder === undefined && !row.withdraw && row.notBefore <= now);
  const isOver = (now: number, holder: string, until = new Map(rows.holders).get(holder)) =>
    (until ?? 0) <= now;
  return {
    claimable: (queue, now, limit) =>
      waiting(now)
        .filter((row) => row.queue === queue)
        .sort((a, b) => a.notBefore - b.notBefore)
        .slice(0, limit)
        .map((row) => workOf(rows, row)),
    queues(now, limit, after) {
      const queues = new Set(waiting(now).map(({ queue }) => queue));
      return byName([...queues], (queue) => queue, after, limit);
    },
    unapplied(limit, after) {
      const behind = active().filter(({ facts }) => facts.applied < facts.position);
      return byName(behind, streamName, after, limit).map(streamName);
    },
    orphaned(now, limit, after) {
      const orphans = active().flatMap(({ stream, facts: { owner } }) =>
        owner !== undefined && isOver(now, owner) ? [{ stream, owner }] : [],
      );
      return byName(orphans, streamName, after, limit);
    },
    abandoned(now, limit, after) {
      const over = activeWork().filter(({ holder, until, withdraw }) =>
        holder === undefined ? withdraw : isOver(now, holder, until),
      );
      return byName(over, ({ id }) => id, after, limit).map((row) => workOf(rows, row));
    },
    due: (now, limit, skip) =>
      active()
        .flatMap(({ id, stream, dues }) => dues.map(([key, at]) => ({ id, stream, key, at })))
        .filter(({ at }) => at <= now)
        .sort((a, b) => a.at - b.at || a.id - b.id || compareIds(a.key, b.key))
        .slice(skip, skip + limit)
        .map(({ stream, key, at }) => ({ stream, key, at })),
    stats(now) {
      const open = rows.streams.filter(({ facts }) => !facts.closed);
      const held = open.filter(({ facts }) => facts.hold !== undefined).length;
      const claimed = rows.work.filter(({ holder }) => holder !== undefined).length;
      const sum = (list: "log" | "slots" | "dues" | "receipts" | "notes") =>
        rows.streams.reduce((total, row) => total + row[list].length, 0);
      return {
        streams: { open: open.length - held, held, closed: rows.streams.length - open.length },
        records: sum("log"),
        slots: sum("slots"),
        dues: sum("dues"),
        work: { waiting: rows.work.length - claimed, claimed },
        receipts: sum("receipts"),
        notes: sum("notes"),
        blobs: rows.blobs.length,
        holders: rows.holders.filter(([, until]) => until > now).length,
      };
    },
  } satisfies Partial<Tables>;
}
