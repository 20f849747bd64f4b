import { readFileSync } from "node:fs";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import * as tls from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { effects } from "./call.js";
import { callHttp, closedPort, serve, serveBytes } from "./http-server.js";

const timeout = () => new DOMException("attemptMs is over", "TimeoutError");
const notSent = (errno: unknown = expect.any(String)) => ({
  kind: "failed",
  retryable: true,
  error: { code: "provider.unreachable", details: { errno } },
});
const lost = (reason: string) => ({ kind: "unknown", reason });

/** Calls back once the socket has received a whole request. */
function onRequest(socket: Socket, then: (socket: Socket) => void): void {
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
    if (text.endsWith('{"order":{"id":"o-7"}}')) then(socket);
  });
}

describe("a request that did not leave", () => {
  it("because nobody listens is a retryable failure in every class [INV-call-sent]", async () => {
    const url = `http://127.0.0.1:${await closedPort()}/`;
    for (const effect of effects) {
      expect(await callHttp({ url }, { effect })).toMatchObject(notSent("ECONNREFUSED"));
    }
  });

  it("because its name has no address is a retryable failure in every class [INV-call-sent]", async () => {
    const lookup = async () => {
      throw Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
    };
    for (const effect of effects) {
      const answer = await callHttp({ url: "http://nowhere.example/" }, { effect, lookup });
      expect(answer).toMatchObject(notSent("ENOTFOUND"));
    }
    expect(await callHttp({ url: "http://nowhere.example/" }, { lookup: async () => [] })).toMatchObject(
      notSent("ENOTFOUND"),
    );
  });

  it("because there was no connection in time is a retryable failure [INV-call-sent]", async () => {
    const lookup = () => new Promise<never>(() => undefined);
    const binding = { url: "http://slow.example/", connectMs: 50 };
    expect(await callHttp(binding, { lookup })).toMatchObject(notSent("ETIMEDOUT"));
    const silent = await serveBytes(() => undefined);
    const secure = { url: silent.replace("http:", "https:"), connectMs: 50 };
    expect(await callHttp(secure)).toMatchObject(notSent("ETIMEDOUT"));
  });

  it("because TLS was not agreed on is a retryable failure, and not a byte of it left [INV-call-sent]", async () => {
    let received = "";
    const plain = await serveBytes((socket) =>
      socket.on("data", () => socket.end("HTTP/1.1 400 no\r\n\r\n")),
    );
    expect(await callHttp({ url: plain.replace("http:", "https:") })).toMatchObject(notSent());
    const pem = (name: string) =>
      readFileSync(join(import.meta.dirname, "fixtures", `self-signed-${name}.pem`));
    const server = tls.createServer({ key: pem("key"), cert: pem("cert") }, (socket) => {
      socket.on("error", () => undefined);
      socket.on("data", (chunk) => {
        received += chunk;
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n"ok"');
      });
    });
    server.on("tlsClientError", () => undefined);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const lookup = async () => [{ address: "127.0.0.1" }];
    const url = `https://swl.test:${port}/`;
    expect(await callHttp({ url }, { lookup })).toMatchObject(notSent("DEPTH_ZERO_SELF_SIGNED_CERT"));
    const ca = pem("cert").toString();
    const wrongName = `https://other.test:${port}/`;
    expect(await callHttp({ url: wrongName, ca }, { lookup })).toMatchObject(
      notSent("ERR_TLS_CERT_ALTNAME_INVALID"),
    );
    expect(received).toBe("");
    expect(await callHttp({ url, ca }, { lookup })).toMatchObject({ kind: "completed", output: "ok" });
  });

  it("because it was stopped before is a retryable failure [INV-call-sent]", async () => {
    const server = await serve();
    const stopped = AbortSignal.abort(timeout());
    expect(await callHttp({ url: server.origin }, { signal: stopped })).toMatchObject(notSent("ECANCELED"));
    const controller = new AbortController();
    const lookup = () => new Promise<never>(() => controller.abort(timeout()));
    const url = server.origin.replace("127.0.0.1", "slow.example");
    expect(await callHttp({ url }, { lookup, signal: controller.signal })).toMatchObject(
      notSent("ECANCELED"),
    );
    expect(server.seen).toEqual([]);
  });

  it("tries the next address of its name [INV-call-sent]", async () => {
    const server = await serve();
    const { port } = new URL(server.origin);
    // Nobody listens at the first.
    const lookup = async () => [{ address: "127.0.0.9" }, { address: "127.0.0.1" }];
    const binding = { url: `http://both.example:${port}/`, allow: ["127.0.0.0/8"] };
    expect(await callHttp(binding, { lookup })).toMatchObject({ kind: "completed" });
  });
});

describe("a request that may have left", () => {
  it("and has no response is unknown in every class [INV-call-sent]", async () => {
    const endings: ((socket: Socket) => void)[] = [
      (socket) => socket.destroy(),
      (socket) => socket.resetAndDestroy(),
      (socket) => socket.end(),
      (socket) => socket.end("no HTTP at all\r\n\r\n"),
      (socket) => socket.end("HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
      (socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(100_000)}\r\n\r\n`),
    ];
    for (const end of endings) {
      const url = await serveBytes((socket) => onRequest(socket, end));
      for (const effect of effects) {
        expect(await callHttp({ url }, { effect })).toMatchObject(lost("ack-lost"));
      }
    }
  });

  it("and whose response breaks off is unknown, unless the status alone says enough [INV-call-sent]", async () => {
    const begin = (status: string) => (socket: Socket) =>
      socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 100\r\n\r\n{"a":`);
    const broken = await serveBytes((socket) => onRequest(socket, begin("200 OK")));
    for (const effect of effects) {
      expect(await callHttp({ url: broken }, { effect })).toMatchObject(lost("ack-lost"));
    }
    const refusing = await serveBytes((socket) => onRequest(socket, begin("422 No")));
    expect(await callHttp({ url: refusing })).toMatchObject({ kind: "failed", retryable: false });
  });

  it("is waited for when it is told to stop, and its answer within the grace counts [INV-call-sent]", async () => {
    const controller = new AbortController();
    const server = await serve((_, respond) => {
      controller.abort(timeout());
      setTimeout(() => respond(200, "1"), 50);
    });
    const answer = await callHttp({ url: server.origin, graceMs: 5_000 }, { signal: controller.signal });
    expect(answer).toMatchObject({ kind: "completed", output: 1 });
  });

  it("and is silent after the grace is unknown, in every class [INV-call-sent]", async () => {
    for (const effect of effects) {
      const controller = new AbortController();
      const server = await serve(() => controller.abort(timeout()));
      const answer = await callHttp(
        { url: server.origin, graceMs: 20 },
        { effect, signal: controller.signal },
      );
      expect(answer).toMatchObject(lost("attempt-timeout"));
    }
  });

  it("to a server that answers a byte at a time ends at the binding's own limit [INV-call-sent]", async () => {
    const url = await serveBytes((socket) =>
      onRequest(socket, () => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n");
        const drip = setInterval(() => socket.write("x"), 10);
        socket.on("close", () => clearInterval(drip));
      }),
    );
    const answer = await callHttp({ url, timeoutMs: 150, graceMs: 10 });
    expect(answer).toMatchObject(lost("attempt-timeout"));
  });

  it("and is answered before it was read has been answered [INV-call-sent]", async () => {
    const url = await serveBytes((socket) =>
      socket.once("data", () =>
        socket.end("HTTP/1.1 413 Too large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"),
      ),
    );
    const input = "x".repeat(10_000_000);
    const answer = await callHttp({ url }, { invocation: { input } });
    // The connection may be reset before the status is read: then nobody knows.
    expect(["failed", "unknown"]).toContain(answer.kind);
  });
});
