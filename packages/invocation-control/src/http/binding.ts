/**
 * The settings of one action that a server serves, as they are written. What they become is in `plan.ts`.
 * Spec: INV-call-request.
 */
import type { Json } from "@swl/base";
import type { FromEnvironment } from "../bindings/secrets.js";

type Status =
  | { readonly outcome: string }
  | { readonly failed: "retryable" | "final"; readonly code?: string }
  | { readonly accepted: true }
  | { readonly unknown: true };

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Templates (`{input.order.id}`) may stand in `url` and `headers`; `body` is JSON with `$get` and `$literal`. */
export interface HttpBinding {
  /** Default POST. */
  readonly method?: Method;
  /** Scheme and host are written out. A URL that is itself a secret comes whole from the environment. */
  readonly url: string | FromEnvironment;
  readonly headers?: { readonly [name: string]: string | FromEnvironment };
  /** Default: the input, and none for GET and DELETE. */
  readonly body?: Json;
  /** Default `idempotency-key`; `null`: the key is not sent as a header. */
  readonly idempotencyHeader?: string | null;
  /** What a status (`404`) or a class of them (`4xx`) means here. */
  readonly statuses?: { readonly [status: string]: Status };
  /** `output` (default): the body is the output. `document`: it is an answer document. */
  readonly answer?: "output" | "document";
  /** Where the handle of an accepted operation stands; default: member `handle` of the body. */
  readonly handle?: {
    readonly header?: string;
    /** JSON Pointer. */
    readonly body?: string;
    /** Take what follows the last `/` of it: for addresses. */
    readonly lastSegment?: boolean;
  };
  readonly inspect?: InspectBinding;
  readonly cancel?: {
    readonly method?: Method;
    readonly url: string;
    readonly headers?: HttpBinding["headers"];
  };
  /** Tells the server where, and with what token, it may say how the operation ended. */
  readonly callback?: {
    readonly url: string;
    /** Default: what `HttpOptions.sign` makes. */
    readonly key?: { readonly id: string; readonly secret: FromEnvironment };
    /** Milliseconds that a token is good for; default 24 hours. */
    readonly ttlMs?: number;
  };
  /** Addresses that are not public and may be reached all the same: `127.0.0.1`, `10.1.0.0/16`, `fd00::/8`. */
  readonly allow?: readonly string[];
  /** Redirects that are followed: to the same origin, or to one that is listed. Default none. */
  readonly redirects?: { readonly max: number; readonly to?: readonly string[] };
  /** Bytes; default 8 MiB, at most 64 MiB. */
  readonly maxResponseBytes?: number;
  /** Milliseconds for name, connection and TLS; default 10,000. */
  readonly connectMs?: number;
  /** Milliseconds for the whole; default 120,000. */
  readonly timeoutMs?: number;
  /** Milliseconds that an answer is waited for after the request to stop; default 1,500. */
  readonly graceMs?: number;
  /** Certificates (PEM) that are trusted instead of Node's. */
  readonly ca?: string | FromEnvironment;
}

export interface InspectBinding {
  /** Default GET. */
  readonly method?: Method;
  /** May name `handle`, `idempotencyKey`, `run`, `invocation`, `activation`, `action`, `attempt`. */
  readonly url: string;
  /** Default: those headers of the binding that name nothing of the input. */
  readonly headers?: HttpBinding["headers"];
  /** JSON Pointers into the body; defaults `/status`, `/outcome`, `/output`, `/error`. */
  readonly status?: string;
  readonly outcome?: string;
  readonly output?: string;
  readonly error?: string;
  /** The server's words for ours. */
  readonly words?: {
    readonly [theirs: string]: "running" | "completed" | "failed" | "not-found" | "unknown";
  };
  /** Statuses that say that nothing was ever begun. Default none: a wrong path is a 404 too. */
  readonly notFound?: readonly number[];
}
