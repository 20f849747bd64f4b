/**
 * Somebody else who listens to a store on PostgreSQL: a thread with modules of its own, so that, like another process,
 * it hears through the server only; its clock is that of the whole machine.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { openPostgresStore } from "@swl/store-postgres";
import type { WakeUp } from "./store-waiting.ts";

interface Heard {
  readonly names: readonly string[];
  /** Nanoseconds, `process.hrtime`. */
  readonly at: bigint;
}

export interface Watcher {
  readonly wakeUp: WakeUp;
  close(): Promise<void>;
}

/** Milliseconds: a store that has told waits a moment before it tells again, and that is not what is measured. */
const apart = 10;
const patience = 20_000;

export function openWatcher(url: string, schema: string): Watcher {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { url, schema } });
  const waiting = new Map<string, (at: bigint) => void>();
  worker.on("message", ({ names, at }: Heard) => {
    for (const name of names) waiting.get(name)?.(at);
  });
  return {
    async wakeUp(stream, send) {
      await sleep(apart);
      const stop = new AbortController();
      const heard = new Promise<bigint>((resolve) => waiting.set(stream, resolve));
      const lost = sleep(patience, undefined, { signal: stop.signal }).then(() => {
        throw new Error(`nobody was told of ${stream}`);
      });
      lost.catch(() => {});
      await send();
      const sent = process.hrtime.bigint();
      const at = await Promise.race([heard, lost]);
      stop.abort();
      waiting.delete(stream);
      return Number(at - sent) / 1e6;
    },
    async close() {
      const ended = new Promise((resolve) => worker.once("exit", resolve));
      worker.postMessage("close");
      await ended;
    },
  };
}

async function listen(url: string, schema: string): Promise<void> {
  const store = await openPostgresStore({ url, schema });
  store.watch((wakes) => {
    const at = process.hrtime.bigint();
    const names = wakes.filter(({ kind }) => kind === "records").map(({ name }) => name);
    parentPort?.postMessage({ names, at } satisfies Heard);
  });
  parentPort?.once("message", () => void store.close());
}

if (!isMainThread) {
  const { url, schema } = workerData as { readonly url: string; readonly schema: string };
  await listen(url, schema);
}
