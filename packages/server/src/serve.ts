/**
 * The server on a socket. Slow clients are cut off by Node's own limits, open addresses without tokens are refused before
 * anything listens, and closing lets requests under way end. Spec: INV-http-guard, INV-http-body.
 */
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { isSwlError, own, SwlError } from "@swl/base";
import { type App, createApp } from "./app.js";
import { isLoopback } from "./guard.js";
import { type ServerOptions, within } from "./options.js";
import { problemOf } from "./problem.js";

export interface ServeOptions extends ServerOptions {
  /** Default `127.0.0.1`. Any that is no loopback address needs tokens. */
  readonly host?: string;
  /** Default 0: any that is free. */
  readonly port?: number;
  /** Milliseconds for the headers of a request; default 10,000. */
  readonly headersTimeout?: number;
  /** Milliseconds for a whole request; default 30,000. */
  readonly requestTimeout?: number;
  /** Connections at once; default 10,000. */
  readonly connections?: number;
}

export interface Server {
  /** `http://127.0.0.1:4777` */
  readonly url: string;
  readonly port: number;
  /** Refuses what is new, ends streams, and lets requests under way end within `drain` milliseconds (default 5,000). */
  close(options?: { readonly drain?: number }): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Throws `server.open-address`, `server.address-in-use`, `server.option-invalid`. */
export async function serve(options: ServeOptions): Promise<Server> {
  const host = options.host ?? "127.0.0.1";
  const port = within("port", options.port ?? 0, 0, 65_535);
  const app = createApp({ ...options, loopback: isLoopback(host) });
  const server = httpServer(app, options);
  await listening(server, host.replace(/^\[|\]$/g, ""), port);
  return new ListeningServer(app, server);
}

function httpServer(app: App, options: ServeOptions): HttpServer {
  const listener = getRequestListener((request, env) => app.fetch(request, env as object), {
    overrideGlobalObjects: false,
    errorHandler: (error) => {
      const known = isSwlError(error)
        ? error
        : new SwlError("request.invalid", "The request is no HTTP request.");
      const { status, body } = problemOf(known);
      return new Response(JSON.stringify(body), {
        status,
        headers: { "content-type": "application/problem+json" },
      });
    },
  });
  const server = createServer(
    {
      headersTimeout: within("headersTimeout", options.headersTimeout ?? 10_000, 100, 3_600_000),
      requestTimeout: within("requestTimeout", options.requestTimeout ?? 30_000, 100, 3_600_000),
      connectionsCheckingInterval: Math.min(1_000, options.headersTimeout ?? 1_000),
      maxHeaderSize: 16_384,
      // The guard refuses a request without one, with a code.
      requireHostHeader: false,
    },
    (incoming, outgoing) => void listener(incoming, outgoing),
  );
  // An expectation that nobody here knows is nothing that a request is refused for without a code.
  server.on("checkExpectation", (incoming, outgoing) => void listener(incoming, outgoing));
  server.maxConnections = within("connections", options.connections ?? 10_000, 1, 1_000_000);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => refuse(error, socket as Socket));
  return server;
}

/** What Node's parser or its timers refuse has no request: the answer is written by hand. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (socket.destroyed || !socket.writable) return;
  const slow = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const large = error.code === "HPE_HEADER_OVERFLOW";
  const known = slow
    ? new SwlError("server.too-slow", "The request took too long to come.")
    : large
      ? new SwlError("server.too-large", "The headers are too large.")
      : new SwlError("request.invalid", "The request is no HTTP request.");
  const { status, body } = problemOf(known);
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${large ? 431 : status} ${body["title"]}`,
    "content-type: application/problem+json",
    `content-length: ${Buffer.byteLength(text)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${text}`);
}

/** What a timer of Node takes; a longer time would be none at all. */
const longestTimer = 2_147_483_647;

/** Why an address cannot be had. */
const words: { readonly [code: string]: string } = {
  EACCES: "this user may not take that port",
  EADDRNOTAVAIL: "this machine does not have that address",
  EAFNOSUPPORT: "this machine has no addresses of that kind",
  ENOTFOUND: "nobody knows that name",
  EAI_AGAIN: "nobody answers what address that name has",
};

function listening(server: HttpServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const used = cause.code === "EADDRINUSE";
      const message = used
        ? `Port ${port} of ${host} is in use.`
        : `Cannot listen on ${host}:${port}: ${own(words, cause.code ?? "") ?? cause.code}.`;
      const hint = "choose another port; 0 takes any that is free, and url says which";
      const code = used ? "server.address-in-use" : "server.option-invalid";
      reject(new SwlError(code, message, { cause, ...(used && { hint }) }));
    });
    server.listen(port, host, resolve);
  });
}

class ListeningServer implements Server {
  readonly url: string;
  readonly port: number;
  readonly #app: App;
  readonly #server: HttpServer;
  #closing: Promise<void> | undefined;

  constructor(app: App, server: HttpServer) {
    this.#app = app;
    this.#server = server;
    const { address, port, family } = server.address() as AddressInfo;
    this.port = port;
    this.url = `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
  }

  close(options: { readonly drain?: number } = {}): Promise<void> {
    this.#closing ??= this.#close(options.drain ?? 5_000);
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(drain: number): Promise<void> {
    this.#app.close();
    const ended = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const patience = setTimeout(() => this.#server.closeAllConnections(), Math.min(drain, longestTimer));
    await ended;
    clearTimeout(patience);
  }
}
