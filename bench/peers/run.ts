/**
 * `npm run bench:peers [-- NAME…] [--quick]`: the same work through ours, comparable systems and loops by hand, on one
 * machine, one disk, one PostgreSQL with fsync on. Each is alone while it is measured: in a process of its own, opened
 * for its turn and ended with it; in turns, every other round backwards. Nothing is asserted. Interrupted, it leaves no
 * process and no folder behind.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { openServer, type Server } from "../lib/postgres.ts";
import { type Figures, noFigures, report } from "./figures.ts";
import type { Counts } from "./peer.ts";
import { type System, systems } from "./systems.ts";
import { type Alone, startAlone } from "./turn.ts";
import { sizeOf } from "./workloads.ts";

const given = process.argv.slice(2);
const quick = given.includes("--quick");
const names = given.filter((word) => word !== "--quick");
const unknown = names.filter((name) => !systems.some(({ key }) => key === name));
if (unknown.length > 0) {
  console.error(`bench:peers: unknown: ${unknown.join(" ")}`);
  console.error(`usage: npm run bench:peers -- [${systems.map(({ key }) => key).join("|")}]… [--quick]`);
  process.exit(2);
}

const ROUNDS = quick ? 2 : 3;
const { runs } = sizeOf(quick);
const chosen = systems.filter(({ key }) => names.length === 0 || names.includes(key));
const measured = new Map(chosen.map((system) => [system, noFigures()]));

let current: Alone | undefined;
let stopped = 0;
for (const [signal, code] of [
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const) {
  process.on(signal, () => {
    stopped = code;
    void current?.end();
  });
}

async function turn(system: System, figures: Figures, server: Server, root: string): Promise<void> {
  const folder = join(root, system.key);
  const database = system.key.replaceAll("-", "_");
  mkdirSync(folder);
  await server.number(`CREATE DATABASE ${database}`);
  // What the one before has left to write is not for this one to pay.
  await server.number("CHECKPOINT");
  if (stopped > 0) return;
  const url = server.url.replace(/[^/]*$/, database);
  const alone = startAlone({ key: system.key, place: { url, folder }, quick });
  current = alone;
  try {
    await measure(system, alone, figures, server);
  } catch (error) {
    figures.missing = error instanceof Error ? error.message : String(error);
  } finally {
    current = undefined;
    await alone.end();
    await server.number(`DROP DATABASE ${database} WITH (FORCE)`);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(system: System, alone: Alone, figures: Figures, server: Server): Promise<void> {
  const opened = await alone.ask("open");
  if (opened.kind === "absent") {
    figures.missing = `skipped: ${opened.reason}`;
    return;
  }
  const outcome = async (step: "many" | "lone" | "signal" | "count") => {
    const answer = await alone.ask(step);
    return answer.kind === "done" ? answer.outcome : undefined;
  };
  const written = () => server.number("SELECT pg_current_wal_insert_lsn() - '0/0'");
  await alone.ask("warm");
  const before = await written();
  figures.many.push((await outcome("many")) as number);
  if (system.place === "postgres") figures.log.push(((await written()) - before) / runs);
  figures.lone.push((await outcome("lone")) as number);
  const signal = (await outcome("signal")) as number | undefined;
  if (signal !== undefined) figures.signal.push(signal);
  const counts = (await outcome("count")) as Counts | undefined;
  if (counts !== undefined) figures.counts = { ...counts, runs };
  await alone.ask("close");
}

async function rounds(server: Server, root: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    for (const system of round % 2 === 0 ? chosen : chosen.toReversed()) {
      const figures = measured.get(system)!;
      if (stopped > 0) return;
      // Whoever died or is not there is not asked again.
      if (figures.missing !== undefined) continue;
      process.stderr.write(`  round ${round + 1} of ${ROUNDS}: ${system.name}\n`);
      await turn(system, figures, server, root);
      if (figures.missing !== undefined && stopped === 0) process.stderr.write(`    ${figures.missing}\n`);
    }
  }
}

let fsync = 0;
const root = mkdtempSync(join(tmpdir(), "swl-peers-"));
try {
  const server = await openServer();
  fsync = await server.number(
    "SELECT (current_setting('fsync') || current_setting('synchronous_commit') = 'onon')::int",
  );
  try {
    await rounds(server, root);
  } finally {
    await server.close();
  }
} catch (error) {
  // The server may hear of the interruption before this process does.
  if (stopped === 0) throw error;
} finally {
  rmSync(root, { recursive: true, force: true });
}
if (stopped > 0) process.exit(stopped);

console.log("five no-op steps a run: 50 runs in flight; a lone run; from message to end of a waiting run");
console.log(`median (least .. most) of ${ROUNDS} rounds, each alone while it is measured`);
if (quick) console.log("--quick: nobody is warm, so this shows that it works and no more");
for (const line of report(measured)) console.log(line);
console.log(
  `  Node ${process.version}, ${availableParallelism()} cores, one PostgreSQL with fsync ${fsync === 1 ? "on" : "off"}`,
);
