/**
 * Requests made from plans and data, and sent, with the redirects that a binding allows. Headers that hold secrets go to
 * the origin that they are for, and nowhere else. Spec: INV-call-request, INV-call-redirects.
 */
import type { Json } from "@swl/base";
import { BoundText } from "../bindings/secrets.js";
import type { Operation } from "../provider.js";
import type { Agents } from "./connection.js";
import { type Exchange, exchange } from "./exchange.js";
import { type HttpAction, headerValue, type RequestPlan } from "./plan.js";
import { buildBody, type Context, fillText, fillUrl } from "./template.js";

/** What a request is about. */
export interface Asked extends Operation {
  readonly traceparent?: string;
  readonly callback?: { readonly url: string; readonly token: string };
}

export interface RequestData {
  readonly body?: { readonly template: Json | undefined; readonly input: Json; readonly parameters: Json };
}

export interface Outgoing {
  readonly url: URL;
  readonly method: string;
  readonly headers: { readonly [name: string]: string };
  /** Names of the headers that go to no other origin. */
  readonly guarded: ReadonlySet<string>;
  readonly body: string | undefined;
}

export type Prepared =
  | { readonly ok: true; readonly outgoing: Outgoing }
  | { readonly ok: false; readonly why: string };

export function prepare(
  plan: RequestPlan & Partial<HttpAction>,
  asked: Asked,
  { body: data }: RequestData,
): Prepared {
  const context = contextOf(asked, data);
  const target =
    plan.url instanceof BoundText
      ? ({ ok: true, url: new URL(plan.url.reveal()) } as const)
      : fillUrl(plan.url, context);
  if (!target.ok) return target;
  const body =
    data === undefined ? ({ ok: true, text: undefined } as const) : bodyOf(plan.method, data, context);
  if (!body.ok) return body;
  const headers = headersOf(plan, asked, context, body.text);
  if (!headers.ok) return headers;
  const guarded = new Set(["authorization", "cookie", "swl-callback-url", "swl-callback-token"]);
  for (const [name, value] of plan.headers) if (value instanceof BoundText) guarded.add(name);
  const outgoing = { url: target.url, method: plan.method, headers: headers.all, guarded, body: body.text };
  return { ok: true, outgoing };
}

function headersOf(
  plan: RequestPlan & Partial<HttpAction>,
  asked: Asked,
  context: Context,
  body: string | undefined,
) {
  const headers = new Map(Object.entries(standardHeaders(plan, asked, body)));
  for (const [name, value] of plan.headers) {
    const filled =
      value instanceof BoundText
        ? ({ ok: true, text: value.reveal() } as const)
        : fillText(value, context, (text) => text);
    if (!filled.ok) return filled;
    headers.set(name, filled.text);
  }
  for (const [name, text] of headers) {
    if (headerValue.test(text)) continue;
    return { ok: false, why: `header ${name} would have characters that no header has` } as const;
  }
  return { ok: true, all: Object.fromEntries(headers) } as const;
}

function contextOf(asked: Asked, data: RequestData["body"]): Context {
  const { run, invocation, activation, action, attempt, idempotencyKey, handle, callback } = asked;
  return {
    run,
    invocation,
    activation,
    action,
    attempt,
    idempotencyKey,
    ...(data !== undefined && { input: data.input, parameters: data.parameters }),
    ...(handle !== undefined && { handle }),
    ...(callback !== undefined && { callback: { ...callback } }),
  };
}

function bodyOf(method: string, { template, input }: NonNullable<RequestData["body"]>, context: Context) {
  if (template === undefined) {
    const none = method === "GET" || method === "DELETE";
    return { ok: true, text: none ? undefined : JSON.stringify(input) } as const;
  }
  const built = buildBody(template, context);
  return built.ok ? ({ ok: true, text: JSON.stringify(built.value) } as const) : built;
}

function standardHeaders(plan: Partial<HttpAction>, asked: Asked, body: string | undefined) {
  const headers: { [name: string]: string } = {
    accept: "application/json",
    "accept-encoding": "identity",
    "user-agent": "swl",
    "swl-invocation": encodeURI(asked.invocation.replace(/\p{Surrogate}/gu, "\ufffd")),
    "swl-attempt": String(asked.attempt),
  };
  if (body !== undefined) {
    headers["content-type"] = "application/json";
    headers["content-length"] = String(Buffer.byteLength(body));
  }
  if (plan.idempotencyHeader) headers[plan.idempotencyHeader] = asked.idempotencyKey;
  if (asked.traceparent !== undefined) headers["traceparent"] = asked.traceparent;
  if (asked.callback !== undefined) {
    headers["swl-callback-url"] = asked.callback.url;
    headers["swl-callback-token"] = asked.callback.token;
  }
  return headers;
}

/** Sends, and follows what may be followed. Never rejects. */
export async function send(
  outgoing: Outgoing,
  plan: HttpAction,
  agents: Agents,
  signal: AbortSignal,
): Promise<Exchange> {
  const { maxResponseBytes, graceMs, timeoutMs, redirects } = plan;
  const stop = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  let request = outgoing;
  for (let left = redirects.max; ; left--) {
    const { url, method, headers, body } = request;
    const result = await exchange({
      url,
      method,
      headers,
      body,
      agents,
      maxResponseBytes,
      graceMs,
      signal: stop,
    });
    if (result.kind !== "response" || left <= 0) return result;
    const next = redirected(
      request,
      result.status,
      result.headers.location,
      outgoing.url.origin,
      redirects.to,
    );
    if (next === undefined) return result;
    request = next;
  }
}

const keepsMethod: ReadonlySet<number> = new Set([307, 308]);
const moved: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The next request, or undefined where the response is the answer. Only a GET follows what changes the method. */
function redirected(
  request: Outgoing,
  status: number,
  location: string | undefined,
  home: string,
  listed: readonly string[],
): Outgoing | undefined {
  if (location === undefined || !moved.has(status)) return undefined;
  if (!keepsMethod.has(status) && request.method !== "GET") return undefined;
  if (!URL.canParse(location, request.url.href)) return undefined;
  const url = new URL(location, request.url);
  url.username = "";
  url.password = "";
  if (url.origin !== home && !listed.includes(url.origin)) return undefined;
  if (url.origin === home) return { ...request, url };
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !request.guarded.has(name)),
  );
  return { ...request, url, headers };
}
