/**
 * `npm start`: all orders run concurrently in a child process on the embedded SQLite store, and that process is killed
 * twice inside a charge, once before the money was taken and once after. Whatever can be repeated goes on by itself;
 * the open charge stands until the operator decides. Then four processes are replaced one by one under load, and nothing
 * stands at all. Ends with an error when anything is off.
 */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { raise, SwlError } from "@swl/base";
import { definitionDigest } from "@swl/definition";
import { type Control, createControl } from "@swl/durable-state";
import { core } from "@swl/execution";
import { compileFolder } from "@swl/source-notation/folder";
import { openSqliteStore } from "@swl/store-sqlite";
import { audit } from "./audit.ts";
import { Child } from "./child.ts";
import { Approvals } from "./demo/approvals.ts";
import { intervene } from "./demo/intervention.ts";
import { printCrashes, printLedger, printNext, printPicture, printRuns } from "./demo/report.ts";
import { rollOut } from "./demo/rolling.ts";
import { bold, files, fromRoot, green, out, print, red, say } from "./demo/stage.ts";
import { stopAll } from "./demo/swl.ts";
import { exampleFolder, readOrders } from "./orders.ts";
import type { WorkerMessage, WorkerOptions } from "./worker.ts";

type Worker = Child<WorkerMessage>;

const orders = readOrders();
const lease = 2_000;
const serve = { ...files, orders, lease, pace: 60 };
let child: Worker | undefined;

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    stopAll();
    const killed = child?.kill() ?? Promise.resolve();
    void killed.finally(() => process.exit(130));
  });
}

async function compile(): Promise<void> {
  const compiled = await compileFolder(exampleFolder);
  if (!compiled.ok) raise("definition.invalid", "the workflow does not compile", compiled.findings);
  const { definition } = compiled.value;
  writeFileSync(files.definition, JSON.stringify(definition));
  say(
    `compiled ${fromRoot(exampleFolder)}: ${Object.keys(definition.nodes).length} nodes, ${definitionDigest(definition)}`,
  );
}

async function begin(title: string, pause?: WorkerOptions["pause"]): Promise<Worker> {
  const options: WorkerOptions = { ...serve, ...(pause && { pause }) };
  child = new Child<WorkerMessage>(join(exampleFolder, "src", "worker.ts"), options);
  say(`${bold(title)} (process ${child.pid})`);
  const { holder } = await child.message("serving");
  say(`it serves as ${holder}`);
  return child;
}

/** Waits until one charge is held up at its point, and kills the process in it. */
async function killInCharge(victim: Worker): Promise<void> {
  const { point, order, key } = await victim.message("paused");
  const when = point === "before" ? "before it reached the ledger" : "after it reached the ledger";
  say(red(`SIGKILL inside the charge of ${order}, ${when} (key ${key})`));
  await victim.kill();
}

async function allEnded(control: Control): Promise<void> {
  for (let left = -1; left !== 0; ) {
    const { items } = await control.list({ limit: 1_000 });
    const open = items.filter((run) => !run.closed).length;
    if (open !== left && open % 10 === 0) say(`${items.length - open} of ${items.length} runs have ended`);
    if (items.some(({ status }) => status === "needs-intervention"))
      throw new SwlError("run.parked", "a run stands that nobody expected");
    left = open;
    if (left > 0) await sleep(100);
  }
}

/** The run with the most edges behind it: the one whose picture shows most. */
async function longestRun(control: Control, runs: readonly string[]): Promise<string> {
  const lengths = await Promise.all(runs.map(async (run) => (await control.path(run)).length));
  return runs[lengths.indexOf(Math.max(...lengths))]!;
}

async function main(): Promise<readonly string[]> {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  await compile();
  const decisions = new Map<string, string>();

  let serving = await begin(`start ${orders.length} orders`, { point: "before", charge: 9 });
  await serving.message("started");
  say(`${orders.length} runs are durably created`);
  const store = await openSqliteStore({ file: files.store });
  const control = createControl({ store, models: [core] });
  const approvals = new Approvals(control, orders);
  approvals.start();
  await killInCharge(serving);

  serving = await begin("restart; the lease of the dead host must run out first", {
    point: "after",
    charge: 8,
  });
  const first = await intervene(control);
  decisions.set(first.run, first.decision);
  await killInCharge(serving);

  serving = await begin("restart once more");
  const second = await intervene(control);
  decisions.set(second.run, second.decision);
  await allEnded(control);
  await approvals.stop();
  await serving.stop();

  const found = await audit({ control, store, ledger: files.ledger }, orders);
  printRuns(found, approvals.given, decisions);
  printCrashes(found, decisions);
  printLedger(found);
  const rolled = await rollOut(orders);
  const longest = await longestRun(
    control,
    found.runs.map(({ status }) => status.run),
  );
  const trouble = await printPicture(longest);
  printNext(longest);
  await store.close();
  const wrong = [first.decision === "retry", second.decision === "complete"].every(Boolean)
    ? []
    : [`the decisions were ${first.decision} and ${second.decision}, not retry and complete`];
  const standing = found.runs
    .filter(({ status }) => !status.closed)
    .map(({ order }) => `${order.order} has not ended`);
  return [
    ...found.problems,
    ...standing,
    ...approvals.problems,
    ...wrong,
    ...rolled,
    ...(trouble ? [trouble] : []),
  ];
}

try {
  const problems = await main();
  for (const problem of problems) print(red(`problem: ${problem}`));
  print("");
  say(
    problems.length === 0
      ? green("two kills and a deployment: no order lost, no charge twice")
      : red(`${problems.length} problems`),
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
} catch (error) {
  print(red(`\nthe demo broke off: ${error instanceof Error ? error.message : String(error)}`));
  process.exitCode = 1;
} finally {
  stopAll();
  await child?.kill();
}
