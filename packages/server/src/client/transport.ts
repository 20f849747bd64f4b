/**
 * One call of a route by `fetch`: the list of routes says method and path, problems become errors with their code, and an
 * answer that a problem carries is handed on as the answer it is. Spec: INV-http-client.
 */
import { type Code, isCode, isJsonObject, type Json, readJson, SwlError } from "@swl/base";
import type { Bodies, Queries } from "../contracts/requests.js";
import { type Operation, pathTo, routes } from "../routes.js";

export interface TransportOptions {
  /** `http://127.0.0.1:4777`, with a path if the server is behind one. */
  readonly url: string;
  readonly token?: string;
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch;
}

/** What a route takes, as its schemas say. */
export interface CallOf<O extends Operation> {
  readonly parameters?: { readonly [name: string]: string };
  readonly query?: O extends keyof Queries ? Queries[O] : never;
  readonly body?: O extends keyof Bodies ? Bodies[O] : never;
  readonly key?: string | undefined;
  readonly traceparent?: string | undefined;
  /** Milliseconds, rounded up to whole seconds. */
  readonly wait?: number | undefined;
  readonly lastEventId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Reply {
  readonly status: number;
  /** `null` when there is none. */
  readonly body: Json;
}

export class Transport {
  readonly #base: string;
  readonly #token: string | undefined;
  readonly #fetch: typeof globalThis.fetch;

  /** Throws `request.invalid` for what is no address of a server. */
  constructor({ url, token, fetch = globalThis.fetch }: TransportOptions) {
    if (!/^https?:\/\/[^/?#]+[^?#]*$/i.test(url)) {
      throw new SwlError(
        "request.invalid",
        "The server's address must be http:// or https:// without a query.",
      );
    }
    this.#base = url.replace(/\/+$/, "");
    this.#token = token;
    this.#fetch = (input, init) => fetch(input, init);
  }

  /** Throws `client.unreachable`, `client.answer-invalid`, and what the server refuses. */
  async call<O extends Operation>(operation: O, call: CallOf<O> = {}): Promise<Reply> {
    const response = await this.send(operation, call);
    const text = await this.#text(response);
    const body = text === "" ? null : parsed(text, response.status);
    if (response.ok) return { status: response.status, body };
    const answer = isJsonObject(body) && isJsonObject(body["answer"]) ? body["answer"] : undefined;
    if (answer !== undefined) return { status: response.status, body: answer };
    throw errorOf(response.status, body);
  }

  /** The response as it comes: for streams. Throws `client.unreachable`. */
  async send<O extends Operation>(operation: O, call: CallOf<O> = {}): Promise<Response> {
    const { parameters, query, body, key, traceparent, wait, lastEventId, signal } = call;
    const headers: { [name: string]: string } = {
      ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(key !== undefined && { "idempotency-key": key }),
      ...(traceparent !== undefined && { traceparent }),
      ...(wait !== undefined && wait > 0 && { prefer: `wait=${Math.ceil(wait / 1_000)}` }),
      ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
    };
    try {
      return await this.#fetch(`${this.#base}${pathTo(operation, parameters)}${queryText(query)}`, {
        method: routes[operation].method,
        headers,
        // A redirect would take the token elsewhere.
        redirect: "error",
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal !== undefined && { signal }),
      });
    } catch (cause) {
      signal?.throwIfAborted();
      throw unreachable(cause);
    }
  }

  /** The error that a response which is no success stands for. */
  async refusal(response: Response): Promise<SwlError> {
    const text = await this.#text(response);
    return errorOf(response.status, text === "" ? null : parsed(text, response.status));
  }

  async #text(response: Response): Promise<string> {
    try {
      return await response.text();
    } catch (cause) {
      throw unreachable(cause);
    }
  }
}

function queryText(query: object | undefined): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  if (given.length === 0) return "";
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

function unreachable(cause: unknown): SwlError {
  return new SwlError(
    "client.unreachable",
    "The server could not be reached, or the connection was lost before its answer.",
    { cause, hint: "a request with an ID may be sent again under the same ID" },
  );
}

function parsed(text: string, status: number): Json {
  const read = readJson(new TextEncoder().encode(text), { file: "answer", maxBytes: 268_435_456 });
  if (read.ok) return read.value.value;
  throw new SwlError(
    "client.answer-invalid",
    `The answer with status ${status} is no JSON: it is not of this server.`,
  );
}

/** Its code when it is one of ours; members of a later release are left out. */
function errorOf(status: number, body: Json): SwlError {
  const problem = isJsonObject(body) ? body : {};
  const { code, detail, pointer, details, findings, hint } = problem;
  if (typeof code !== "string" || !isCode(code)) {
    return new SwlError(
      "client.answer-invalid",
      `The answer with status ${status} is no problem of this server.`,
    );
  }
  return new SwlError(code as Code, typeof detail === "string" ? detail : code, {
    ...(typeof pointer === "string" && { pointer }),
    ...(isJsonObject(details ?? null) && { details: details as { [key: string]: Json } }),
    ...(Array.isArray(findings) && { findings: findings as never }),
    ...(typeof hint === "string" && { hint }),
  });
}
