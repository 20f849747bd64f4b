/**
 * Durable visits per second on SQLite: runs of five no-op activities through the whole host, 50 in flight, every visit
 * one commit shared with its neighbours; against the raw commit rate of the same disk with the same settings (one
 * small row, one transaction each). A lone run is measured too.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { defineWorkflow } from "@swl/definition";
import { createHost, type Host } from "@swl/durable-state";
import { core } from "@swl/execution";
import { inProcess, ok } from "@swl/invocation-control/in-process";
import { openSqliteStore } from "@swl/store-sqlite";
import type { Bench, Subject } from "./lib/harness.ts";

const STEPS = 5;

function chain() {
  const nodes: Record<string, object> = { done: { kind: "complete", output: null } };
  for (let index = 0; index < STEPS; index++) {
    nodes[`step${index}`] = {
      kind: "activity",
      action: "work",
      routes: { ok: index === STEPS - 1 ? "done" : `step${index + 1}` },
    };
  }
  return defineWorkflow({
    id: "chain",
    start: "step0",
    actions: { work: { effect: "idempotent", outcomes: { ok: {} } } },
    nodes,
  } as never);
}

function rawCommits(folder: string, commits: number): Subject {
  const database = new DatabaseSync(join(folder, "raw.db"));
  database.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE row (id INTEGER PRIMARY KEY, body BLOB)",
  );
  const insert = database.prepare("INSERT INTO row (body) VALUES (?)");
  const body = new Uint8Array(200);
  return {
    name: "raw SQLite INSERT, a commit each",
    unit: "commit",
    run() {
      for (let index = 0; index < commits; index++) insert.run(body);
      return commits;
    },
    close: () => database.close(),
  };
}

function runs(host: Host, total: number, inFlight: number): Subject {
  const definition = chain();
  return {
    name: `host on SQLite, ${inFlight} run${inFlight === 1 ? "" : "s"} in flight`,
    unit: "visit",
    async run() {
      let next = 0;
      const worker = async (): Promise<void> => {
        while (next++ < total) {
          const run = await host.start(definition, { input: { order: next } });
          const result = await run.result();
          if (result.status !== "completed") throw new Error(`a run ended ${result.status}`);
        }
      };
      await Promise.all(Array.from({ length: inFlight }, worker));
      return total * STEPS;
    },
  };
}

export const durableVisits: Bench = {
  name: "durable-visits",
  question:
    "durable visits per second on SQLite (WAL, synchronous=FULL) against raw commits of the same disk",
  async open({ quick }) {
    const folder = mkdtempSync(join(tmpdir(), "swl-bench-"));
    const store = await openSqliteStore({ file: join(folder, "store.db") });
    const host = await createHost({ store, models: [core], bindings: inProcess({ work: () => ok(null) }) });
    const many = runs(host, quick ? 200 : 1_000, 50);
    const lone = runs(host, quick ? 40 : 200, 1);
    return [
      many,
      rawCommits(folder, quick ? 500 : 3_000),
      {
        ...lone,
        async close() {
          await host.close();
          await store.close();
          rmSync(folder, { recursive: true, force: true });
        },
      },
    ];
  },
};
