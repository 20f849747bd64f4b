/** Pages of other origins: only those that are named may read answers, and what they may send is told. */

const REQUEST_HEADERS = "authorization, content-type, idempotency-key, last-event-id, prefer";

export function corsHeaders(response: Response, headers: Headers, origins: readonly string[]): Response {
  const origin = headers.get("origin");
  if (origin === null || !origins.includes(origin)) return response;
  response.headers.set("access-control-allow-origin", origin);
  response.headers.set("access-control-expose-headers", "location, retry-after");
  response.headers.append("vary", "origin");
  return response;
}

export function preflight(
  headers: Headers,
  allowed: readonly string[],
  origins: readonly string[],
): Response {
  const response = new Response(null, { status: 204, headers: { allow: allowed.join(", ") } });
  const origin = headers.get("origin");
  if (origin !== null && origins.includes(origin)) {
    response.headers.set("access-control-allow-methods", allowed.join(", "));
    response.headers.set("access-control-allow-headers", REQUEST_HEADERS);
    response.headers.set("access-control-max-age", "600");
  }
  return corsHeaders(response, headers, origins);
}
