import { isSwlError } from "@swl/base";
import { describe, expect, it } from "vitest";
import { createClient, type RunEvent } from "../src/client.js";
import { answers } from "../src/contracts/answers.js";
import { openApi } from "../src/index.js";
import { type Operation, operations, routes } from "../src/routes.js";
import { adding, hosted, until, waiting } from "./host-lab.js";
import { scripted, server } from "./lab.js";

describe("the client", () => {
  it("starts a run, waits for its end and reads it, as in the process [INV-http-client]", async () => {
    const { client, host } = await hosted();
    const started = await client.start({ definition: adding, input: 41 });
    expect(started.kind).toBe("accepted");
    const { run } = started;
    expect(await client.result(run)).toEqual({ status: "completed", output: 42 });
    for (const read of ["status", "why", "history", "path", "definition", "verify"] as const) {
      expect(await client[read](run), read).toEqual(await host.control[read](run));
    }
    expect(await client.list()).toEqual(await host.control.list());
  });

  it("names no request in the answer to a start without a key, and its key otherwise [INV-answers]", async () => {
    const { client, url } = await hosted();
    const response = await fetch(`${url}/runs`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ definition: waiting }),
    });
    const answer = await response.json();
    expect(answer).toEqual({ kind: "accepted", run: expect.any(String), position: 1, repeated: false });
    const schema = answers.start[201] as { safeParse(value: unknown): { readonly success: boolean } };
    expect(schema.safeParse(answer).success).toBe(true);
    expect(await client.start({ definition: waiting })).not.toHaveProperty("requestId");
    expect(await client.start({ definition: waiting, startKey: "k" })).toMatchObject({ requestId: "k" });
  });

  it("hands the trace context of a start on to the run, and passes over what is none [INV-http-answers]", async () => {
    const { client, store, url } = await hosted();
    const kept = async (run: string) => {
      const [first] = await store.read(run, { limit: 1 });
      return (first!.document as { readonly trace?: string }).trace;
    };
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const { run } = await client.start({ definition: waiting, traceparent });
    expect(await kept(run)).toBe(traceparent);
    const response = await fetch(`${url}/runs`, {
      method: "POST",
      headers: { "content-type": "application/json", traceparent: "garbage" },
      body: JSON.stringify({ definition: waiting }),
    });
    expect(response.status).toBe(201);
    expect(await kept(((await response.json()) as { run: string }).run)).toBeUndefined();
  });

  it("hands that of any other request on to the log, beside its event [INV-http-answers]", async () => {
    const { client, store, url } = await hosted();
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const kept = async (run: string) =>
      (await store.read(run)).flatMap(
        ({ document }) => (document as { readonly trace?: string }).trace ?? [],
      );
    const { run } = await client.start({ definition: waiting });
    await client.signal({ run, messageId: "m", name: "go", traceparent }, { wait: 10_000 });
    expect(await client.result(run)).toMatchObject({ status: "completed" });
    expect(await kept(run)).toEqual([traceparent]);
    const { run: other } = await client.start({ definition: waiting });
    const response = await fetch(`${url}/runs/${other}/cancel`, {
      method: "POST",
      headers: { "content-type": "application/json", traceparent: "garbage", prefer: "wait=10" },
      body: "{}",
    });
    expect(response.status).toBe(200);
    expect(await kept(other)).toEqual([]);
  });

  it("has its first receipt for a request that it repeats, and a conflict for another [INV-http-client]", async () => {
    const { client } = await hosted();
    const start = { definition: waiting, startKey: "order-7" };
    const first = await client.start(start);
    expect(await client.start(start)).toMatchObject({ run: first.run, repeated: true });
    await expect(client.start({ ...start, input: 1 })).rejects.toMatchObject({
      code: "request.conflict",
      details: { run: first.run },
    });
    const go = { run: first.run, messageId: "m1", name: "go", payload: { a: 1 } };
    const applied = await client.signal(go, { wait: 10_000 });
    expect(applied).toMatchObject({ kind: "applied", effect: "moved", repeated: false });
    expect(await client.signal(go, { wait: 10_000 })).toMatchObject({ repeated: true });
    await expect(client.signal({ ...go, payload: 2 })).rejects.toMatchObject({ code: "request.conflict" });
    expect(await client.result(first.run)).toMatchObject({ status: "completed" });
  });

  it("is told what was refused as an answer, and what could not be asked as an error [INV-http-client]", async () => {
    const { client } = await hosted();
    await expect(client.status("run-none")).rejects.toMatchObject({ code: "run.not-found" });
    await expect(client.start({ definition: {} })).rejects.toSatisfy(
      (error) =>
        isSwlError(error) && error.code === "definition.invalid" && (error.findings?.length ?? 0) > 0,
    );
    const { run } = await client.start({ definition: adding, input: 1 });
    await client.result(run);
    expect(await client.cancel({ run, requestId: "c" })).toMatchObject({
      kind: "refused",
      code: "event.too-late",
    });
    expect(await client.published("nothing")).toBeUndefined();
    await expect(
      client.result((await client.start({ definition: waiting })).run, { timeout: 10 }),
    ).rejects.toMatchObject({
      code: "answer.timeout",
    });
  });

  it("publishes, starts by name, previews and works in bulk [INV-http-client]", async () => {
    const { client } = await hosted();
    const published = await client.publish({ requestId: "p1", definition: waiting });
    expect(published).toMatchObject({ kind: "applied", name: "waiting", revision: 1, repeated: false });
    expect(await client.published("waiting")).toMatchObject({ revision: 1 });
    const { run } = await client.start({ name: "waiting" });
    await until(async () => (await client.status(run)).status === "waiting");
    const dry = await client.dryRun("signal", { run, messageId: "m", name: "go", payload: null });
    expect(dry).toMatchObject({ operation: "signal", effect: "moved" });
    const looked = await client.bulk({
      requestId: "b",
      operation: "cancel",
      filter: { workflow: "waiting" },
    });
    expect(looked.items).toMatchObject([{ run, answer: { kind: "dry-run" } }]);
    await client.bulk({ requestId: "b", operation: "cancel", filter: { workflow: "waiting" }, apply: true });
    expect(await client.result(run)).toMatchObject({ status: "canceled" });
  });

  it("says of a server that is gone, or none of ours, what it is [INV-http-client]", async () => {
    const { served, url } = await hosted();
    await served.close();
    await expect(createClient({ url }).list()).rejects.toMatchObject({ code: "client.unreachable" });
    const stranger = (status: number, text: string) =>
      createClient({ url: "http://x.test", fetch: async () => new Response(text, { status }) });
    for (const [status, text] of [
      [200, "<html>"],
      [502, "Bad gateway"],
      [500, "{}"],
      [404, '{"code":"not.ours"}'],
      [500, '"text"'],
    ] as const) {
      await expect(stranger(status, text).list()).rejects.toMatchObject({ code: "client.answer-invalid" });
    }
    for (const address of ["", "ftp://x", "http://", "http://x?y", "x"]) {
      expect(() => createClient({ url: address })).toThrow(
        expect.objectContaining({ code: "request.invalid" }),
      );
    }
  });

  it("sends a token nowhere but to its server [INV-http-client]", async () => {
    const seen: RequestInit[] = [];
    const fetched: typeof fetch = async (_input, init) => {
      seen.push(init!);
      return new Response("[]");
    };
    await createClient({ url: "http://x.test/base/", token: "t", fetch: fetched }).path("a/b");
    expect(seen[0]).toMatchObject({ redirect: "error", headers: { authorization: "Bearer t" } });
  });

  it("follows a run until its end, and goes on after a lost connection [INV-http-events]", async () => {
    const { client, url } = await hosted();
    const { run } = await client.start({ definition: waiting });
    let streams = 0;
    const cutting: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (!String(input).includes("/events") || ++streams > 2) return response;
      // The connection breaks after the first part of it.
      const reader = response.body!.getReader();
      let parts = 0;
      const cut = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const { value } = await reader.read();
          if (++parts > 1) {
            await reader.cancel();
            return controller.error(new Error("cut"));
          }
          controller.enqueue(value!);
        },
      });
      return new Response(cut, { status: response.status });
    };
    const events: RunEvent[] = [];
    const follower = createClient({ url, fetch: cutting });
    for await (const event of follower.events(run)) {
      events.push(event);
      if (events.length === 2) await client.signal({ run, messageId: "m", name: "go", payload: 9 });
    }
    const positions = events.flatMap((event) => (event.type === "entry" ? [event.position] : []));
    expect(positions).toEqual((await client.history(run)).map(({ position }) => position));
    expect(events.at(-1)).toMatchObject({ type: "end", result: { status: "completed" } });
    expect(streams).toBeGreaterThan(1);
  });
});

describe("every answer", () => {
  it("is of the form that the document says [INV-http-openapi]", async () => {
    const { client, url } = await hosted();
    const seen = new Set<Operation>();
    const held = async (
      operation: Operation,
      path: string,
      body?: object,
      headers: object = {},
    ): Promise<unknown> => {
      const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
      const answer = await fetch(`${url}${path}`, {
        ...init,
        headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      });
      const schemas = answers[operation] as {
        readonly [status: number]: { parse(value: unknown): void } | undefined;
      };
      expect(Object.keys(schemas), `${operation} ${answer.status}`).toContain(String(answer.status));
      const text = await answer.text();
      const value = text === "" ? undefined : JSON.parse(text);
      if (value !== undefined) schemas[answer.status]!.parse(value);
      seen.add(operation);
      return value;
    };
    const { run } = await client.start({ definition: waiting, startKey: "k" });
    await until(async () => (await client.status(run)).status === "waiting");
    const wait = { prefer: "wait=10" };
    await held("health", "/health");
    const { document, runs } = (await held("index", "/")) as { document: string; runs: string };
    await held("openapi", document);
    expect(runs).toBe(routes.list.path);
    await held("start", "/runs", { definition: adding, input: 1 });
    await held("start", "/runs?until=finished", { definition: adding, input: 1 }, wait);
    await held("start", "/runs?dryRun=true", { definition: adding, input: 1 });
    await held("publish", "/publications", { definition: waiting });
    await held("publish", "/publications?dryRun=true", { definition: waiting });
    await held("published", "/publications/waiting");
    await held("list", "/runs?limit=1");
    for (const part of ["status", "why", "history", "path", "definition", "result"] as const) {
      await held(part, `/runs/${run}${part === "status" ? "" : `/${part}`}`);
    }
    await held("verify", `/runs/${run}/verification`);
    await held("signal", `/runs/${run}/signals?dryRun=true`, { name: "go" });
    await held("signal", `/runs/${run}/signals`, { name: "go" }, wait);
    await held("result", `/runs/${run}/result`, undefined, wait);
    const other = (await client.start({ definition: waiting })).run;
    await held("bulk", "/bulk", { operation: "cancel", filter: {}, limit: 5 });
    await held("cancel", `/runs/${other}/cancel?until=finished`, {}, wait);
    const pull = { worker: "w", actions: ["far"] };
    await held("workClaim", "/work/claim", pull);
    await held("workHeld", "/work/held", { worker: "w" });
    await held("workHeartbeat", "/work/heartbeat", { worker: "w", tasks: ["t"] });
    await held("workSettle", "/work/settle", { worker: "w", settlements: [] });
    await held("workRelease", "/work/release", { worker: "w", tasks: ["t"] });
    const shown = operations.filter((operation) => !seen.has(operation));
    expect(shown).toEqual([
      "runEvents",
      "listEvents",
      "update",
      "complete",
      "callback",
      "resolve",
      "terminate",
      "redrive",
      "release",
    ]);
    expect(Object.keys(openApi())).toContain("paths");
  });

  it("of the service has the status that says how far it got [INV-http-answers]", async () => {
    const receipt = { run: "r", requestId: "k", position: 3, repeated: false };
    const why = { code: "signal.unmatched", message: "no" } as const;
    const table = [
      [{ kind: "accepted", ...receipt }, 202],
      [{ kind: "applied", effect: "moved", ...receipt }, 200],
      [{ kind: "finished", result: { status: "canceled" }, ...receipt }, 200],
      [{ kind: "applied", effect: "none", ...why, ...receipt }, 409],
      [{ kind: "refused", run: "r", requestId: "k", ...why }, 409],
      [{ kind: "received", run: "r", requestId: "k", code: "store.unknown-commit", message: "lost" }, 503],
    ] as const;
    for (const [answer, status] of table) {
      const { post, url } = await server({ script: { signal: () => answer } });
      const response = await post("/runs/r/signals", { name: "go" });
      expect([answer.kind, response.status]).toEqual([answer.kind, status]);
      const told = await createClient({ url }).signal({ run: "r", messageId: "k", name: "go" });
      expect(told).toEqual(answer);
    }
    const { url, asked } = await server();
    await createClient({ url }).signal({ run: "r", messageId: "k", name: "go" }, { wait: 1_500 });
    expect(asked[0]?.arguments).toMatchObject([{ run: "r", messageId: "k", name: "go" }, { wait: 2_000 }]);
    expect(scripted().asked).toEqual([]);
  });

  it("that is no error of ours keeps its message to itself [INV-http-problems]", async () => {
    const logged: unknown[] = [];
    const script = {
      status: () => {
        throw new Error("password=hunter2");
      },
    };
    const { call, healthy } = await server({ script, log: (entry) => logged.push(entry) });
    const answer = await call("/runs/r");
    const problem = (await answer.json()) as object;
    expect(problem).toEqual({
      type: "urn:swl:error:server.internal",
      title: "server.internal",
      status: 500,
      detail: "The server could not answer this request.",
      code: "server.internal",
      docs: "docs/errors/server.internal.md",
    });
    expect(logged).toMatchObject([{ level: "error", message: "password=hunter2" }]);
    expect(await healthy()).toBe(true);
  });
});
