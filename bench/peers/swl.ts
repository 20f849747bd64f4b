/** Ours: the same five activities through the whole host, on PostgreSQL and on SQLite. */
import { join } from "node:path";
import { defineWorkflow } from "@swl/definition";
import { createHost } from "@swl/durable-state";
import { core } from "@swl/execution";
import { inProcess, ok } from "@swl/invocation-control/in-process";
import { openPostgresStore } from "@swl/store-postgres";
import type { Store } from "@swl/store-provider";
import { openSqliteStore } from "@swl/store-sqlite";
import { type OpenPeer, type Peer, STEPS } from "./peer.ts";

const steps = Array.from({ length: STEPS }, (_, index) => `step${index}`);

const chain = defineWorkflow({
  id: "chain",
  start: "step0",
  actions: { work: { effect: "idempotent", outcomes: { ok: {} } } },
  nodes: {
    ...Object.fromEntries(
      steps.map((name, index) => [
        name,
        { kind: "activity", action: "work", routes: { ok: steps[index + 1] ?? "done" } },
      ]),
    ),
    done: { kind: "complete", output: null },
  },
} as never);

const waiting = defineWorkflow({
  id: "waiting",
  start: "wait",
  nodes: {
    wait: { kind: "await-signal", signal: "go", routes: { received: "done" } },
    done: { kind: "complete", output: null },
  },
} as never);

export const swlOnPostgres: OpenPeer = async ({ url }) =>
  ours("swl on PostgreSQL", "postgres", await openPostgresStore({ url }));

export const swlOnSqlite: OpenPeer = async ({ folder }) =>
  ours("swl on SQLite", "sqlite", await openSqliteStore({ file: join(folder, "swl.db") }));

async function ours(name: string, place: Peer["place"], store: Store): Promise<Peer> {
  const host = await createHost({ store, models: [core], bindings: inProcess({ work: () => ok(null) }) });
  let runs = 0;
  const completed = async (run: { result(): Promise<{ status: string }> }): Promise<void> => {
    const { status } = await run.result();
    if (status !== "completed") throw new Error(`a run ended ${status}`);
  };
  return {
    name,
    place,
    async run() {
      runs += 1;
      await completed(await host.start(chain, { input: { order: runs } as never }));
    },
    async wait() {
      const run = await host.start(waiting);
      while ((await host.control.status(run.id)).status !== "waiting") await new Promise(setImmediate);
      return {
        async finish() {
          const done = completed(run);
          await host.control.signal({ run: run.id, messageId: "go", name: "go" }, { wait: 0 });
          await done;
        },
      };
    },
    async close() {
      await host.close();
      await store.close();
    },
  };
}
