/**
 * The verbs that keep a store: `store migrate`, `store check`, `store prune`, `store stats`. They work on what is there,
 * beside running hosts, and never make a store. Spec: STO-check, STO-prune, STO-version-gate.
 */
import { SwlError } from "@swl/base";
import type { Store, StoreFault, StoreStats } from "@swl/store-provider";
import { type ExitCode, exit } from "../exit-codes.js";
import { durationForms, durationOf } from "../lib/durations.js";
import { print, printJson, remark, type Session } from "../lib/session.js";
import { openStore, type StoreOption, storePlace } from "../lib/store.js";
import { instant, table } from "../lib/table.js";
import { oneLine } from "../lib/visible.js";

/** Opening brings a store forward, whoever opens it; this does nothing else. */
export function migrate(session: Session, options: StoreOption): Promise<ExitCode> {
  return withStore(session, options, async (store, shown) => {
    const { format } = await store.stats();
    if (session.json) printJson(session, { store: shown, ...(format !== undefined && { format }) });
    else
      print(
        session,
        `${oneLine(shown)} is of format ${format ?? "none"}, which this version reads and writes`,
      );
    return exit.ok;
  });
}

export interface CheckOptions extends StoreOption {
  readonly limit?: number;
}

/** Ends with `store` when there is a fault. */
export function check(session: Session, options: CheckOptions): Promise<ExitCode> {
  return withStore(session, options, async (store, shown) => {
    const faults = await store.check(options.limit ?? 100);
    if (session.json) printJson(session, { faults, store: shown });
    else print(session, faults.length === 0 ? "no faults" : faults.map(faultText).join("\n"));
    return faults.length === 0 ? exit.ok : exit.store;
  });
}

export interface PruneCommandOptions extends StoreOption {
  readonly olderThan: string;
  readonly dryRun?: boolean;
}

/** Portion by portion; an interrupt ends it after the portion under way. With `dryRun` it counts and removes nothing. */
export function prune(session: Session, options: PruneCommandOptions): Promise<ExitCode> {
  const age = ageOf(options.olderThan);
  return withStore(session, options, async (store) => {
    const closedBefore = Math.max(0, (await store.now()) - age);
    const interrupted = interruptOf(session);
    try {
      const counted =
        options.dryRun === true
          ? await countOver(session, store, closedBefore, interrupted)
          : await pruneAll(session, store, closedBefore, interrupted);
      const before = instant(closedBefore);
      if (session.json) printJson(session, { ...counted, before, dryRun: options.dryRun === true });
      else print(session, prunedText(counted, before));
      return interrupted.yes() ? exit.interrupted : exit.ok;
    } finally {
      interrupted.end();
    }
  });
}

export function stats(session: Session, options: StoreOption): Promise<ExitCode> {
  return withStore(session, options, async (store, shown) => {
    const counts = await store.stats();
    const published = await publishedNames(store);
    const { name } = store.info;
    if (session.json) printJson(session, { ...counts, published, name, store: shown });
    else print(session, statsText(name, counts, published));
    return exit.ok;
  });
}

/** To a store they are open streams like runs; their label tells them apart (DUR-publications). */
async function publishedNames(store: Store): Promise<number> {
  let names = 0;
  for (let after: string | undefined; ; ) {
    const facets = { kind: "publication" };
    const page = await store.list({ facets, limit: 1_000, ...(after !== undefined && { after }) });
    names += page.items.length;
    after = page.next;
    if (after === undefined) return names;
  }
}

async function withStore(
  session: Session,
  options: StoreOption,
  work: (store: Store, shown: string) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { shown } = storePlace(session, options);
  const store = await openStore(session, options, { create: false });
  try {
    return await work(store, shown);
  } finally {
    await store.close();
  }
}

/** In milliseconds. Throws `cli.usage`. */
function ageOf(text: string): number {
  const age = durationOf(text);
  if (age !== undefined) return age;
  const message = `--older-than is ${JSON.stringify(text.slice(0, 80))}; a duration such as 30d or P30D is expected`;
  throw new SwlError("cli.usage", message, { hint: durationForms });
}

interface Counted {
  readonly runs: number;
  /** Of what was removed. */
  readonly records?: number;
  readonly blobs?: number;
}

/** How many runs lie between two remarks on the way. */
const stretch = 1_000;

async function pruneAll(
  session: Session,
  store: Store,
  closedBefore: number,
  interrupted: Interrupt,
): Promise<Counted> {
  let [runs, records, blobs] = [0, 0, 0];
  for (;;) {
    const portion = await store.prune({ closedBefore });
    const told = Math.floor(runs / stretch);
    runs += portion.streams;
    records += portion.records;
    blobs += portion.blobs;
    if (!portion.more || interrupted.yes()) return { runs, records, blobs };
    if (Math.floor(runs / stretch) > told) remark(session, session.paint.dim(`${runs} runs removed so far`));
  }
}

/** What `pruneAll` would remove now. */
async function countOver(
  session: Session,
  store: Store,
  closedBefore: number,
  interrupted: Interrupt,
): Promise<Counted> {
  let [runs, seen] = [0, 0];
  for (let after: string | undefined; ; ) {
    const page = await store.list({ limit: stretch, ...(after !== undefined && { after }) });
    for (const { stream, position, closed, createdAt } of page.items) {
      if (!closed || createdAt >= closedBefore) continue;
      const [last] = await store.read(stream, { after: position - 1, limit: 1 });
      if (last !== undefined && last.at < closedBefore) runs += 1;
    }
    seen += page.items.length;
    after = page.next;
    if (after === undefined || interrupted.yes()) return { runs };
    remark(session, session.paint.dim(`${seen} runs looked at so far`));
  }
}

interface Interrupt {
  readonly yes: () => boolean;
  readonly end: () => void;
}

function interruptOf({ io }: Session): Interrupt {
  let interrupted = false;
  const end = io.onInterrupt(() => {
    interrupted = true;
  });
  return { yes: () => interrupted, end };
}

function prunedText({ runs, records, blobs }: Counted, before: string): string {
  const ended = `${counted(runs, "run")} that ended before ${before}`;
  if (records === undefined || blobs === undefined) return `would remove ${ended}`;
  return `removed ${ended}: ${counted(records, "record")}, ${counted(blobs, "shared document")}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function faultText({ stream, message }: StoreFault): string {
  return stream === undefined ? oneLine(message) : `${oneLine(stream)}  ${oneLine(message)}`;
}

function statsText(name: string, counts: StoreStats, published: number): string {
  const { format, bytes, streams, work } = counts;
  // A name may have been published since the streams were counted.
  const open = Math.max(0, streams.open - published);
  const rows: (readonly [string, string])[] = [
    ["store", oneLine(name)],
    ["runs", `${open} open, ${streams.held} held, ${streams.closed} ended`],
    ["published names", String(published)],
    ["records", String(counts.records)],
    ["slots", String(counts.slots)],
    ["timers", String(counts.dues)],
    ["work", `${work.waiting} waiting, ${work.claimed} claimed`],
    ["receipts", String(counts.receipts)],
    ["notes", String(counts.notes)],
    ["shared documents", String(counts.blobs)],
    ["hosts", String(counts.holders)],
  ];
  if (format !== undefined) rows.push(["format", String(format)]);
  if (bytes !== undefined) rows.push(["bytes", String(bytes)]);
  return table(rows);
}
