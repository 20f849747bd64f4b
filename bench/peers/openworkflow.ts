/** openworkflow, one worker of 50 slots in this process, on PostgreSQL and on SQLite. */
import { join } from "node:path";
import { OpenWorkflow } from "openworkflow";
import { BackendPostgres } from "openworkflow/postgres";
import { BackendSqlite } from "openworkflow/sqlite";
import { type OpenPeer, type Peer, pause, STEPS } from "./peer.ts";

export const openworkflowOnPostgres: OpenPeer = async ({ url }) => peerOn(await BackendPostgres.connect(url));

export const openworkflowOnSqlite: OpenPeer = async ({ folder }) =>
  peerOn(BackendSqlite.connect(join(folder, "openworkflow.db")));

interface Input {
  readonly key: string;
}

async function peerOn(backend: BackendPostgres | BackendSqlite): Promise<Peer> {
  const client = new OpenWorkflow({ backend });
  /** Of each run, told when its function is about to return. */
  const returning = new Map<string, () => void>();
  const chain = client.defineWorkflow<Input, null>({ name: "chain" }, async ({ input, step }) => {
    for (let index = 0; index < STEPS; index++) await step.run({ name: `step${index}` }, async () => null);
    returning.get(input.key)?.();
    return null;
  });
  const waiting = client.defineWorkflow<Input, null>({ name: "waiting" }, async ({ input, step }) => {
    await step.waitForSignal({ name: "wait", signal: input.key, timeout: "1h" });
    returning.get(input.key)?.();
    return null;
  });
  const worker = client.newWorker({ concurrency: 50 });
  await worker.start();

  let runs = 0;
  async function start(workflow: typeof chain) {
    const key = `run-${++runs}`;
    const returned = new Promise<void>((resolve) => returning.set(key, resolve));
    const { id } = (await workflow.run({ key })).workflowRun;
    const look = () => backend.getWorkflowRun({ workflowRunId: id });
    // Its client looks for results once a second, which would be all that is seen: here one looks as soon as there is one.
    const result = async (): Promise<void> => {
      await returned;
      returning.delete(key);
      while ((await look())?.status !== "completed") await pause(1);
    };
    return { key, look, result: result() };
  }

  return {
    async run() {
      await (await start(chain)).result;
    },
    async wait() {
      const { key, look, result } = await start(waiting);
      // Its worker has put it down.
      for (let run = await look(); run?.status !== "running" || run.workerId !== null; run = await look()) {
        await pause(2);
      }
      return {
        async finish() {
          const { workflowRunIds } = await client.sendSignal({ signal: key });
          if (workflowRunIds.length !== 1) throw new Error("nobody waited for the message");
          await result;
        },
      };
    },
    async close() {
      await worker.stop();
      await backend.stop();
    },
  };
}
