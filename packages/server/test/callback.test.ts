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

/** A run whose operation a worker has accepted, and words to call back. */
async function accepted() {
  const lab = await hosted({ callbackKeys: [key] });
  const { client, url } = lab;
  const { run } = await client.start({ definition: deferred });
  const post = (path: string, body: object) =>
    fetch(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", prefer: "wait=10" },
      body: JSON.stringify(body),
    });
  const claim = await post("/work/claim", { worker: "w", actions: ["far"], wait: 10_000 });
  const { tasks } = (await claim.json()) as { tasks: { task: string; run: string; invocation: string }[] };
  const [task] = tasks;
  const answer = { kind: "accepted", handle: "job-7" };
  await post("/work/settle", { worker: "w", settlements: [{ run, task: task!.task, answer }] });
  const invocation = task!.invocation;
  const grant = { run, invocation, attempt: 1, expires: Date.now() + 60_000 };
  return { ...lab, run, invocation, post, grant, token: signCallback(grant, key) };
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

  it("is refused once a later attempt is under way, and takes one of outcome and error [INV-http-callback]", async () => {
    const { post, grant, token, invocation } = await accepted();
    for (const body of [{}, { outcome: "ok", error: { code: "x", message: "x" } }]) {
      expect(await refusal(post(`/callbacks/${token}`, body))).toEqual([400, "request.invalid"]);
    }
    const earlier = signCallback({ ...grant, attempt: 0 }, key);
    expect(invocation).toBe(grant.invocation);
    expect(await refusal(post(`/callbacks/${earlier}`, { outcome: "ok" }))).toEqual([409, "event.stale"]);
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
