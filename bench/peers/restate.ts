/** A Restate server of its own on loopback, its service in this process. Its records are in its own log. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import * as restate from "@restatedev/restate-sdk";
import * as clients from "@restatedev/restate-sdk-clients";
import { freePort } from "../../packages/store-postgres/test/server.ts";
import { type OpenPeer, pause, STEPS } from "./peer.ts";

const bench = restate.service({
  name: "bench",
  handlers: {
    chain: async (context: restate.Context) => {
      for (let index = 0; index < STEPS; index++) await context.run(`step${index}`, async () => null);
      return null;
    },
  },
});

const waiting = restate.workflow({
  name: "waiting",
  handlers: {
    run: async (context: restate.WorkflowContext) => {
      await context.promise<string>("go");
      return null;
    },
    go: async (context: restate.WorkflowSharedContext) => {
      await context.promise<string>("go").resolve("now");
    },
  },
});

export const restateServer: OpenPeer = async ({ folder }) => {
  const binary = findBinary();
  if (binary === undefined) return { absent: "npm has no Restate server for this platform" };
  const [admin, ingressPort, node, servicePort] = await freePorts();
  const server = spawn(
    binary,
    ["--node-name", "bench", "--base-dir", folder, "--listen-mode", "tcp", "--bind-ip", "127.0.0.1"],
    {
      stdio: "ignore",
      env: {
        RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
        RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingressPort}`,
        RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
        RESTATE_LOG_FILTER: "error",
        RESTATE_DISABLE_TELEMETRY: "true",
      },
    },
  );
  process.once("exit", () => server.kill("SIGKILL"));
  const { close } = await serve(servicePort);
  if (!(await registered(admin, servicePort))) {
    server.kill("SIGKILL");
    await close();
    return { absent: "the Restate server did not start" };
  }
  const ingress = clients.connect({ url: `http://127.0.0.1:${ingressPort}` });
  const service = ingress.serviceClient<typeof bench>({ name: "bench" });
  let runs = 0;
  return {
    async run() {
      await service.chain();
    },
    async wait() {
      const run = ingress.workflowClient<typeof waiting>({ name: "waiting" }, `run-${Date.now()}-${++runs}`);
      const { invocationId } = await run.workflowSubmit();
      const result = run.workflowAttach();
      while (!(await waits(admin, invocationId))) await pause(10);
      return {
        async finish() {
          await run.go();
          await result;
        },
      };
    },
    async close() {
      server.kill("SIGKILL");
      await close();
    },
  };
};

async function freePorts(): Promise<[number, number, number, number]> {
  return [await freePort(), await freePort(), await freePort(), await freePort()];
}

/** Its journal has the promise that nobody has resolved. */
async function waits(admin: number, invocation: string): Promise<boolean> {
  const query = `SELECT entry_type FROM sys_journal WHERE id = '${invocation}'`;
  const answer = await fetch(`http://127.0.0.1:${admin}/query`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ query }),
  });
  return (await answer.text()).includes("GetPromise");
}

function findBinary(): string | undefined {
  try {
    const wrapper = createRequire(import.meta.url).resolve("@restatedev/restate-server/package.json");
    const platform = `@restatedev/restate-server-${process.platform}-${process.arch}/package.json`;
    const binary = join(dirname(createRequire(wrapper).resolve(platform)), "bin", "restate-server");
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

async function serve(port: number): Promise<{ close(): Promise<void> }> {
  const { createServer } = await import("node:http2");
  const http = createServer(
    restate.createEndpointHandler({ services: [bench, waiting], logger: () => undefined }) as never,
  );
  const sessions = new Set<{ destroy(): void }>();
  http.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
  });
  await new Promise<void>((resolve) => http.listen(port, "127.0.0.1", resolve));
  return {
    close: () =>
      new Promise((resolve) => {
        for (const session of sessions) session.destroy();
        http.close(() => resolve());
      }),
  };
}

/** Tells the server of the service, as soon as it listens. */
async function registered(admin: number, service: number): Promise<boolean> {
  for (let tries = 0; tries < 150; tries++) {
    try {
      const answer = await fetch(`http://127.0.0.1:${admin}/deployments`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ uri: `http://127.0.0.1:${service}` }),
      });
      if (answer.ok) return true;
    } catch {
      // Not there yet.
    }
    await pause(200);
  }
  return false;
}
