/**
 * Providers that behave as badly as they can, in a host: each attempt ends with a coded result, none of them hurts
 * another one, and the host serves on. And what becomes of a request whose answer was lost, up to the run's end.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { defineWorkflow } from "@swl/definition";
import { createHost, type Host } from "@swl/durable-state";
import { core } from "@swl/execution";
import type { Provider } from "@swl/invocation-control";
import { childProcess } from "@swl/invocation-control/child-process";
import { http } from "@swl/invocation-control/http";
import { inProcess } from "@swl/invocation-control/in-process";
import { createMemoryBacking, openMemoryStore } from "@swl/store-memory";
import { describe, expect, it, onTestFinished } from "vitest";

async function serverOf(respond: (url: string, response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => respond(request.url ?? "", response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function hostOf(bindings: readonly Provider[]): Promise<Host> {
  const store = openMemoryStore({ backing: createMemoryBacking() });
  const host = await createHost({ store, models: [core], bindings, grace: 3_000 });
  onTestFinished(() => host.close({ drain: 50 }));
  return host;
}

const endless: ReadonlySet<string> = new Set(["stubborn", "silent", "slow"]);

/** One activity; a reported failure is the output. */
function workflow(action: string, effect: string, more: object = {}, profiles: readonly string[] = []) {
  return defineWorkflow({
    id: "one",
    start: "work",
    requires: ["core", ...profiles],
    actions: {
      [action]: {
        effect,
        outcomes: { ok: {} },
        retry: { maxAttempts: 1 },
        // A program needs time to start on a busy machine: only what never ends is given too little.
        ...(endless.has(action) && { timeouts: { attemptMs: 1_000 } }),
        ...more,
      },
    },
    nodes: {
      work: { kind: "activity", action, routes: { ok: "done", failed: "done" } },
      done: { kind: "complete", output: { $get: ["from", "output"] } },
    },
  } as never);
}

const node = (script: string): { command: readonly string[] } => ({
  command: [process.execPath, "-e", script],
});

const programs = {
  stubborn: { ...node('process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'), killAfterMs: 50 },
  flood: { ...node('for (;;) require("fs").writeSync(1, "x".repeat(65536))'), maxOutputBytes: 200_000 },
  deaf: node('process.stdin.destroy(); process.stdout.write("no answer")'),
  missing: { command: ["/nowhere/at/all"] },
};

const functions = {
  symbol: () => {
    throw Symbol("no error");
  },
  silent: () => new Promise<never>(() => undefined),
  cyclic: () => {
    const output: { self?: unknown } = {};
    output.self = output;
    return { outcome: "ok", output };
  },
};

/** Settles, and goes on talking. */
const chatty: Provider = {
  id: "chatty",
  has: (action) => action === "twice" || action === "rejects" || action === "fifth",
  invoke: ({ action }) => {
    if (action === "rejects") return Promise.reject(null);
    if (action === "fifth") return Promise.resolve({ kind: "maybe" } as never);
    return {
      // biome-ignore lint/suspicious/noThenProperty: a stranger's promise
      then(settle: (answer: unknown) => void) {
        settle({ kind: "completed", outcome: "ok", output: 1 });
        settle({ kind: "failed", error: null, retryable: true });
        throw new Error("and this");
      },
    } as never;
  },
};

describe("a host with providers that behave badly", () => {
  it("ends each attempt with a coded result, and serves on", async () => {
    const origin = await serverOf((url, response) => {
      if (url === "/cut") response.destroy();
      else if (url === "/slow") response.writeHead(200, { "content-length": "9" }).write("1");
      else if (url === "/broken") response.end("{");
      else response.writeHead(500).end();
    });
    const at = (path: string) => ({ url: origin + path, allow: ["127.0.0.1"], graceMs: 50 });
    const servers = { cut: at("/cut"), slow: at("/slow"), broken: at("/broken"), trouble: at("/500") };
    const sound = inProcess({ ...functions, sound: () => ({ outcome: "ok", output: "sound" }) });
    const host = await hostOf([
      sound,
      childProcess(programs, { environment: {} }),
      http(servers, { environment: {} }),
      chatty,
    ]);
    const actions = [...Object.keys({ ...programs, ...functions, ...servers }), "rejects", "fifth"];
    const failed = async (action: string): Promise<string> => {
      const result = await (await host.start(workflow(action, "read-only"))).result({ timeout: 50_000 });
      return result.status === "completed"
        ? String((result.output as { code?: string }).code)
        : result.status;
    };
    const parked = async (action: string): Promise<string> => {
      const run = await host.start(workflow(action, "unsafe"));
      const result = run.result({ timeout: 50_000, whenParked: "throw" });
      return result.then(
        ({ status }) => status,
        (error: { code: string }) => error.code,
      );
    };
    const [codes, ends] = await Promise.all([
      Promise.all(actions.map(async (action) => [action, await failed(action)])),
      Promise.all(actions.map(async (action) => [action, await parked(action)])),
    ]);
    expect(Object.fromEntries(codes)).toEqual({
      stubborn: "provider.failed",
      flood: "provider.result-invalid",
      deaf: "provider.result-invalid",
      missing: "provider.start-failed",
      symbol: "provider.failed",
      silent: "attempts.exhausted",
      cyclic: "provider.result-invalid",
      cut: "attempts.exhausted",
      slow: "attempts.exhausted",
      broken: "provider.result-invalid",
      trouble: "provider.status",
      rejects: "attempts.exhausted",
      fifth: "provider.result-invalid",
    });
    const stood = actions.map((action) => [action, action === "missing" ? "completed" : "run.parked"]);
    expect(Object.fromEntries(ends)).toEqual(Object.fromEntries(stood));
    const twice = await (await host.start(workflow("twice", "unsafe"))).result({ timeout: 50_000 });
    expect(twice).toEqual({ status: "completed", output: 1 });
    const after = await (await host.start(workflow("sound", "unsafe"))).result({ timeout: 50_000 });
    expect(after).toEqual({ status: "completed", output: "sound" });
  }, 120_000);

  it("refuses a contract that asks for more than the provider can do, before a run exists [INV-bindings-resolved]", async () => {
    const host = await hostOf([http({ work: { url: "https://x.example/" } }, { environment: {} })]);
    const asking = workflow("work", "reconcilable", { cancellation: "requestable" }, [
      "reconciliation",
      "cancellation-acks",
    ]);
    await expect(host.start(asking)).rejects.toMatchObject({
      code: "binding.profile-unsupported",
      findings: [
        { code: "binding.profile-unsupported", pointer: "/actions/work/effect" },
        { code: "binding.profile-unsupported", pointer: "/actions/work/cancellation" },
      ],
    });
    expect((await host.control.list()).items).toEqual([]);
  });
});

describe("a request whose answer was lost", () => {
  it("is asked about by its key where the contract says so, and not sent again", async () => {
    const posted: string[] = [];
    const origin = await serverOf((url, response) => {
      if (url === "/charges") {
        posted.push(url);
        response.destroy();
        return;
      }
      response.end(
        JSON.stringify({ state: "DONE", receipt: decodeURIComponent(url.split("/").at(-1) ?? "") }),
      );
    });
    const bindings = http(
      {
        charge: {
          url: `${origin}/charges`,
          allow: ["127.0.0.1"],
          inspect: {
            url: `${origin}/by-key/{idempotencyKey}`,
            status: "/state",
            output: "/receipt",
            words: { DONE: "completed" },
          },
        },
      },
      { environment: {} },
    );
    const host = await hostOf([bindings]);
    const run = await host.start(workflow("charge", "reconcilable", {}, ["reconciliation"]));
    expect(await run.result({ timeout: 50_000 })).toEqual({
      status: "completed",
      output: `${run.id}/work/1`,
    });
    expect(posted).toEqual(["/charges"]);
  }, 30_000);
});
