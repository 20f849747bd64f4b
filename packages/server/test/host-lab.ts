/** A whole host with a server before it, on a memory store: what the tests of answers, streams, client and workers use. */
import { defineWorkflow } from "@swl/definition";
import { createHost, createRemoteWork, type Host } from "@swl/durable-state";
import { core } from "@swl/execution";
import { remoteWorkers } from "@swl/invocation-control";
import { inProcess, ok } from "@swl/invocation-control/in-process";
import { createMemoryBacking, openMemoryStore } from "@swl/store-memory";
import { createClient } from "../src/client.js";
import { type ServeOptions, serve } from "../src/index.js";
import { closing } from "./lab.js";

/** Waits for the signal `go`, then completes with what it brought. */
export const waiting = defineWorkflow({
  id: "waiting",
  start: "wait",
  requires: ["core", "buffered-signals"],
  nodes: {
    wait: { kind: "await-signal", signal: "go", routes: { received: "done" } },
    done: { kind: "complete", output: { $get: ["from", "output"] } },
  },
} as never);

/** One activity of this host. */
export const adding = defineWorkflow({
  id: "adding",
  start: "add",
  actions: { add: { effect: "pure", outcomes: { ok: {} } } },
  nodes: {
    add: { kind: "activity", action: "add", input: { $get: ["input"] }, routes: { ok: "done" } },
    done: { kind: "complete", output: { $get: ["from", "output"] } },
  },
} as never);

/** Three activities of workers that pull. */
export function pulled(effect: "pure" | "idempotent" | "unsafe") {
  const step = (next: string) => ({
    kind: "activity",
    action: "far",
    input: { $get: ["input"] },
    routes: { ok: next },
  });
  return defineWorkflow({
    id: "pulled",
    start: "one",
    actions: { far: { effect, outcomes: { ok: {} } } },
    nodes: {
      one: step("two"),
      two: step("three"),
      three: step("done"),
      done: { kind: "complete", output: { $get: ["from", "output"] } },
    },
  } as never);
}

export async function hosted(options: Partial<ServeOptions> = {}) {
  const store = openMemoryStore({ backing: createMemoryBacking() });
  const host: Host = await createHost({
    store,
    models: [core],
    bindings: [
      inProcess({ add: (input: unknown) => ok((input as number) + 1) }),
      remoteWorkers({ actions: ["far"] }),
    ],
    poll: 10,
  });
  const work = createRemoteWork({ store, models: [core], poll: 20 });
  const served = await serve({ control: host.control, work, hints: store, ...options });
  closing(async () => {
    await served.close({ drain: 0 });
    work.close();
    await host.close({ drain: 0 });
    await store.close();
  });
  return { store, host, served, url: served.url, client: createClient({ url: served.url }) };
}

/** Until what is looked for is there. */
export async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
