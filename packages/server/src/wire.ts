/**
 * Between Node's messages and the app: headers without a `Headers` object, answers written as they are, and a signal for
 * connections that are gone before their answer. A `Request` alone, without Node behind it, works too.
 */
import type { IncomingMessage } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { HeaderSource, NodeBindings, Reply } from "./call.js";

class NodeHeaders implements HeaderSource {
  readonly #headers: IncomingMessage["headers"];

  constructor(headers: IncomingMessage["headers"]) {
    this.#headers = headers;
  }

  get(name: string): string | null {
    const value = this.#headers[name];
    return value === undefined ? null : Array.isArray(value) ? value.join(", ") : value;
  }

  has(name: string): boolean {
    return this.#headers[name] !== undefined;
  }
}

/** Names are asked for in lower case. */
export function headersOf(request: Request, { incoming }: NodeBindings): HeaderSource {
  return incoming === undefined ? request.headers : new NodeHeaders(incoming.headers);
}

/** Whom a request is addressed to: each `Host` header, of which Node tells the first alone, and a target in absolute form. */
export interface Addressed {
  readonly hosts: readonly string[];
  /** Of `GET http://host/path`. */
  readonly target?: string;
}

export function addressedTo(request: Request, { incoming }: NodeBindings): Addressed {
  if (incoming === undefined) return { hosts: request.headers.get("host")?.split(/, */) ?? [] };
  const { rawHeaders, url = "" } = incoming;
  const hosts: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (/^host$/i.test(rawHeaders[index]!)) hosts.push(rawHeaders[index + 1]!);
  }
  const target = url.startsWith("/") ? undefined : /^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1];
  return { hosts, ...(target !== undefined && { target }) };
}

/** What is left of a request that was not read is the adapter's to clear away: then it writes the answer, too. */
export function written(reply: Reply, { incoming, outgoing }: NodeBindings): Response {
  const { status, headers, body } = reply;
  const whole = typeof body === "string" && incoming?.complete === true && incoming.method !== "HEAD";
  if (!whole || outgoing === undefined || outgoing.headersSent) {
    return new Response(body, { status, headers: { ...headers } });
  }
  outgoing.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
  outgoing.end(body);
  return RESPONSE_ALREADY_SENT;
}

/** Aborted when the connection is gone before the answer is written; made only when somebody asks for it. */
export function goneSignal({ outgoing }: NodeBindings): AbortSignal {
  if (outgoing === undefined) return never;
  const controller = new AbortController();
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) controller.abort(left);
  });
  return controller.signal;
}

const never = new AbortController().signal;
const left = new DOMException("The connection is gone.", "AbortError");
