/** Ours: the same five activities through the whole host, on PostgreSQL and on SQLite. */
import { join } from "node:path";
import { defineWorkflow } from "@swl/definition";
import { createHost } from "@swl/durable-state";
import { core } from "@swl/execution";
import { inProcess, ok } from "@swl/invocation-control/in-process";
import { openPostgresStore } from "@swl/store-postgres";
import type { Codec, Store } from "@swl/store-provider";
import { openSqliteStore } from "@swl/store-sqlite";
import { type OpenPeer, type Peer, pause, STEPS } from "./peer.ts";

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

export const swlOnPostgres: OpenPeer = ({ url }) =>
  withCounts((schema, codec) => openPostgresStore({ url, schema, ...(codec && { codec }) }));

export const swlOnSqlite: OpenPeer = ({ folder }) =>
  withCounts((name, codec) => openSqliteStore({ file: join(folder, `${name}.db`), ...(codec && { codec }) }));

type OpenStore = (name: string, codec?: Codec) => Promise<Store>;

async function withCounts(open: OpenStore): Promise<Peer> {
  return {
    ...(await peerOn(await open("swl"))),
    async counted(work) {
      const counts = { commits: 0, items: 0, bytes: 0 };
      const encode = (bytes: Uint8Array): Uint8Array => {
        counts.bytes += bytes.byteLength;
        return bytes;
      };
      const store = await open("counted", { name: "plain", encode, decode: (bytes) => bytes });
      const append: Store["append"] = (items) => {
        counts.commits += 1;
        counts.items += items.length;
        return store.append(items);
      };
      const peer = await peerOn({ ...store, append });
      await work(peer);
      await peer.close();
      return counts;
    },
  };
}

async function peerOn(store: Store): Promise<Peer> {
  const host = await createHost({ store, models: [core], bindings: inProcess({ work: () => ok(null) }) });
  let runs = 0;
  const completed = async (run: { result(): Promise<{ status: string }> }): Promise<void> => {
    const { status } = await run.result();
    if (status !== "completed") throw new Error(`a run ended ${status}`);
  };
  return {
    async run() {
      runs += 1;
      await completed(await host.start(chain, { input: { order: runs } as never }));
    },
    async wait() {
      const run = await host.start(waiting);
      const done = completed(run);
      while ((await host.control.status(run.id)).status !== "waiting") await pause(2);
      return {
        async finish() {
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
