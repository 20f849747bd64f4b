/**
 * Errors on the wire: problem+json (RFC 9457) with the code, its page, and nothing that was not meant to be told. What is
 * no error of ours is `server.internal`, without its message. Spec: INV-http-problems.
 */
import { type Code, docsPage, isSwlError, type Json, SwlError } from "@swl/base";
import type { Reply } from "./call.js";

export interface Problem {
  readonly status: number;
  readonly body: { readonly [member: string]: Json };
  readonly headers: { readonly [name: string]: string };
}

const byCode: { readonly [code in Code]?: number } = {
  "server.unauthenticated": 401,
  "token.invalid": 401,
  "request.unauthorized": 403,
  "server.host-refused": 403,
  "server.origin-refused": 403,
  "server.route-unknown": 404,
  "run.not-found": 404,
  "name.not-found": 404,
  "operation.unknown": 404,
  "resolve.handle-unknown": 404,
  "server.method-refused": 405,
  "server.too-slow": 408,
  "answer.timeout": 408,
  "token.expired": 410,
  "server.too-large": 413,
  "json.too-large": 413,
  "server.media-type": 415,
  "request.invalid": 400,
  "definition.invalid": 422,
  "input.invalid": 422,
  "binding.missing": 422,
  "binding.invalid": 422,
  "binding.not-granted": 422,
  "server.too-many": 429,
  "server.internal": 500,
  "store.corrupt": 500,
  "store.incompatible": 500,
  "host.pin-mismatch": 500,
  "host.definition-missing": 500,
  "host.stopped": 503,
  "server.stopping": 503,
  "store.unavailable": 503,
  "store.unknown-commit": 503,
  "store.quota": 507,
};

/** What a caller may repeat as it is, and after how many seconds. */
const retryAfter: ReadonlySet<number> = new Set([429, 503]);

/** Codes of what was refused by the rules of the run, its definition or its store are conflicts with its state. */
export function statusOf(code: Code): number {
  const status = byCode[code];
  if (status !== undefined) return status;
  return code.startsWith("json.") ? 400 : 409;
}

/** The codes that have a status of their own: what the document lists. */
export const statusCodes = Object.entries(byCode) as readonly (readonly [Code, number])[];

/** The first of them say what is wrong; a definition may have as many as it has lines. */
const MOST_FINDINGS = 1_000;

/** `answer`: the control answer that the problem stands for. */
export function problemOf(error: unknown, answer?: object): Problem {
  const known = isSwlError(error)
    ? error
    : new SwlError("server.internal", "The server could not answer this request.");
  const { code, message, pointer, place, findings, details, hint } = known;
  const status = statusOf(code);
  const body = {
    type: `urn:swl:error:${code}`,
    title: code,
    status,
    detail: message,
    code,
    docs: docsPage(code),
    ...(pointer !== undefined && { pointer }),
    ...(place !== undefined && { place: { ...place } }),
    ...(findings !== undefined && {
      findings: findings.slice(0, MOST_FINDINGS).map((finding) => ({ ...finding })) as unknown as Json,
    }),
    ...(details !== undefined && { details }),
    ...(hint !== undefined && { hint }),
    ...(answer !== undefined && { answer: answer as Json }),
  };
  const headers = {
    ...(status === 401 && { "www-authenticate": "Bearer" }),
    ...(retryAfter.has(status) && { "retry-after": "1" }),
  };
  return { status, body, headers };
}

export function problemReply(error: unknown, headers: { readonly [name: string]: string } = {}): Reply {
  const problem = problemOf(error);
  const type = { "content-type": "application/problem+json" };
  return {
    status: problem.status,
    headers: { ...type, ...problem.headers, ...headers },
    body: JSON.stringify(problem.body),
  };
}
