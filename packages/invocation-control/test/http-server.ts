/** Servers of the tests on loopback, gone when their test is over, and calls to them through the provider. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createTcp, type Socket, type Server as TcpServer } from "node:net";
import { onTestFinished } from "vitest";
import { type HttpBinding, type HttpOptions, http } from "../src/http.js";
import type { Invocation, Provider, ProviderAnswer } from "../src/index.js";
import { invocationOf } from "./call.js";

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

export interface TestServer {
  readonly origin: string;
  readonly seen: Seen[];
  readonly connections: () => number;
}

export type Responder = (seen: Seen, respond: Respond) => void;
export type Respond = (status: number, body?: unknown, headers?: { readonly [name: string]: string }) => void;

/** Answers each request as it is told; `body` that is no text is sent as JSON. */
export function serve(responder: Responder = (_, respond) => respond(200, null)): Promise<TestServer> {
  const seen: Seen[] = [];
  let connections = 0;
  const listener: RequestListener = async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method = "", url = "", headers, rawHeaders } = request;
    const one = { method, url, headers, rawHeaders, body };
    seen.push(one);
    responder(one, (status, answer, more = {}) => {
      response.writeHead(status, { "content-type": "application/json", ...more });
      response.end(answer === undefined ? "" : typeof answer === "string" ? answer : JSON.stringify(answer));
    });
  };
  const server = createServer(listener);
  server.on("connection", () => connections++);
  return listening(server, () => server.closeAllConnections()).then((port) => ({
    origin: `http://127.0.0.1:${port}`,
    seen,
    connections: () => connections,
  }));
}

/** A server of bare bytes. */
export async function serveBytes(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcp((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    onConnection(socket);
  });
  const port = await listening(server, () => {
    for (const socket of sockets) socket.destroy();
  });
  return `http://127.0.0.1:${port}`;
}

export function listening(server: Server | TcpServer, end: () => void): Promise<number> {
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        end();
      }),
  );
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

/** A port that nobody listens on. */
export async function closedPort(): Promise<number> {
  const server = createTcp();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export const loopback = ["127.0.0.1"];

export function providerOf(binding: HttpBinding, options: HttpOptions = {}): Provider {
  return http({ act: { allow: loopback, ...binding } }, { environment: {}, ...options });
}

export interface CallOptions extends HttpOptions {
  readonly effect?: string;
  readonly signal?: AbortSignal;
  readonly invocation?: Partial<Invocation>;
}

export function callHttp(binding: HttpBinding, options: CallOptions = {}): Promise<ProviderAnswer> {
  const { effect = "unsafe", signal = new AbortController().signal, invocation, ...rest } = options;
  const call = { ...invocationOf("act", { order: { id: "o-7" } }), ...invocation };
  return providerOf(binding, rest).invoke(call, { effect }, { signal });
}
