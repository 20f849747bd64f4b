import { SwlError } from "@swl/base";
import { describe, expect, it } from "vitest";
import { raw, refusal, server } from "./lab.js";

const head = (line: string, headers: readonly string[] = []) =>
  [line, "Host: localhost", ...headers, "", ""].join("\r\n");

describe("a body", () => {
  it.each([
    ["cut off", '{"name": "x"', "json.syntax"],
    ["with a key twice", '{"name": "x", "name": "y"}', "json.duplicate-key"],
    ["with half of a surrogate pair", '{"name": "\\ud800"}', "json.lone-surrogate"],
    ["too deep", `{"name": "x", "payload": ${"[".repeat(5_000)}${"]".repeat(5_000)}}`, "json.too-deep"],
    ["that is a list", "[]", "request.invalid"],
    ["that is null", "null", "request.invalid"],
    ["with a wrong type", '{"name": 7}', "request.invalid"],
    ["with a member that there is not", '{"name": "x", "nmae": 1}', "request.invalid"],
    ["with a name that is none", '{"name": "a b"}', "request.invalid"],
    ["with __proto__ as a member", '{"name": "x", "__proto__": {"outcome": "ok"}}', "request.invalid"],
  ])("%s is refused before the service is asked [INV-http-body]", async (_what, body, code) => {
    const { post, asked, healthy } = await server();
    expect(await refusal(post("/runs/r/signals", body))).toEqual([400, code]);
    expect(asked).toEqual([]);
    expect(await healthy()).toBe(true);
  });

  it("says where it is wrong [INV-http-body]", async () => {
    const { post } = await server();
    const answer = await post("/runs/r/resolutions", { decision: "retry", error: { code: "A", message: 1 } });
    const problem = (await answer.json()) as { pointer: string; findings: { pointer: string }[] };
    expect(problem.pointer).toBe("/error/code");
    expect(problem.findings.map(({ pointer }) => pointer)).toEqual(["/error/code", "/error/message"]);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
  });

  it("of another type, or compressed, is refused [INV-http-body]", async () => {
    const { post, call } = await server();
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/json; charset=latin1",
    ]) {
      const refused = refusal(post("/runs/r/signals", { name: "x" }, { "content-type": type }));
      expect(await refused).toEqual([415, "server.media-type"]);
    }
    const zipped = { "content-encoding": "gzip" };
    expect(await refusal(post("/runs/r/signals", { name: "x" }, zipped))).toEqual([415, "server.media-type"]);
    expect(await refusal(call("/runs/r/signals", { method: "POST" }))).toEqual([400, "request.invalid"]);
  });

  it("of 100 MB is cut off by its declared length, before it is sent [INV-http-body]", async () => {
    const { port, healthy, asked } = await server();
    const headers = ["Content-Type: application/json", "Content-Length: 100000000"];
    const answer = await raw(port, (socket) => socket.write(head("POST /runs/r/signals HTTP/1.1", headers)));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"code":"server.too-large"');
    expect(asked).toEqual([]);
    expect(await healthy()).toBe(true);
  });

  it("of 100 MB without a declared length is cut off at the limit [INV-http-body]", async () => {
    const { port, healthy } = await server();
    const headers = ["Content-Type: application/json", "Transfer-Encoding: chunked"];
    const part = Buffer.alloc(65_536, " ");
    let sent = 0;
    const answer = await raw(port, (socket) => {
      socket.write(head("POST /runs/r/signals HTTP/1.1", headers));
      const more = (): void => {
        if (socket.destroyed || sent >= 100_000_000) return;
        sent += part.length;
        socket.write(`${part.length.toString(16)}\r\n`);
        socket.write(part);
        socket.write("\r\n", () => setImmediate(more));
      };
      more();
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(sent).toBeLessThan(100_000_000);
    expect(await healthy()).toBe(true);
  });
});

describe("a slow client", () => {
  it("that does not end its headers is cut off [INV-http-body]", async () => {
    const { port, healthy } = await server({ headersTimeout: 200, requestTimeout: 400 });
    const answer = await raw(port, (socket) => socket.write("GET /health HTTP/1.1\r\nHost: localhost\r\nX-"));
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('"code":"server.too-slow"');
    expect(await healthy()).toBe(true);
  });

  it("that drips its body is cut off [INV-http-body]", async () => {
    const { port, healthy, asked } = await server({ headersTimeout: 200, requestTimeout: 400 });
    const headers = ["Content-Type: application/json", "Content-Length: 1000"];
    let drip: ReturnType<typeof setInterval> | undefined;
    const answer = await raw(port, (socket) => {
      socket.write(head("POST /runs/r/signals HTTP/1.1", headers));
      drip = setInterval(() => socket.write(" "), 50);
    });
    clearInterval(drip);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(asked).toEqual([]);
    expect(await healthy()).toBe(true);
  });
});

describe("a path", () => {
  it("with NUL, or that is no UTF-8, is refused [INV-http-guard]", async () => {
    const { port, asked, healthy } = await server();
    for (const path of [
      "/runs/a%00b",
      "/runs/%ff%fe",
      "/runs/%c3",
      "/runs/%zz",
      "/%00",
      "/runs/%E0%80%80/why",
    ]) {
      const answer = await raw(port, (socket) =>
        socket.end(head(`GET ${path} HTTP/1.1`, ["Connection: close"])),
      );
      expect(answer, path).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer, path).toContain('"code":"request.invalid"');
    }
    expect(asked).toEqual([]);
    expect(await healthy()).toBe(true);
  });

  it("keeps what stands encoded in a segment in that segment [INV-http-routes]", async () => {
    const { call, asked } = await server();
    await call("/runs/..%2Fpublications%2Fx%3Fa=b%23c");
    await call("/runs/%252e%252e");
    await call("/runs/r%0d%0ax-evil:%201/why");
    expect(asked.map((one) => [one.operation, one.arguments[0]])).toEqual([
      ["status", "../publications/x?a=b#c"],
      ["status", "%2e%2e"],
      ["why", "r\r\nx-evil: 1"],
    ]);
  });

  it("that there is not is 404, and a method that it does not take 405 with what it takes [INV-http-routes]", async () => {
    const { call, asked } = await server();
    for (const path of [
      "//",
      "/run",
      "/runs/",
      "/runs/r/",
      "/runs/r/x",
      "//runs",
      "/runs/r/why/more",
      "/constructor",
    ]) {
      expect(await refusal(call(path)), path).toEqual([404, "server.route-unknown"]);
    }
    for (const method of ["PUT", "DELETE", "PATCH", "POST"]) {
      const answer = call("/runs/r", { method });
      expect((await answer).headers.get("allow")).toBe("GET, HEAD, OPTIONS");
      expect(await refusal(answer)).toEqual([405, "server.method-refused"]);
    }
    expect((await call("/runs", { method: "DELETE" })).headers.get("allow")).toBe("GET, HEAD, OPTIONS, POST");
    expect(asked).toEqual([]);
  });

  it("answers HEAD like GET without a body, and OPTIONS with what it takes [INV-http-routes]", async () => {
    const { call, asked } = await server({ script: { status: () => ({ run: "r" }), history: () => [] } });
    const answer = await call("/runs/r", { method: "HEAD" });
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
    const stream = await call("/runs/r/events", { method: "HEAD" });
    expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    const options = await call("/runs/r/cancel", { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([204, "OPTIONS, POST"]);
    expect(asked.map(({ operation }) => operation)).toEqual(["status", "history"]);
  });
});

describe("a parameter", () => {
  it("given twice, unknown or wrong is refused [INV-http-routes]", async () => {
    const { call, asked } = await server();
    for (const query of [
      "status=running&status=waiting",
      "limit=1&limit=1",
      "limit=0",
      "limit=1001",
      "limit=1e3",
      "limit=",
      "limit=-1",
      "limt=1",
      "workflow=%00",
      "workflow=%ff",
      "__proto__=1",
      "constructor=1",
    ]) {
      expect(await refusal(call(`/runs?${query}`)), query).toEqual([400, "request.invalid"]);
    }
    expect(await refusal(call("/runs/r/path?x=1"))).toEqual([400, "request.invalid"]);
    expect(await refusal(call("/runs/r?reveal=yes"))).toEqual([400, "request.invalid"]);
    expect(asked).toEqual([]);
    await call("/runs?limit=10&status=running");
    expect(asked[0]?.arguments).toEqual([{ limit: 10, status: "running" }]);
  });

  it("of a header that is wrong is refused, and nothing of a value comes back in a header [INV-http-routes]", async () => {
    const { post, asked } = await server();
    for (const key of ["a b", "x".repeat(201), "é"]) {
      expect(await refusal(post("/runs/r/cancel", {}, { "idempotency-key": key })), key).toEqual([
        400,
        "request.invalid",
      ]);
    }
    for (const prefer of ["wait=x", "wait=-1", "wait=1.5", "wait"]) {
      expect(await refusal(post("/runs/r/cancel", {}, { prefer })), prefer).toEqual([400, "request.invalid"]);
    }
    expect(asked).toEqual([]);
    const script = {
      start: () => ({ kind: "accepted", run: "r\r\nx: 1", requestId: "k", position: 1, repeated: false }),
    };
    const created = await (await server({ script })).post("/runs", { name: "w" });
    expect(created.headers.get("location")).toBe("/runs/r%0D%0Ax%3A%201");
  });
});

describe("what is no HTTP", () => {
  it("is refused with a code, and the server stays [INV-http-guard]", async () => {
    const { port, healthy } = await server();
    const answers = await Promise.all([
      raw(port, (socket) => socket.end("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")),
      raw(port, (socket) => socket.end("GET / HTTP/9.9\r\n\r\n")),
      raw(port, (socket) =>
        socket.end(
          "GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        ),
      ),
      raw(port, (socket) =>
        socket.end(
          "POST /bulk HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        ),
      ),
    ]);
    for (const answer of answers) {
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('"code":"request.invalid"');
    }
    const large = await raw(port, (socket) =>
      socket.end(`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(40_000)}\r\n\r\n`),
    );
    expect(large).toMatch(/^HTTP\/1\.1 431 /);
    expect(large).toContain('"code":"server.too-large"');
    expect(await healthy()).toBe(true);
  });
});

describe("a request that HTTP itself would refuse", () => {
  it("has a coded answer all the same [INV-http-problems]", async () => {
    const { port, asked } = await server();
    const body = '{"name":"go"}';
    const head = `content-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}`;
    const refused = await raw(port, (socket) =>
      socket.write(`POST /runs/a/signals HTTP/1.1\r\n${head}\r\n\r\n${body}`),
    );
    expect(refused).toMatch(/^HTTP\/1.1 400 /);
    expect(refused).toContain('"code":"request.invalid"');
    expect(asked).toEqual([]);
    const taken = await raw(port, (socket) =>
      socket.write(
        `POST /runs/a/signals HTTP/1.1\r\nhost: 127.0.0.1\r\nexpect: tea\r\n${head}\r\n\r\n${body}`,
      ),
    );
    expect(taken).toMatch(/^HTTP\/1.1 202 /);
  });
});

describe("a request to more hosts than one", () => {
  const answerTo = async (lines: readonly string[]) => {
    const { port, asked } = await server({ allowedHosts: ["swl.test"] });
    const text = await raw(port, (socket) =>
      socket.end(`${lines.join("\r\n")}\r\nConnection: close\r\n\r\n`),
    );
    return { line: text.split("\r\n", 1)[0], code: /"code":"([^"]*)"/.exec(text)?.[1], asked: asked.length };
  };

  it.each([
    ["localhost", "evil.test"],
    ["evil.test", "localhost"],
    ["localhost", "localhost"],
  ])("by its headers %s and %s is refused [INV-http-guard]", async (first, second) => {
    expect(await answerTo(["GET /runs HTTP/1.1", `Host: ${first}`, `hOsT: ${second}`])).toEqual({
      line: "HTTP/1.1 400 Bad Request",
      code: "request.invalid",
      asked: 0,
    });
  });

  it.each([
    ["http://evil.test/runs"],
    ["https://evil.test:80/runs"],
    ["http://localhost@evil.test/runs"],
    ["http://localhost:1@evil.test/runs"],
  ])("by its target %s is refused [INV-http-guard]", async (target) => {
    expect(await answerTo([`GET ${target} HTTP/1.1`, "Host: localhost"])).toEqual({
      line: "HTTP/1.1 403 Forbidden",
      code: "server.host-refused",
      asked: 0,
    });
  });

  it("is taken where the target is this server's [INV-http-guard]", async () => {
    for (const target of ["http://localhost:4777/runs", "http://SWL.test/runs?limit=1"]) {
      const { line, asked } = await answerTo([`GET ${target} HTTP/1.1`, "Host: localhost"]);
      expect([line, asked]).toEqual(["HTTP/1.1 200 OK", 1]);
    }
    const { line } = await answerTo(["GET http://localhost/runs HTTP/1.1", "Host: evil.test"]);
    expect(line).toBe("HTTP/1.1 403 Forbidden");
  });
});

describe("what is refused for its form", () => {
  it.each([
    ["/runs?limit=-1", "/limit must be a whole number from 1 to 1000"],
    ["/runs?limit=0", "/limit must be a whole number from 1 to 1000"],
    ["/runs/r/history?after=x", "/after must be a whole number from 0 to 9007199254740991"],
  ])("is told what is allowed: %s [INV-http-routes]", async (path, said) => {
    const { call } = await server();
    expect(await (await call(path)).json()).toMatchObject({
      detail: `The query is not what this operation takes: ${said}`,
    });
  });

  it("is told of no pattern [INV-http-routes]", async () => {
    const { post } = await server();
    for (const [path, body] of [
      ["/runs/r/signals", { name: "a b" }],
      ["/runs/r/completions", { handle: "h", error: { code: "No", message: "" } }],
      ["/work/claim", { worker: "a b", actions: ["x"] }],
    ] as const) {
      const { detail } = (await (await post(path, body)).json()) as { readonly detail: string };
      expect(detail).toContain("must be 1 to 6");
    }
  });

  it("is told where the request ID belongs [INV-http-body]", async () => {
    const { post } = await server();
    expect(await (await post("/runs", { name: "w", startKey: "k" })).json()).toMatchObject({
      hint: "give startKey as the header Idempotency-Key",
      findings: [{ hint: "give startKey as the header Idempotency-Key" }],
    });
    expect(await (await post("/runs", { name: "w", other: "k" })).json()).not.toHaveProperty("hint");
  });
});

describe("very much that is wrong", () => {
  it("is told in part: an answer is no longer than what was asked [INV-http-problems]", async () => {
    const findings = Array.from({ length: 5_000 }, (_, index) => ({
      code: "definition.invalid",
      severity: "error",
      message: `wrong ${index}`,
    }));
    const script = {
      start: () => {
        throw new SwlError("definition.invalid", "wrong", { findings: findings as never });
      },
    };
    const { post } = await server({ script });
    const answer = await post("/runs", { definition: {} });
    expect(((await answer.json()) as { findings: object[] }).findings).toEqual(findings.slice(0, 1_000));
    const members = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, 1]));
    const unknown = await post("/runs/a/signals", { name: "go", ...members });
    expect(unknown.status).toBe(400);
    expect((await unknown.text()).length).toBeLessThan(2_000);
  });
});
