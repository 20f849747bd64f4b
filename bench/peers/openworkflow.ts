/** openworkflow, one worker of 50 slots in this process, on PostgreSQL and on SQLite. */
import { join } from "node:path";
import { type Backend, OpenWorkflow } from "openworkflow";
import { BackendPostgres } from "openworkflow/postgres";
import { BackendSqlite } from "openworkflow/sqlite";
import { type OpenPeer, type Peer, pause, STEPS } from "./peer.ts";

export const openworkflowOnPostgres: OpenPeer = async ({ url }) =>
  peer("openworkflow on PostgreSQL", "postgres", await BackendPostgres.connect(url));

export const openworkflowOnSqlite: OpenPeer = async ({ folder }) =>
  peer("openworkflow on SQLite", "sqlite", BackendSqlite.connect(join(folder, "openworkflow.db")));

async function peer(
  name: string,
  place: Peer["place"],
  backend: Backend & { stop(): Promise<void> },
): Promise<Peer> {
  const client = new OpenWorkflow({ backend });
  const chain = client.defineWorkflow<null, null>({ name: "chain" }, async ({ step }) => {
    for (let index = 0; index < STEPS; index++) await step.run({ name: `step${index}` }, async () => null);
    return null;
  });
  const waiting = client.defineWorkflow<{ signal: string }, null>(
    { name: "waiting" },
    async ({ input, step }) => {
      await step.waitForSignal({ name: "wait", signal: input.signal, timeout: "1h" });
      return null;
    },
  );
  const worker = client.newWorker({ concurrency: 50 });
  await worker.start();
  let runs = 0;
  return {
    name,
    place,
    async run() {
      await (await chain.run(null)).result();
    },
    async wait() {
      const signal = `go-${++runs}`;
      const handle = await waiting.run({ signal });
      await pause(300);
      return {
        async finish() {
          // A signal that nobody waits for is dropped: until somebody has received it.
          while ((await client.sendSignal({ signal })).workflowRunIds.length === 0) await pause(5);
          await handle.result();
        },
      };
    },
    async close() {
      await worker.stop();
      await backend.stop();
    },
  };
}
