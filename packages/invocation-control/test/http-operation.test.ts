import { describe, expect, it } from "vitest";
import type { HttpBinding } from "../src/http.js";
import type { Operation } from "../src/index.js";
import { invocationOf } from "./call.js";
import { closedPort, providerOf, serve } from "./http-server.js";

const { input: _, parameters: __, ...asked } = invocationOf("act");
const operation: Operation = { ...asked, handle: "op/7" };
const signal = new AbortController().signal;

async function inspected(status: number, body: unknown, more: Partial<HttpBinding["inspect"]> = {}) {
  const server = await serve((_, respond) => respond(status, body));
  const url = `${server.origin}/operations/{handle}`;
  const provider = providerOf({ url: server.origin, inspect: { url, ...more } });
  return { answer: await provider.inspect!(operation, { signal }), server };
}

describe("asking a server what became of an operation", () => {
  it("reads its words and where they stand as the binding says [INV-inspect]", async () => {
    const { answer, server } = await inspected(200, { status: "running" });
    expect([answer, server.seen[0]?.method, server.seen[0]?.url]).toEqual([
      { kind: "running" },
      "GET",
      "/operations/op%2F7",
    ]);
    expect((await inspected(200, { status: "completed", outcome: "paid", output: [1] })).answer).toEqual({
      kind: "completed",
      outcome: "paid",
      output: [1],
    });
    const theirs = {
      status: "/data/state",
      output: "/data/receipt",
      words: { SUCCEEDED: "completed", DEAD: "failed" },
    } as const;
    expect((await inspected(200, { data: { state: "SUCCEEDED", receipt: 7 } }, theirs)).answer).toEqual({
      kind: "completed",
      outcome: "ok",
      output: 7,
    });
    expect((await inspected(200, { data: { state: "DEAD" } }, theirs)).answer).toMatchObject({
      kind: "failed",
      error: { code: "provider.failed" },
    });
  });

  it("takes no 404 for not begun unless the binding does [INV-inspect]", async () => {
    expect((await inspected(404, "")).answer).toMatchObject({ kind: "unavailable" });
    expect((await inspected(404, "", { notFound: [404] })).answer).toEqual({ kind: "not-found" });
  });

  it("is done again later when it cannot be done now [INV-inspect]", async () => {
    for (const [status, body] of [
      [500, ""],
      [401, ""],
      [200, "no JSON"],
      [200, { status: "perhaps" }],
      [200, { status: "completed", outcome: 1 }],
    ] as const) {
      expect((await inspected(status, body)).answer).toMatchObject({ kind: "unavailable" });
    }
    const url = `http://127.0.0.1:${await closedPort()}`;
    const provider = providerOf({ url, inspect: { url: `${url}/{handle}` } });
    expect(await provider.inspect!(operation, { signal })).toMatchObject({ kind: "unavailable" });
  });

  it("by the idempotency key needs no handle; by a handle that there is not it is not done [INV-inspect]", async () => {
    const server = await serve((_, respond) => respond(200, { status: "not-found" }));
    const ask = (url: string) =>
      providerOf({ url: server.origin, inspect: { url } }).inspect!(asked, { signal });
    expect(await ask(`${server.origin}/by-key/{idempotencyKey}`)).toEqual({ kind: "not-found" });
    expect(server.seen[0]?.url).toBe("/by-key/r1%2Fact%2F1");
    expect(await ask(`${server.origin}/{handle}`)).toMatchObject({ kind: "unknown" });
    expect(server.seen.length).toBe(1);
  });

  it("sends the headers of the binding that are not made of the input [INV-inspect]", async () => {
    const server = await serve((_, respond) => respond(200, { status: "running" }));
    const provider = providerOf(
      {
        url: server.origin,
        headers: { authorization: { env: "TOKEN" }, "x-order": "{input.order}", "x-run": "{run}" },
        inspect: { url: `${server.origin}/x` },
      },
      { environment: { TOKEN: "the-token-itself" } },
    );
    await provider.inspect!(operation, { signal });
    expect(server.seen[0]?.headers).toMatchObject({ authorization: "the-token-itself", "x-run": "r1" });
    expect(server.seen[0]?.headers).not.toHaveProperty("x-order");
  });
});

describe("asking a server to stop an operation", () => {
  it("is acknowledged, impossible, or to be done again [INV-cancel-request]", async () => {
    const expected = {
      202: "acknowledged",
      204: "acknowledged",
      405: "unsupported",
      409: "unsupported",
      503: "unavailable",
    };
    for (const [status, kind] of Object.entries(expected)) {
      const server = await serve((_, respond) => respond(Number(status)));
      const cancel = { method: "DELETE", url: `${server.origin}/operations/{handle}` } as const;
      const provider = providerOf({ url: server.origin, cancel });
      expect(await provider.cancel!(operation, { signal })).toMatchObject({ kind });
      expect(server.seen).toMatchObject([{ method: "DELETE", url: "/operations/op%2F7", body: "" }]);
    }
  });

  it("is what a provider says that it can or cannot do [INV-bindings-resolved]", async () => {
    const provider = providerOf({ url: "https://x.example" });
    expect([
      provider.can?.("act"),
      provider.can?.("other"),
      provider.has("act"),
      provider.has("other"),
    ]).toEqual([["accept"], [], true, false]);
    expect(await provider.cancel!(operation, { signal })).toEqual({ kind: "unsupported" });
    expect(await provider.inspect!(operation, { signal })).toMatchObject({ kind: "unknown" });
  });
});
