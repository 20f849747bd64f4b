/** DBOS Transact on the same PostgreSQL, in this process. */
import { DBOS } from "@dbos-inc/dbos-sdk";
import { type OpenPeer, pause, STEPS } from "./peer.ts";

export const dbos: OpenPeer = async ({ url }) => {
  const silent = { info() {}, debug() {}, warn() {}, error() {} };
  DBOS.setConfig({ name: "bench", systemDatabaseUrl: url, logger: silent as never });
  const chain = DBOS.registerWorkflow(
    async () => {
      for (let index = 0; index < STEPS; index++)
        await DBOS.runStep(async () => null, { name: `step${index}` });
      return null;
    },
    { name: "chain" },
  );
  const waiting = DBOS.registerWorkflow(
    async () => {
      await DBOS.recv("go", 3_600);
      return null;
    },
    { name: "waiting" },
  );
  await DBOS.launch();
  return {
    async run() {
      await (await DBOS.startWorkflow(chain)()).getResult();
    },
    async wait() {
      const handle = await DBOS.startWorkflow(waiting)();
      const result = handle.getResult();
      // The deadline is the last that it writes before it waits.
      while (((await DBOS.listWorkflowSteps(handle.workflowID)) ?? []).length === 0) await pause(2);
      return {
        async finish() {
          await DBOS.send(handle.workflowID, "now", "go");
          await result;
        },
      };
    },
    close: () => DBOS.shutdown(),
  };
};
