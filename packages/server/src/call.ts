/** One request as its handler sees it: who asks, for what, with everything read and checked. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Authorize, ControlService, RemoteWork } from "@swl/invocation-control";
import type { CallbackKey } from "@swl/invocation-control/tokens";
import type { Wake } from "@swl/store-provider";
import type { Principal } from "./access.js";
import type { Operation } from "./routes.js";
import type { Streams } from "./streams/streams.js";

/** What the node adapter hands on beside the request; absent when the app is called with a `Request` alone. */
export interface NodeBindings {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
}

export interface ServerLogEntry {
  readonly level: "info" | "warn" | "error";
  readonly code?: string;
  readonly message: string;
}

/** What handlers share. */
export interface ServerCore {
  readonly control: ControlService;
  readonly work: RemoteWork | undefined;
  readonly hints: ((listener: (wakes: readonly Wake[]) => void) => () => void) | undefined;
  readonly callbackKeys: readonly CallbackKey[];
  readonly streams: Streams;
  readonly document: object;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface Call {
  readonly operation: Operation;
  readonly core: ServerCore;
  readonly principal: Principal;
  /** The service with this principal's rights alone. */
  readonly control: ControlService;
  /** The same rights, for what is read with the server's own. */
  readonly may: Authorize;
  readonly headers: HeaderSource;
  readonly parameters: { readonly [name: string]: string };
  readonly query: object;
  readonly body: object;
  /** What `Idempotency-Key` said. */
  readonly key: string | undefined;
  /** Milliseconds. */
  readonly wait: number;
  /** Aborted when the connection is gone. */
  readonly gone: AbortSignal;
  /** HEAD: headers only. */
  readonly bare: boolean;
}

export type Handler = (call: Call) => Promise<Reply>;

/** Headers as both a `Request` and Node's messages have them. */
export type HeaderSource = Pick<Headers, "get" | "has">;

/** An answer before it is a `Response`: most are written to the socket as they are. */
export interface Reply {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | ReadableStream<Uint8Array> | null;
}

export function json(
  status: number,
  body: unknown,
  headers: { readonly [name: string]: string } = {},
): Reply {
  const text = JSON.stringify(body);
  return { status, headers: { "content-type": "application/json", ...headers }, body: text };
}

export function empty(status: number, headers: { readonly [name: string]: string } = {}): Reply {
  return { status, headers, body: null };
}
