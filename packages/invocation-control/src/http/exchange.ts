/**
 * One request and what came of it, told apart as a host must know it: nothing left, it may have left and nobody knows
 * more, or a response was received, whole or not. Never rejects. Spec: INV-call-sent.
 */
import * as http from "node:http";
import * as https from "node:https";
import { stopReason } from "../reading/ending.js";
import { type Agents, asNotConnected, errnoOf, NotConnected } from "./connection.js";

export interface ExchangeRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | undefined;
  readonly agents: Agents;
  readonly maxResponseBytes: number;
  /** Milliseconds that an answer is waited for after the request to stop. */
  readonly graceMs: number;
  readonly signal: AbortSignal;
}

export type Exchange =
  | { readonly kind: "not-sent"; readonly errno: string; readonly refused: boolean }
  | {
      readonly kind: "lost";
      readonly errno: string;
      readonly reason: "crash" | "attempt-timeout" | "ack-lost";
    }
  | {
      readonly kind: "response";
      readonly status: number;
      readonly headers: http.IncomingHttpHeaders;
      readonly body: Buffer;
      readonly bodyIs: "whole" | "cut" | "too-large";
    };

export function exchange(request: ExchangeRequest): Promise<Exchange> {
  if (request.signal.aborted) return Promise.resolve(notSent(new NotConnected("ECANCELED")));
  return new Promise((resolve) => {
    try {
      new Exchanging(request, resolve);
    } catch (error) {
      // What cannot even be begun: a header or a method that HTTP does not have.
      resolve(notSent(asNotConnected(error)));
    }
  });
}

class Exchanging {
  readonly #request: ExchangeRequest;
  readonly #resolve: (exchange: Exchange) => void;
  readonly #outgoing: http.ClientRequest;
  /** A connection was given the request: from here on it may have left. */
  #sent = false;
  /** A response has begun: its own end says what came of it. */
  #responding = false;
  #over = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #stop = (): void => this.#stopped();

  constructor(request: ExchangeRequest, resolve: (exchange: Exchange) => void) {
    this.#request = request;
    this.#resolve = resolve;
    const { url, method, headers, body, agents, signal } = request;
    const secure = url.protocol === "https:";
    const options = { method, headers: { ...headers }, agent: secure ? agents.https : agents.http };
    this.#outgoing = secure ? https.request(url, options) : http.request(url, options);
    this.#outgoing.once("socket", () => {
      this.#sent = true;
    });
    this.#outgoing.on("error", (error) => this.#failed(error));
    this.#outgoing.once("response", (response) => this.#receive(response));
    // The end of everything: a connection that was closed, or asked for another protocol.
    this.#outgoing.once("close", () => this.#failed(undefined));
    signal.addEventListener("abort", this.#stop, { once: true });
    this.#outgoing.end(body);
    // Finding the address may have taken long enough for that.
    if (signal.aborted) this.#stopped();
  }

  #failed(error: unknown): void {
    if (this.#responding) return;
    if (!this.#sent) this.#settle(notSent(asNotConnected(error)));
    else
      this.#settle({
        kind: "lost",
        errno: error === undefined ? "ECONNRESET" : errnoOf(error),
        reason: "ack-lost",
      });
  }

  #receive(response: http.IncomingMessage): void {
    this.#responding = true;
    const { statusCode: status = 0, headers } = response;
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (bodyIs: "whole" | "cut" | "too-large"): void => {
      const body = bodyIs === "whole" ? Buffer.concat(chunks) : Buffer.alloc(0);
      this.#settle({ kind: "response", status, headers, body, bodyIs });
    };
    response.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > this.#request.maxResponseBytes) settle("too-large");
      else chunks.push(chunk);
    });
    response.on("error", () => settle("cut"));
    response.once("close", () => settle(response.complete ? "whole" : "cut"));
    response.once("end", () => settle(response.complete ? "whole" : "cut"));
  }

  /** What had not left is taken back; what may have left has the grace to be answered. */
  #stopped(): void {
    if (!this.#sent) {
      this.#settle(notSent(new NotConnected("ECANCELED")));
      return;
    }
    const { signal, graceMs } = this.#request;
    const silent = { kind: "lost", errno: "ETIMEDOUT", reason: stopReason(signal) } as const;
    this.#timer = setTimeout(() => this.#settle(silent), graceMs);
  }

  #settle(exchange: Exchange): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#request.signal.removeEventListener("abort", this.#stop);
    const clean = exchange.kind === "response" && exchange.bodyIs === "whole";
    if (!clean || !this.#outgoing.writableFinished) this.#outgoing.destroy();
    this.#resolve(exchange);
  }
}

function notSent({ errno, refused }: NotConnected): Exchange {
  return { kind: "not-sent", errno, refused };
}
