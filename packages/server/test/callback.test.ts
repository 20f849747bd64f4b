import { defineWorkflow } from "@swl/definition";
import { signCallback } from "@swl/invocation-control/tokens";
import { describe, expect, it } from "vitest";
import { createApp } from "../src/index.js";
import { hosted, until } from "./host-lab.js";
import { refusal, scripted } from "./lab.js";

const key = { id: "k1", secret: "a-secret-of-at-least-thirty-two-bytes" };
const deferred = defineWorkflow({
  id: "deferred",
  start: "one",
  requires: ["core", "deferred-actions"],
  actions: { far: { effect: "unsafe", deferred: true, outcomes: { ok: {}, "not-ok": {} } } },
  nodes: {
    one: { kind: "activity", action: "far", routes: { ok: "done", "not-ok": "done" } },
    done: { kind: "complete", output: { $get: ["from", "output"] } },
  },
} as never);

/** The same, that may be tried again. */
const twice = defineWorkflow({
  ...deferred,
  id: "twice",
  actions: {
    far: {
      effect: "idempotent",
      deferred: true,
      outcomes: { ok: {}, "not-ok": {} },
      retry: { maxAttempts: 2, initialDelayMs: 0 },
    },
  },
} as never);

type Post = (path: string, body: object) => Promise<Response>;

interface Task {
  readonly task: string;
  readonly run: string;
  readonly invocation: string;
  readonly attempt: number;
}

async function server() {
  const lab = await hosted({ callbackKeys: [key] });
  const post: Post = (path, body) =>
    fetch(`${lab.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", prefer: "wait=10" },
      body: JSON.stringify(body),
    });
  return { ...lab, post };
}

async function claimed(post: Post): Promise<Task> {
  const claim = await post("/work/claim", { worker: "w", actions: ["far"], wait: 10_000 });
  const { tasks } = (await claim.json()) as { tasks: readonly Task[] };
  return tasks[0]!;
}

function settled(post: Post, { run, task }: Task, answer: object): Promise<Response> {
  return post("/work/settle", { worker: "w", settlements: [{ run, task, answer }] });
}

/** A run whose operation a worker has accepted, and words to call back. */
async function accepted() {
  const lab = await server();
  const { client, post } = lab;
  const { run } = await client.start({ definition: deferred });
  const task = await claimed(post);
  await settled(post, task, { kind: "accepted", handle: "job-7" });
  const { invocation } = task;
  const grant = { run, invocation, attempt: 1, expires: Date.now() + 60_000 };
  return { ...lab, run, grant, token: signCallback(grant, key) };
}

describe("a callback token", () => {
  it("ends its operation once, however often it comes [INV-http-callback]", async () => {
    const { client, run, post, token } = await accepted();
    const end = { outcome: "ok", output: { n: 1 } };
    const first = await post(`/callbacks/${token}`, end);
    expect([first.status, await first.json()]).toMatchObject([
      200,
      { kind: "applied", effect: "moved", repeated: false },
    ]);
    const again = await post(`/callbacks/${token}`, end);
    expect([again.status, await again.json()]).toMatchObject([200, { repeated: true }]);
    expect(await client.result(run)).toEqual({ status: "completed", output: { n: 1 } });
    expect(await refusal(post(`/callbacks/${token}`, { outcome: "not-ok" }))).toEqual([
      409,
      "request.conflict",
    ]);
    const log = await client.history(run);
    expect(log.filter(({ event }) => event?.type === "completion")).toHaveLength(1);
  });

  it("that is forged, of another key or no token is refused, and moves nothing [INV-http-callback]", async () => {
    const { client, run, post, grant, token } = await accepted();
    const [version, id, body, signature] = token.split(".");
    const other = { ...grant, attempt: 2 };
    const swapped = signCallback(other, key).split(".")[2];
    for (const forged of [
      `${version}.${id}.${swapped}.${signature}`,
      `${version}.${id}.${body}.`,
      `${version}.${id}.${body}.${signature}x`,
      signCallback(grant, { id: "k1", secret: "another-secret-of-thirty-two-bytes-!" }),
      signCallback(grant, { ...key, id: "k2" }),
      "x",
      "x".repeat(2_000),
    ]) {
      expect(await refusal(post(`/callbacks/${forged}`, { outcome: "ok" }))).toEqual([401, "token.invalid"]);
    }
    expect((await client.status(run)).view?.outstanding).toMatchObject([
      { phase: "accepted", handle: "job-7" },
    ]);
  });

  it("that has expired is refused [INV-http-callback]", async () => {
    const { post, grant } = await accepted();
    const token = signCallback({ ...grant, expires: Date.now() - 1 }, key);
    expect(await refusal(post(`/callbacks/${token}`, { outcome: "ok" }))).toEqual([410, "token.expired"]);
  });

  it("takes one of outcome and error [INV-http-callback]", async () => {
    const { post, token } = await accepted();
    for (const body of [{}, { outcome: "ok", error: { code: "x", message: "x" } }]) {
      expect(await refusal(post(`/callbacks/${token}`, body))).toEqual([400, "request.invalid"]);
    }
  });

  it("ends its own attempt, and no earlier or later one of the same operation [INV-http-callback]", async () => {
    const { client, post } = await server();
    const { run } = await client.start({ definition: twice });
    const first = await claimed(post);
    const busy = { kind: "failed", retryable: true, error: { code: "busy", message: "no", details: null } };
    await settled(post, first, busy);
    const second = await claimed(post);
    expect([first.invocation, first.attempt, second.invocation, second.attempt]).toEqual([
      second.invocation,
      1,
      first.invocation,
      2,
    ]);
    const token = (attempt: number) =>
      signCallback({ run, invocation: first.invocation, attempt, expires: Date.now() + 60_000 }, key);
    const early = () => refusal(post(`/callbacks/${token(3)}`, { outcome: "not-ok" }));
    const late = () => refusal(post(`/callbacks/${token(1)}`, { outcome: "not-ok" }));
    // While the later attempt is under way, and once it is accepted.
    expect(await late()).toEqual([409, "event.stale"]);
    expect(await early()).toEqual([404, "operation.unknown"]);
    await settled(post, second, { kind: "accepted", handle: "job-8" });
    expect(await late()).toEqual([409, "event.stale"]);
    expect(await early()).toEqual([404, "operation.unknown"]);
    const byName = { run, invocation: first.invocation, messageId: "m", outcome: "not-ok" } as const;
    expect(await client.complete({ ...byName, attempt: 1 })).toMatchObject({
      kind: "refused",
      code: "event.stale",
    });
    expect(await client.complete({ ...byName, attempt: 3 })).toMatchObject({
      kind: "refused",
      code: "operation.unknown",
    });
    expect((await post(`/callbacks/${token(2)}`, { outcome: "ok", output: 2 })).status).toBe(200);
    expect(await client.result(run)).toEqual({ status: "completed", output: 2 });
    const log = await client.history(run);
    expect(log.filter(({ event }) => event?.type === "completion")).toHaveLength(1);
  });
});

describe("a key", () => {
  it("that is too short is refused before anything is answered [INV-http-callback]", () => {
    const { control } = scripted();
    const short = [{ id: "k", secret: "short" }];
    expect(() => createApp({ control, callbackKeys: short })).toThrow(
      expect.objectContaining({ code: "binding.invalid" }),
    );
  });
});

describe("a completion", () => {
  it("by handle ends the operation; another outcome later changes nothing [INV-http-answers]", async () => {
    const { client, run } = await accepted();
    const done = { run, messageId: "m1", handle: "job-7", outcome: "ok", output: 1 } as const;
    expect(await client.complete(done, { wait: 10_000 })).toMatchObject({ kind: "applied", effect: "moved" });
    await expect(client.complete({ ...done, outcome: "not-ok" })).rejects.toMatchObject({
      code: "request.conflict",
    });
    const other = await client.complete({ ...done, messageId: "m2", outcome: "not-ok" });
    expect(other.kind).toBe("refused");
    expect(await client.result(run)).toEqual({ status: "completed", output: 1 });
  });

  it("of a handle that nobody knows is refused with a code [INV-http-answers]", async () => {
    const { client, run } = await accepted();
    const unknown = { run, messageId: "m", handle: "job-8", outcome: "ok" } as const;
    const answer = await client.complete(unknown, { wait: 10_000 }).catch((error: { code: string }) => error);
    expect(answer).toMatchObject({ code: "operation.unknown" });
    await until(async () => (await client.status(run)).view?.outstanding.length === 1);
  });
});
