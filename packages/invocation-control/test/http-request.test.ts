import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verifyCallback } from "../src/tokens.js";
import { invocationOf } from "./call.js";
import { callHttp, providerOf, serve } from "./http-server.js";

describe("a request", () => {
  it("is made of the binding and the invocation [INV-call-request]", async () => {
    const server = await serve((_, respond) => respond(200, { reserved: true }));
    expect(await callHttp({ url: `${server.origin}/reserve` })).toEqual({
      kind: "completed",
      outcome: "ok",
      output: { reserved: true },
    });
    expect(server.seen).toMatchObject([
      {
        method: "POST",
        url: "/reserve",
        body: '{"order":{"id":"o-7"}}',
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          "idempotency-key": "r1/act/1",
          "swl-attempt": "1",
          "swl-invocation": "r1/act#1",
        },
      },
    ]);
  });

  it("carries the trace that the run was started in [INV-call-request]", async () => {
    const server = await serve();
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    await callHttp({ url: server.origin }, { invocation: { traceparent } });
    await callHttp({ url: server.origin });
    expect(server.seen.map(({ headers }) => headers["traceparent"])).toEqual([traceparent, undefined]);
  });

  it("has the parts that its templates name [INV-call-templates]", async () => {
    const server = await serve();
    await callHttp(
      {
        method: "PUT",
        url: `${server.origin}/orders/{input.order.id}/{attempt}?key={idempotencyKey}&lit={{x}}`,
        headers: { "x-order": "order {input.order.id}", authorization: { env: "TOKEN", prefix: "Bearer " } },
        body: {
          id: { $get: ["input", "order", "id"] },
          currency: { $get: ["parameters", "currency"] },
          as: [{ $literal: { $get: 1 } }],
        },
        idempotencyHeader: null,
      },
      { environment: { TOKEN: "token-of-the-test" } },
    );
    const [seen] = server.seen;
    expect(seen).toMatchObject({ method: "PUT", url: "/orders/o-7/1?key=r1%2Fact%2F1&lit={x}" });
    expect(seen?.headers).toMatchObject({
      "x-order": "order o-7",
      authorization: "Bearer token-of-the-test",
    });
    expect(seen?.headers).not.toHaveProperty("idempotency-key");
    expect(JSON.parse(seen!.body)).toEqual({ id: "o-7", currency: "EUR", as: [{ $get: 1 }] });
  });

  it("stays what its template says, whatever the data are [INV-call-templates]", async () => {
    const server = await serve();
    const url = `${server.origin}/a/{input.value}/b?q={input.value}&r=1`;
    const values = [
      "../../x",
      "a/b",
      "?x=1",
      "#f",
      "&r=2",
      "a b+c",
      "%2e%2e%2f",
      "http://x",
      "é\u0000",
      "\r\nx: y",
      "'()*!",
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.constantFrom(...values), fc.string({ unit: "grapheme" })),
        async (value) => {
          const answer = await callHttp({ url }, { invocation: { input: { value } } });
          if (/^\.{0,2}$/.test(value)) {
            expect(answer).toMatchObject({ kind: "failed", error: { code: "provider.request-invalid" } });
            return;
          }
          expect(answer).toMatchObject({ kind: "completed" });
          const seen = new URL(server.seen.at(-1)!.url, server.origin);
          const whole = value.replace(/\p{Surrogate}/gu, "\ufffd");
          expect(seen.pathname.split("/").map(decodeURIComponent)).toEqual(["", "a", whole, "b"]);
          expect([...seen.searchParams]).toEqual([
            ["q", whole],
            ["r", "1"],
          ]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("that cannot be made from the data is not sent [INV-call-templates]", async () => {
    const server = await serve();
    const bindings = [
      { url: `${server.origin}/{input.none}` },
      { url: `${server.origin}/{input.order}` },
      { url: `${server.origin}/{input.__proto__}` },
      { url: `${server.origin}/`, headers: { "x-a": "{input.break}" } },
      { url: `${server.origin}/`, headers: { "x-a": "{input.wide}" } },
      { url: `${server.origin}/`, body: { $get: ["input", "none"] } },
      { url: `${server.origin}/{input.dots}/x` },
      { url: `${server.origin}/{input.dot}{input.dot}/x` },
    ];
    const input = { order: {}, break: "a\r\nx-evil: 1", wide: "\u0100", dots: "..", dot: "." };
    for (const binding of bindings) {
      expect(await callHttp(binding, { invocation: { input } })).toMatchObject({
        kind: "failed",
        retryable: false,
        error: { code: "provider.request-invalid" },
      });
    }
    const invocation = { idempotencyKey: "a\r\nx-evil: 1" };
    expect(await callHttp({ url: server.origin }, { invocation })).toMatchObject({
      error: { code: "provider.request-invalid" },
    });
    expect(server.seen).toEqual([]);
  });

  it("keeps connections for what may be repeated alone [INV-call-sent]", async () => {
    const server = await serve();
    const provider = providerOf({ url: server.origin });
    const call = async (effect: string) => {
      return provider.invoke(invocationOf("act"), { effect }, { signal: new AbortController().signal });
    };
    for (let count = 0; count < 3; count++) await call("idempotent");
    expect(server.connections()).toBe(1);
    for (let count = 0; count < 3; count++) await call("unsafe");
    expect(server.connections()).toBe(4);
  });

  it("carries a callback that only this attempt can use [INV-callback-token]", async () => {
    const server = await serve((seen, respond) => respond(200, seen.headers));
    const secret = "a-key-of-more-than-thirty-two-characters";
    const answer = await callHttp(
      {
        url: server.origin,
        callback: { url: "https://flows.example/callbacks", key: { id: "k1", secret: { env: "KEY" } } },
        body: { to: { $get: ["callback", "url"] } },
      },
      { environment: { KEY: secret }, invocation: { attempt: 3 } },
    );
    const [seen] = server.seen;
    const token = String(seen?.headers["swl-callback-token"]);
    expect(seen?.headers["swl-callback-url"]).toBe("https://flows.example/callbacks");
    expect(JSON.parse(seen!.body)).toEqual({ to: "https://flows.example/callbacks" });
    expect(verifyCallback(token, [{ id: "k1", secret }], Date.now())).toMatchObject({
      ok: true,
      value: { run: "r1", invocation: "r1/act#1", attempt: 3 },
    });
    // The server sent all headers back.
    expect(JSON.stringify(answer)).not.toContain(token);
    expect(answer).toMatchObject({ output: { "swl-callback-token": "[secret callback token]" } });
  });
});

describe("a binding of a server", () => {
  const codesOf = (binding: object, environment = {}) => {
    try {
      providerOf(binding as never, { environment });
      return [];
    } catch (error) {
      return (error as { findings: { code: string; pointer: string }[] }).findings.map(
        ({ code, pointer }) => `${code} ${pointer}`,
      );
    }
  };

  it("is refused for each thing that is wrong with it, in one pass [INV-bindings-strict]", () => {
    expect(
      codesOf({
        url: "https://{input.host}/x",
        method: "TRACE",
        headers: { host: "x", "x y": "1", "x-a": "a\r\nb", "x-b": "{output.x}", "x-c": { env: "NOT_SET" } },
        body: { a: { $get: "input" }, b: { $get: ["input"], c: 1 } },
        statuses: { 999: { outcome: "x" }, 404: { outcome: "X" }, 500: { failed: "final", outcome: "x" } },
        maxResponseBytes: 0,
        allow: ["10.0.0.0/33", "localhost"],
        retries: 3,
        inspect: { url: "https://x/{input.a}", words: { done: "finished" } },
      }).sort(),
    ).toEqual(
      [
        "binding.invalid /act/allow",
        "binding.invalid /act/allow",
        "binding.invalid /act/body/a",
        "binding.invalid /act/body/b",
        "binding.invalid /act/headers/host",
        "binding.invalid /act/headers/x y",
        "binding.invalid /act/headers/x-a",
        "binding.invalid /act/headers/x-b",
        "binding.invalid /act/inspect/url",
        "binding.invalid /act/inspect/words/done",
        "binding.invalid /act/maxResponseBytes",
        "binding.invalid /act/method",
        "binding.invalid /act/retries",
        "binding.invalid /act/statuses/404/outcome",
        "binding.invalid /act/statuses/500",
        "binding.invalid /act/statuses/999",
        "binding.invalid /act/url",
        "binding.secret-missing /act/headers/x-c",
      ].sort(),
    );
  });

  it("is refused with an address that nobody would take for one [INV-call-templates]", () => {
    for (const url of [
      "ftp://x/",
      "//x/",
      "https://",
      "https://a{input.b}.example/",
      "https://user:pass@x/",
      "https://x/#f",
      "https://x/{input",
      "https://x/{}",
      "https://x/{nothing.a}",
      "https://[::1/",
    ]) {
      expect([url, ...codesOf({ url })]).toEqual([url, "binding.invalid /act/url"]);
    }
  });

  it("takes an address from the environment and tells nobody [INV-secret-references]", async () => {
    const server = await serve((seen, respond) => respond(200, { called: seen.url }));
    const environment = { HOOK: `${server.origin}/hook/very-secret-part` };
    const answer = await callHttp({ url: { env: "HOOK" } }, { environment });
    expect(server.seen[0]?.url).toBe("/hook/very-secret-part");
    expect(answer).toMatchObject({ kind: "completed" });
    expect(codesOf({ url: { env: "HOOK" } }, { HOOK: "not an address" })).toEqual([
      "binding.invalid /act/url",
    ]);
    expect(codesOf({ url: { env: "HOOK" } }, { HOOK: "short" })).toEqual(["binding.invalid /act/url"]);
  });
});
