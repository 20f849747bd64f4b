/** A worker in a process of its own: `node far-worker.mjs URL NAME LEASE`. Says on standard output what it begins. */
import { inProcess, ok } from "@swl/invocation-control/in-process";
import { createWorker } from "../dist/worker.js";

const [url, name, lease] = process.argv.slice(2);
const say = (text) => process.stdout.write(`${text}\n`);
const worker = createWorker({
  url,
  name,
  lease: Number(lease),
  actions: ["far"],
  provider: inProcess({
    far: async (input, { attempt, invocation }) => {
      say(`begun ${invocation} ${attempt}`);
      // Only the first process that is asked hangs: the next one is told so.
      if (input === "hang" && process.env.HANG === "1") await new Promise(() => undefined);
      return ok(`${name} ${attempt}`);
    },
  }),
});
process.on("SIGTERM", () => void worker.close({ drain: 1_000 }));
await worker.ended;
say("ended");
