/** `npm run bench -- NAME… [--quick] [--json]`: runs the named benchmarks (all without a name) and prints ratios. */
import { availableParallelism, cpus } from "node:os";
import { canonical } from "./canonical.ts";
import { compileOrders } from "./compile-orders.ts";
import { durableVisits } from "./durable-visits.ts";
import { imports } from "./imports.ts";
import { inProcessProvider } from "./in-process-provider.ts";
import { type Bench, measure, type Report } from "./lib/harness.ts";
import { count, ratioText } from "./lib/text.ts";
import { longRun } from "./long-run.ts";
import { mapping } from "./mapping.ts";
import { parseDotBenches } from "./parse-dot.ts";
import { parseDotMemory } from "./parse-dot-memory.ts";
import { serverRuns } from "./server.ts";
import { storePostgresFlat, storePostgresGroup, storePostgresLone } from "./store-postgres.ts";
import { storePostgresHeld, storePostgresMillion, storePostgresReload } from "./store-postgres-long.ts";
import { storeSqliteFlat, storeSqliteGroup, storeSqliteLone } from "./store-sqlite.ts";
import { storeSqliteMillion, storeSqliteReload } from "./store-sqlite-long.ts";
import { storedTransitions, transitions } from "./transitions.ts";
import { transitionsNodes, transitionsRing, transitionsVisits } from "./transitions-flat.ts";
import { transitionsLarge } from "./transitions-large.ts";
import { transitionsProfiles } from "./transitions-profiles.ts";
import { validation50 } from "./validate.ts";
import { waitingRuns } from "./waiting-runs.ts";

const benches: readonly Bench[] = [
  transitions,
  storedTransitions,
  transitionsNodes,
  transitionsRing,
  transitionsVisits,
  transitionsLarge,
  transitionsProfiles,
  durableVisits,
  longRun,
  waitingRuns,
  inProcessProvider,
  serverRuns,
  canonical,
  mapping,
  validation50,
  imports,
  ...parseDotBenches,
  parseDotMemory,
  compileOrders,
  storeSqliteGroup,
  storeSqliteLone,
  storeSqliteFlat,
  storeSqliteReload,
  storeSqliteMillion,
  storePostgresGroup,
  storePostgresLone,
  storePostgresFlat,
  storePostgresHeld,
  storePostgresMillion,
  storePostgresReload,
];

const given = process.argv.slice(2);
const quick = given.includes("--quick");
const json = given.includes("--json");
const names = given.filter((argument) => !argument.startsWith("--"));
const unknown = given.filter(
  (argument) => argument.startsWith("--") && argument !== "--quick" && argument !== "--json",
);
const missing = names.filter((name) => !benches.some((bench) => bench.name === name));

if (unknown.length > 0 || missing.length > 0) {
  console.error(`bench: unknown: ${[...unknown, ...missing].join(" ")}`);
  console.error(
    `usage: npm run bench -- [${benches.map((bench) => bench.name).join("|")}]… [--quick] [--json]`,
  );
  process.exit(2);
}

const machine = { node: process.version, cpu: cpus()[0]?.model ?? "unknown", cores: availableParallelism() };
for (const bench of benches.filter((one) => names.length === 0 || names.includes(one.name))) {
  const report = await measure(bench, { quick }, machine, (text) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  });
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  console.log(json ? JSON.stringify(report) : text(report));
}

function text(report: Report): string {
  const cpu = report.clock === "cpu" ? " of CPU" : "";
  const lines = [`${report.bench}: ${report.question}`];
  for (const { name, unit, median, min, max } of report.subjects) {
    const rates = `${count(median).padStart(12)} ${unit}/s${cpu}   (${count(min)} .. ${count(max)})`;
    lines.push(`  ${name.padEnd(44)} ${rates}   ${count(1e9 / median)} ns each`);
  }
  lines.push(`  ratio ${ratioText(report.ratio)}`);
  for (const other of report.others) lines.push(`  ratio to ${other.to}: ${ratioText(other)}`);
  for (const note of report.notes) lines.push(`  ${note}`);
  lines.push(`  ${report.machine.node}, ${report.machine.cores} cores, ${report.machine.cpu}`);
  return lines.join("\n");
}
