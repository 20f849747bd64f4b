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
import type { Codec, Store } from "@swl/store-provider";
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

/** Of the runs in flight together. */
const appended = { batches: 0, items: 0, bytes: 0 };

const counting: Codec = {
  name: "plain",
  encode(bytes) {
    appended.bytes += bytes.byteLength;
    return bytes;
  },
  decode: (bytes) => bytes,
};

function counted(store: Store): Store {
  return {
    ...store,
    append(items) {
      appended.batches += 1;
      appended.items += items.length;
      return store.append(items);
    },
  };
}

/** Counts in the first subject only. */
function alone(subject: Subject, total: { batches: number; items: number; bytes: number }): Subject {
  return {
    ...subject,
    async run() {
      Object.assign(appended, { batches: 0, items: 0, bytes: 0 });
      const units = await subject.run();
      Object.assign(total, appended);
      return units;
    },
  };
}

const together = { batches: 0, items: 0, bytes: 0 };

export const durableVisits: Bench = {
  name: "durable-visits",
  question:
    "durable visits per second on SQLite (WAL, synchronous=FULL) against raw commits of the same disk",
  async open({ quick }) {
    const folder = mkdtempSync(join(tmpdir(), "swl-bench-"));
    const store = await openSqliteStore({ file: join(folder, "store.db"), codec: counting });
    const host = await createHost({
      store: counted(store),
      models: [core],
      bindings: inProcess({ work: () => ok(null) }),
    });
    const many = alone(runs(host, quick ? 200 : 1_000, 50), together);
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
  notes() {
    const { batches, items, bytes } = together;
    // One item more than visits: the start.
    const visits = (items * STEPS) / (STEPS + 1);
    return [
      `50 in flight: ${(batches / visits).toFixed(3)} commits a visit, ${(items / batches).toFixed(1)} runs a commit; ${Math.round(bytes / visits)} bytes of documents a visit`,
      "a visit is one of the five activities of a run; its start is in the figures",
    ];
  },
};
