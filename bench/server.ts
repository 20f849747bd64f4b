/**
 * Runs started over HTTP and their results waited for, on loopback: two requests a run, 50 connections, the memory store,
 * a host that runs one activity of each. Against a bare `node:http` server that answers the same requests with the same
 * bodies and does nothing. The client is a thread of its own and the same for both.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { defineWorkflow } from "@swl/definition";
import { createHost } from "@swl/durable-state";
import { core } from "@swl/execution";
import { inProcess, ok } from "@swl/invocation-control/in-process";
import { serve } from "@swl/server";
import { createMemoryBacking, openMemoryStore } from "@swl/store-memory";
import type { Bench, Subject } from "./lib/harness.ts";
import { loaded, loadThread } from "./lib/http-load.ts";

const CONNECTIONS = 50;

const adding = defineWorkflow({
  id: "adding",
  start: "add",
  actions: { add: { effect: "pure", outcomes: { ok: {} } } },
  nodes: {
    add: { kind: "activity", action: "add", input: { $get: ["input"] }, routes: { ok: "done" } },
    done: { kind: "complete", output: { $get: ["from", "output"] } },
  },
} as never);

/** The bodies that the server answers with, and its statuses. */
async function echo(): Promise<{ readonly port: number; close(): void }> {
  const started = {
    kind: "accepted",
    run: "run-0123456789abcdef0123",
    requestId: "start-0123456789",
    position: 2,
    repeated: false,
  };
  const answers = [
    [201, JSON.stringify(started)],
    [200, JSON.stringify({ status: "completed", output: { order: 1 } })],
  ] as const;
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      const [status, body] = answers[request.method === "POST" ? 0 : 1];
      response.writeHead(status, { "content-type": "application/json", "content-length": body.length });
      response.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export const serverRuns: Bench = {
  name: "server",
  question:
    "runs over HTTP (start, result) with 50 connections on the memory store, against a bare node:http echo",
  async open({ quick }) {
    const store = openMemoryStore({ backing: createMemoryBacking() });
    const host = await createHost({
      store,
      models: [core],
      bindings: inProcess({ add: (input: unknown) => ok(input) }),
    });
    await host.control.publish({ requestId: "publish", definition: adding as never });
    const limits = { rate: { perSecond: 1_000_000, burst: 1_000_000 } };
    const server = await serve({ control: host.control, hints: store, limits });
    const bare = await echo();
    const thread = loadThread();
    const runs = quick ? 2_000 : 10_000;
    const subject = (name: string, port: number, close: () => Promise<void> | void): Subject => ({
      name,
      unit: "run",
      async run() {
        await loaded(thread, { port, connections: CONNECTIONS, runs });
        return runs;
      },
      close,
    });
    return [
      subject("swl server, start and result", server.port, async () => {
        await server.close({ drain: 0 });
        await host.close();
        await store.close();
      }),
      subject("node:http echo, the same two requests", bare.port, async () => {
        bare.close();
        await thread.terminate();
      }),
    ];
  },
};
