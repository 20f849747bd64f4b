import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Provider, ProviderAnswer } from "@swl/invocation-control";
import { fail, inProcess, ok } from "@swl/invocation-control/in-process";
import { describe, expect, it } from "vitest";
import type { Client } from "../src/client.js";
import { tokenDigest } from "../src/index.js";
import { createWorker, type WorkerLogEntry, type WorkerOptions } from "../src/worker.js";
import { hosted, pulled, until } from "./host-lab.js";
import { closing } from "./lab.js";

type Options = Partial<WorkerOptions> & { readonly url: string };

function working({ url, ...rest }: Options) {
  const provider = inProcess({ far: (_input: unknown, { attempt }) => ok(`done ${attempt}`) });
  const worker = createWorker({ url, name: "w1", actions: ["far"], provider, ...rest });
  closing(() => worker.close({ drain: 0 }));
  return worker;
}

/** Counts requests, and can lose answers after the server has given them. */
function counting() {
  const trips: string[] = [];
  const lose = new Set<string>();
  const counted: typeof fetch = async (input, init) => {
    const path = new URL(String(input)).pathname;
    trips.push(path);
    const response = await fetch(input, init);
    if (!lose.delete(path)) return response;
    await response.text();
    throw new TypeError("the connection was lost");
  };
  return { trips, lose, fetch: counted };
}

function process_(
  url: string,
  name: string,
  options: { readonly lease?: number; readonly hang?: boolean } = {},
) {
  const file = fileURLToPath(new URL("far-worker.mjs", import.meta.url));
  const { lease = 1_000, hang = false } = options;
  const child: ChildProcess = spawn(process.execPath, [file, url, name, String(lease)], {
    env: { ...process.env, HANG: hang ? "1" : "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  child.stdout!.on("data", (part) => {
    out += part;
  });
  const gone = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  closing(async () => {
    child.kill("SIGKILL");
    await gone;
  });
  return { child, gone, said: () => out, says: (text: string) => until(async () => out.includes(text)) };
}

const started = async (client: Client, effect: "pure" | "idempotent" | "unsafe", input: unknown = null) =>
  (await client.start({ definition: pulled(effect), input: input as null })).run;

describe("a worker", () => {
  it("takes one round trip an activity while there is work [INV-worker-trips]", async () => {
    const { client, url } = await hosted();
    const runs = await Promise.all(Array.from({ length: 20 }, () => started(client, "unsafe")));
    const { trips, fetch } = counting();
    const worker = working({ url, fetch });
    for (const run of runs) expect(await client.result(run)).toMatchObject({ status: "completed" });
    const settled = trips.filter((path) => path === "/work/settle").length;
    const others = trips.filter((path) => path !== "/work/settle");
    expect(settled).toBe(60);
    // Asked once what it held; after that it waited for work only where there was none.
    expect(others.filter((path) => path === "/work/held")).toHaveLength(1);
    expect(trips.length).toBeLessThanOrEqual(60 + 5);
    await worker.close();
  });

  it("hands the trace context of each run on to its functions [INV-worker-queue]", async () => {
    const { client, url } = await hosted();
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const seen: unknown[] = [];
    const provider = inProcess({ far: (_input: unknown, context) => ok(seen.push(context.traceparent)) });
    const { run } = await client.start({ definition: pulled("pure"), traceparent });
    working({ url, provider });
    await client.result(run);
    await client.result(await started(client, "pure"));
    expect(seen).toEqual([...Array(3).fill(traceparent), ...Array(3).fill(undefined)]);
  });

  it("reads what its functions throw by effect class, and answers in the four words [INV-worker-settlement]", async () => {
    const { client, url } = await hosted();
    let calls = 0;
    const provider = inProcess({
      far: () => {
        calls++;
        throw calls === 1 ? fail("busy", { retryable: false }) : new Error("no");
      },
    });
    working({ url, provider });
    const run = await started(client, "unsafe");
    expect(await client.result(run)).toMatchObject({ status: "failed", error: { code: "busy" } });
    const parked = await started(client, "unsafe");
    await until(async () => (await client.status(parked)).status === "needs-intervention");
  });

  it("goes on where an answer was lost, and does nothing twice [INV-worker-settlement]", async () => {
    const { client, url } = await hosted();
    const { trips, lose, fetch } = counting();
    const begun: string[] = [];
    const provider = inProcess({
      far: (_input: unknown, { invocation, attempt }) => {
        begun.push(`${invocation} ${attempt}`);
        if (begun.length === 2) lose.add("/work/settle");
        return ok();
      },
    });
    lose.add("/work/claim");
    working({ url, provider, fetch });
    const runs = await Promise.all([started(client, "unsafe"), started(client, "unsafe")]);
    for (const run of runs) expect(await client.result(run)).toMatchObject({ status: "completed" });
    expect(begun).toHaveLength(6);
    expect(new Set(begun).size).toBe(6);
    expect(trips.filter((path) => path === "/work/held").length).toBeGreaterThan(1);
  });

  it.each([
    ["canceled", "Nobody wants the attempt any more, for its run had been canceled"],
    ["terminated", "The claim was lost, for its run had been canceled, terminated or ended"],
  ])("is told to stop what is of a run that was %s, and says so [INV-worker-lease]", async (how, said) => {
    const { client, url } = await hosted();
    const log: WorkerLogEntry[] = [];
    let stopped: unknown;
    let begun = false;
    const provider: Provider = {
      id: "test",
      has: () => true,
      invoke: (_call, _contract, { signal }) =>
        new Promise((resolve) => {
          begun = true;
          signal.addEventListener("abort", () => {
            stopped = signal.reason;
            const error = { code: "stopped", message: "told to stop", details: null };
            resolve({ kind: "failed", retryable: true, error });
          });
        }),
    };
    working({ url, provider, lease: 6_000, log: (entry) => log.push(entry) });
    const run = await started(client, "unsafe");
    await until(async () => begun);
    if (how === "canceled") await client.cancel({ run, requestId: "c" }, { wait: 10_000 });
    else await client.terminate({ run, requestId: "t" });
    expect(await client.result(run)).toMatchObject({ status: "canceled" });
    await until(async () => stopped !== undefined);
    expect(stopped).toMatchObject({ name: "AbortError" });
    expect(log[0]).toMatchObject({ level: "warn", run, task: expect.stringContaining(run) });
    expect(log[0]?.message).toContain(said);
    expect(log[0]?.message).toMatch(/; it is told to stop\.$/);
  });

  it("drains: claims nothing further and settles what it has begun [INV-worker-lease]", async () => {
    const { client, url } = await hosted();
    let finish: (() => void) | undefined;
    const provider: Provider = {
      id: "test",
      has: () => true,
      invoke: () =>
        new Promise<ProviderAnswer>((resolve) => {
          finish = () => resolve({ kind: "completed", outcome: "ok", output: null });
        }),
    };
    const worker = working({ url, provider });
    const run = await started(client, "unsafe");
    await until(async () => finish !== undefined);
    const closed = worker.close({ drain: 10_000 });
    finish!();
    await closed;
    const { view } = await client.status(run);
    expect(view?.nodes["one"]).toMatchObject({ outcome: "ok" });
    expect(view?.outstanding).toMatchObject([{ kind: "invoke", activation: "two#1", phase: "scheduled" }]);
  });

  it("ends with the error where going on is useless, and is refused what it cannot do [INV-worker-lease]", async () => {
    const tokens = [{ id: "reader", sha256: tokenDigest("reader-0123456789"), scopes: ["read"] as const }];
    const { url } = await hosted({ tokens });
    await expect(working({ url }).ended).rejects.toMatchObject({ code: "server.unauthenticated" });
    await expect(working({ url, token: "reader-0123456789" }).ended).rejects.toMatchObject({
      code: "request.unauthorized",
    });
    const provider = inProcess({ near: () => ok() });
    expect(() => working({ url, provider })).toThrow(expect.objectContaining({ code: "binding.invalid" }));
  });

  it("of another bearer never holds what this one holds [INV-worker-settlement]", async () => {
    const token = (id: string) => ({
      id,
      sha256: tokenDigest(`${id}-0123456789abc`),
      scopes: ["work", "start"] as const,
    });
    const { url, host } = await hosted({ tokens: [token("one"), token("two")] });
    await host.control.start({ definition: pulled("unsafe") as never });
    const post = async (as: string, path: string, body: object) => {
      const answer = await fetch(`${url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${as}-0123456789abc` },
        body: JSON.stringify({ worker: "w", ...body }),
      });
      return (await answer.json()) as { tasks: { task: string; run: string }[]; settled: object[] };
    };
    const { tasks } = await post("one", "/work/claim", { actions: ["far"], wait: 10_000 });
    const [task] = tasks;
    expect((await post("two", "/work/held", {})).tasks).toEqual([]);
    const answer = { kind: "completed", outcome: "ok", output: null };
    const settlements = [{ run: task!.run, task: task!.task, answer }];
    expect((await post("two", "/work/settle", { settlements })).settled).toMatchObject([
      { kind: "refused", code: "store.lease-lost" },
    ]);
    expect((await post("one", "/work/settle", { settlements })).settled).toMatchObject([{ kind: "applied" }]);
  });
});

describe("a worker process", () => {
  it("that is killed in the middle leaves an attempt unknown, which is repeated where it may be [INV-worker-lease]", async () => {
    const { client, url } = await hosted();
    const first = process_(url, "a", { hang: true });
    const run = await started(client, "idempotent", "hang");
    await first.says(`begun ${run}/one#1 1`);
    first.child.kill("SIGKILL");
    await first.gone;
    process_(url, "b");
    expect(await client.result(run)).toEqual({ status: "completed", output: "b 1" });
    const log = await client.history(run);
    expect(log.filter(({ event }) => event?.type === "unknown")).toMatchObject([
      { event: { reason: "lease-lost" } },
    ]);
  });

  it("that is killed in the middle parks what may not be repeated [INV-worker-lease]", async () => {
    const { client, url } = await hosted();
    const first = process_(url, "a", { hang: true });
    const run = await started(client, "unsafe", "hang");
    await first.says("begun");
    first.child.kill("SIGKILL");
    await until(async () => (await client.status(run)).status === "needs-intervention");
    const second = process_(url, "b");
    expect((await client.why(run)).blockers).toMatchObject([{ kind: "intervention", attempt: 1 }]);
    const decision = { run, requestId: "r", decision: "retry" } as const;
    expect(await client.resolve(decision, { wait: 10_000 })).toMatchObject({ effect: "moved" });
    await second.says(`begun ${run}/one#1 2`);
    expect(await client.result(run)).toMatchObject({ status: "completed" });
  });

  it("that comes back under its name says at once what it does not know, before its lease is over [INV-worker-lease]", async () => {
    const { client, url } = await hosted();
    const first = process_(url, "a", { hang: true, lease: 600_000 });
    const run = await started(client, "unsafe", "hang");
    await first.says("begun");
    first.child.kill("SIGKILL");
    await first.gone;
    const second = process_(url, "a", { lease: 600_000 });
    await until(async () => (await client.status(run)).status === "needs-intervention");
    const log = await client.history(run);
    expect(log.filter(({ event }) => event?.type === "unknown")).toMatchObject([
      { event: { reason: "crash" } },
    ]);
    second.child.kill("SIGTERM");
    expect(await second.gone).toBe(0);
    expect(second.said()).toContain("ended");
  });

  it("that comes back may say what became of it, when it can find out [INV-worker-lease]", async () => {
    const { client, url } = await hosted();
    const first = process_(url, "a", { hang: true, lease: 600_000 });
    const run = await started(client, "unsafe", "hang");
    await first.says("begun");
    first.child.kill("SIGKILL");
    await first.gone;
    const found: string[] = [];
    working({
      url,
      name: "a",
      reattach: async ({ task }) => {
        found.push(task);
        return { kind: "completed", outcome: "ok", output: "found" };
      },
    });
    expect(await client.result(run)).toMatchObject({ status: "completed" });
    expect(found).toEqual([`${run}/one#1:1`]);
  });
});
