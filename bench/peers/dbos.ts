/** DBOS Transact on the same PostgreSQL, in this process. */
import { DBOS } from "@dbos-inc/dbos-sdk";
import { type OpenPeer, STEPS } from "./peer.ts";

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
    name: "DBOS Transact",
    place: "postgres",
    async run() {
      await (await DBOS.startWorkflow(chain)()).getResult();
    },
    async wait() {
      const handle = await DBOS.startWorkflow(waiting)();
      await new Promise((resolve) => setTimeout(resolve, 50));
      return {
        async finish() {
          const result = handle.getResult();
          await DBOS.send(handle.workflowID, "now", "go");
          await result;
        },
      };
    },
    close: () => DBOS.shutdown(),
  };
};
