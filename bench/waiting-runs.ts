/**
 * What runs that wait cost a host that does nothing: a process with a host on SQLite in which so many runs wait for a
 * message, and one in which none does; what stays in use of each after a collection stands below.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Bench, median, type Subject } from "./lib/harness.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const megabytes = new Map<string, number[]>();

const source = (runs: number): string => `
  import { mkdtempSync, rmSync } from "node:fs"; import { tmpdir } from "node:os"; import { join } from "node:path";
  import { defineWorkflow } from "@swl/definition"; import { createHost } from "@swl/durable-state";
  import { core } from "@swl/execution"; import { inProcess } from "@swl/invocation-control/in-process";
  import { openSqliteStore } from "@swl/store-sqlite";
  const place = mkdtempSync(join(tmpdir(), "swl-bench-"));
  const store = await openSqliteStore({ file: join(place, "store.db") });
  const host = await createHost({ store, models: [core], bindings: inProcess({}) });
  const waiting = defineWorkflow({ id: "waiting", start: "wait", nodes: {
    wait: { kind: "await-signal", signal: "go", routes: { received: "done" } }, done: { kind: "complete", output: null } } });
  let left = ${runs};
  const worker = async () => { while (left-- > 0) await host.start(waiting, { input: { order: left } }); };
  const settle = () => new Promise((resolve) => setTimeout(resolve, 500));
  const used = () => { for (let i = 0; i < 4; i++) gc(); const { heapUsed, external } = process.memoryUsage(); return heapUsed + external; };
  // One run first: what the code itself needs is there before it is measured.
  await host.start(waiting, { input: {} });
  await settle();
  const before = used();
  await Promise.all(Array.from({ length: 200 }, worker));
  await settle();
  process.stdout.write(String(used() - before));
  await host.close(); await store.close(); rmSync(place, { recursive: true, force: true });`;

function leaving(runs: number): Subject {
  const name = `${runs.toLocaleString("en")} runs wait`;
  return {
    name,
    unit: "process",
    run() {
      const output = execFileSync(
        process.execPath,
        ["--expose-gc", "--input-type=module", "-e", source(runs)],
        {
          cwd: folder,
          encoding: "utf8",
        },
      );
      megabytes.set(name, [...(megabytes.get(name) ?? []), Number(output) / 1_048_576]);
      return 1;
    },
  };
}

export const waitingRuns: Bench = {
  name: "waiting-runs",
  question:
    "processes a second that start runs and leave them waiting; what they add to the host stands below",
  async open({ quick }) {
    return [leaving(quick ? 10_000 : 100_000), leaving(0)];
  },
  notes() {
    return [...megabytes].map(
      ([name, figures]) => `${name}: ${median(figures).toFixed(1)} MiB more in use (asked: 20 for 100,000)`,
    );
  },
};
