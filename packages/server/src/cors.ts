/** Pages of other origins: only those that are named may read answers, and what they may send is told. */

import { empty, type HeaderSource, type Reply } from "./call.js";

const REQUEST_HEADERS = "authorization, content-type, idempotency-key, last-event-id, prefer";

export function withCors(reply: Reply, headers: HeaderSource, origins: readonly string[]): Reply {
  const origin = headers.get("origin");
  if (origin === null || !origins.includes(origin)) return reply;
  const cors = {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "location, retry-after",
    vary: "origin",
  };
  return { ...reply, headers: { ...reply.headers, ...cors } };
}

export function preflight(
  headers: HeaderSource,
  allowed: readonly string[],
  origins: readonly string[],
): Reply {
  const allow = allowed.join(", ");
  const origin = headers.get("origin");
  const cors = {
    "access-control-allow-methods": allow,
    "access-control-allow-headers": REQUEST_HEADERS,
    "access-control-max-age": "600",
  };
  const asked = origin !== null && origins.includes(origin);
  return withCors(empty(204, { allow, ...(asked && cors) }), headers, origins);
}
