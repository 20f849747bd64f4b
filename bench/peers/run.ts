/**
 * `npm run bench:peers [-- --quick]`: the same work through ours, comparable systems and loops by hand, on one machine,
 * one PostgreSQL with fsync on, in one run, in turns. Prints rates, latencies and ratios; nothing is asserted.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "../lib/harness.ts";
import { openServer } from "../lib/postgres.ts";
import { coalescedOnPostgres, coalescedOnSqlite, perStepOnPostgres } from "./by-hand.ts";
import { dbos } from "./dbos.ts";
import { openworkflowOnPostgres, openworkflowOnSqlite } from "./openworkflow.ts";
import type { OpenPeer, Peer } from "./peer.ts";
import { restateServer } from "./restate.ts";
import { swlOnPostgres, swlOnSqlite } from "./swl.ts";

const quick = process.argv.includes("--quick");
const RUNS = quick ? 200 : 1_000;
const LONE = quick ? 20 : 100;
const ROUNDS = quick ? 1 : 2;
const IN_FLIGHT = 50;
/** Milliseconds. */
const PATIENCE = 4_000;
/** Milliseconds for which each is at it before anything is counted: code is compiled while it is used. */
const WARM = quick ? 1_000 : 8_000;

interface Figures {
  readonly many: number[];
  readonly lone: number[];
  readonly signal: number[];
}

const progress = (text: string): void => void process.stderr.write(`  ${text}\n`);

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Runs a second with 50 in flight. */
async function manyAtOnce(peer: Peer): Promise<number> {
  let left = RUNS;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await peer.run();
  };
  const took = await timed(async () => {
    await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  });
  return (RUNS / took) * 1_000;
}

async function warm(peer: Peer): Promise<void> {
  const end = performance.now() + WARM;
  const worker = async (): Promise<void> => {
    while (performance.now() < end) await peer.run();
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
}

/** So many times, or as often as fits into a few seconds: some look for work once a second. */
async function within(times: number, work: () => Promise<void>): Promise<void> {
  const end = performance.now() + PATIENCE;
  for (let done = 0; done < times && (done < 3 || performance.now() < end); done++) await work();
}

async function oneRound(peer: Peer, figures: Figures): Promise<void> {
  figures.many.push(await manyAtOnce(peer));
  await within(LONE, async () => {
    figures.lone.push(await timed(() => peer.run()));
  });
  const { wait } = peer;
  if (wait === undefined) return;
  await within(LONE / 4, async () => {
    const waiting = await wait();
    figures.signal.push(await timed(() => waiting.finish()));
  });
}

const opens: readonly OpenPeer[] = [
  swlOnPostgres,
  dbos,
  openworkflowOnPostgres,
  restateServer,
  perStepOnPostgres,
  coalescedOnPostgres,
  swlOnSqlite,
  openworkflowOnSqlite,
  coalescedOnSqlite,
];

const root = mkdtempSync(join(tmpdir(), "swl-peers-"));
const server = await openServer();
const peers: Peer[] = [];
const all = new Map<string, Figures>();
try {
  for (const [index, open] of opens.entries()) {
    const folder = join(root, String(index));
    mkdirSync(folder);
    const peer = await open({ url: server.url, folder });
    if ("absent" in peer) {
      console.log(`skipped: ${peer.absent}`);
      continue;
    }
    peers.push(peer);
    all.set(peer.name, { many: [], lone: [], signal: [] });
    await peer.run();
  }
  for (const peer of peers) {
    progress(`warm: ${peer.name}`);
    await warm(peer);
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const peer of round % 2 === 0 ? peers : peers.toReversed()) {
      progress(`round ${round + 1} of ${ROUNDS}: ${peer.name}`);
      await oneRound(peer, all.get(peer.name)!);
    }
  }
} finally {
  for (const peer of peers) await peer.close().catch(() => undefined);
  await server.close();
  rmSync(root, { recursive: true, force: true });
}

const shown = (value: number | undefined, unit: string): string =>
  value === undefined || Number.isNaN(value)
    ? "-".padStart(12)
    : `${value.toFixed(value < 100 ? 2 : 0)} ${unit}`.padStart(12);
const of = (name: string, what: keyof Figures): number | undefined => {
  const values = all.get(name)?.[what] ?? [];
  return values.length === 0 ? undefined : median(values);
};

console.log(
  `runs of five no-op steps, ${IN_FLIGHT} in flight; a lone run; message to end of a waiting run (medians)`,
);
for (const { name } of peers) {
  const [many, lone, signal] = [of(name, "many"), of(name, "lone"), of(name, "signal")];
  console.log(`  ${name.padEnd(42)}${shown(many, "runs/s")}${shown(lone, "ms")}${shown(signal, "ms")}`);
}

/** How many times better `ours` is. */
function ratio(ours: string, other: string, what: keyof Figures, asked: string): void {
  const [a, b] = [of(ours, what), of(other, what)];
  if (a === undefined || b === undefined) return;
  const better = what === "many" ? a / b : b / a;
  console.log(`  ${ours} to ${other}, ${what}: ${better.toFixed(2)}x (asked: ${asked})`);
}

const [pgName, sqlite] = ["swl on PostgreSQL", "swl on SQLite"];
console.log("times faster");
ratio(pgName, "DBOS Transact", "many", "12");
ratio(pgName, "openworkflow on PostgreSQL", "many", "12");
ratio(pgName, "Restate", "many", "8");
ratio(pgName, "by hand on PostgreSQL, commits coalesced", "many", "0.25");
ratio(sqlite, "openworkflow on SQLite", "many", "20");
ratio(sqlite, "by hand on SQLite, commits coalesced", "many", "-");
ratio(pgName, "DBOS Transact", "lone", "4");
ratio(pgName, "Restate", "lone", "4");
ratio(pgName, "by hand on PostgreSQL, a commit a step", "lone", "0.4");
ratio(pgName, "DBOS Transact", "signal", "2");
ratio(pgName, "Restate", "signal", "-");
console.log(`  Node ${process.version}`);
process.exit(0);
