/**
 * A binding as it is read and compiled: everything that could be wrong with it is found here, before any run.
 * Spec: INV-call-request, INV-call-templates.
 */
import { type Json, pointerTo } from "@swl/base";
import { BoundText } from "../bindings/secrets.js";
import type { Settings, TextForm } from "../bindings/settings.js";
import { type Meaning, readMeanings } from "../reading/meaning.js";
import { type InspectWord, inspectWords } from "../reading/operation-document.js";
import type { CallbackKey } from "../tokens/callback-token.js";
import { mayReach, parseAddress, parseRange, type Range } from "./address.js";
import { type Method, methods } from "./binding.js";
import {
  bodyFaults,
  compileText,
  compileUrl,
  rootsOf,
  type TextTemplate,
  type UrlTemplate,
} from "./template.js";

/** One kind of request of a binding. */
export interface RequestPlan {
  readonly method: Method;
  readonly url: UrlTemplate | BoundText;
  readonly headers: ReadonlyMap<string, TextTemplate | BoundText>;
}

export interface HttpAction extends RequestPlan {
  /** Undefined: the input. */
  readonly body: Json | undefined;
  readonly idempotencyHeader: string | null;
  readonly statuses: ReadonlyMap<string, Meaning>;
  readonly answer: "output" | "document";
  readonly handle: HandlePlace;
  readonly inspect: InspectPlan | undefined;
  readonly cancel: RequestPlan | undefined;
  readonly callback: CallbackPlan | undefined;
  readonly allowed: readonly Range[];
  readonly redirects: { readonly max: number; readonly to: readonly string[] };
  readonly maxResponseBytes: number;
  readonly connectMs: number;
  readonly timeoutMs: number;
  readonly graceMs: number;
  readonly ca: BoundText | undefined;
}

export interface HandlePlace {
  readonly header: string | undefined;
  readonly body: string;
  readonly lastSegment: boolean;
}

export interface InspectPlan extends RequestPlan {
  readonly status: string;
  readonly outcome: string;
  readonly output: string;
  readonly error: string;
  readonly words: ReadonlyMap<string, InspectWord>;
  readonly notFound: readonly number[];
}

export interface CallbackPlan {
  readonly url: string;
  readonly key: CallbackKey | undefined;
  readonly ttlMs: number;
}

const ofOperation = ["run", "invocation", "activation", "action", "attempt", "idempotencyKey"] as const;
const ofInvocation = ["input", "parameters", ...ofOperation, "callback"] as const;
const ofQuestion = [...ofOperation, "handle"] as const;

const maxMs = 2_147_483_647;
const headerName: TextForm = {
  expected: "the name of a header",
  pattern: /^[a-zA-Z0-9!#$%&'*+.^_`|~-]{1,64}$/,
};
const pointer: TextForm = { expected: "a JSON Pointer", pattern: /^(\/([^~/]|~[01])*)+$/ };
const statusKey: TextForm = { expected: "a status (404) or a class (4xx)", pattern: /^[1-5]([0-9]{2}|xx)$/ };
/** What the transport itself says, and ours. */
const ownHeaders: ReadonlySet<string> = new Set([
  ...["host", "connection", "content-length", "transfer-encoding", "upgrade", "expect", "te", "trailer"],
  ...["keep-alive", "proxy-authorization", "proxy-connection", "accept-encoding"],
]);

/** Visible ASCII, blanks and tabs: nothing that ends a header. */
export const headerValue = /^[\t\x20-\x7e]*$/;

export function readHttp(settings: Settings): HttpAction | undefined {
  const allowed = rangesOf(settings);
  const request = requestOf(settings, ofInvocation, "POST", allowed);
  const plain = request && new Map([...request.headers].filter(([, value]) => isFor(value, ofQuestion)));
  const action = {
    body: bodyOf(settings),
    idempotencyHeader: idempotencyOf(settings),
    statuses: readMeanings(settings.section("statuses"), statusKey),
    answer: settings.word("answer", ["output", "document"]) ?? "output",
    handle: handleOf(settings.section("handle")),
    inspect: inspectOf(settings.section("inspect"), plain, allowed),
    cancel: askOf(settings.section("cancel"), "POST", plain, allowed),
    callback: callbackOf(settings.section("callback")),
    allowed,
    redirects: redirectsOf(settings.section("redirects")),
    maxResponseBytes: settings.integer("maxResponseBytes", 1, 64 * 1024 * 1024, 8 * 1024 * 1024),
    connectMs: settings.integer("connectMs", 1, maxMs, 10_000),
    timeoutMs: settings.integer("timeoutMs", 1, maxMs, 120_000),
    graceMs: settings.integer("graceMs", 0, maxMs, 1_500),
    ca: settings.bound("ca"),
  };
  return request === undefined ? undefined : { ...request, ...action };
}

function isFor(value: TextTemplate | BoundText, roots: readonly string[]): boolean {
  return value instanceof BoundText || rootsOf(value).every((root) => roots.includes(root));
}

function requestOf(
  settings: Settings,
  roots: readonly string[],
  method: Method,
  allowed: readonly Range[],
): RequestPlan | undefined {
  const url = urlOf(settings, roots, allowed);
  const headers = headersOf(settings.section("headers"), roots);
  const chosen = settings.word("method", methods) ?? method;
  return url === undefined ? undefined : { method: chosen, url, headers };
}

function urlOf(
  settings: Settings,
  roots: readonly string[],
  allowed: readonly Range[],
): RequestPlan["url"] | undefined {
  const text = settings.bound("url");
  if (text === undefined) return settings.has("url") ? undefined : settings.fault("url is missing");
  // A secret is no template: nothing of it may be told, and it may hold braces.
  const template = compileUrl(text.secret ? text.reveal().replace(/[{}]/g, "$&$&") : text.reveal(), roots);
  if ("fault" in template) {
    const what = text.secret ? "the value is no http:// or https:// address" : template.fault;
    return settings.fault(`url: ${what}`, "url");
  }
  const host = new URL(template.origin).hostname.replace(/^\[|\]$/g, "");
  if (parseAddress(host) !== undefined && !mayReach(host, allowed)) {
    const hint = "name it in allow where it is meant";
    const message = text.secret ? "url: its address is not public" : `url: ${host} is not a public address`;
    return settings.fault(message, "url", "binding.invalid", hint);
  }
  return text.secret ? text : template;
}

function headersOf(settings: Settings | undefined, roots: readonly string[]): RequestPlan["headers"] {
  const headers = new Map<string, TextTemplate | BoundText>();
  for (const name of settings?.names() ?? []) {
    const text = settings?.bound(name);
    const key = name.toLowerCase();
    if (!headerName.pattern.test(name)) settings?.fault(`expected ${headerName.expected}`, name);
    else if (ownHeaders.has(key)) settings?.fault(`${key} is not for a binding to say`, name);
    else if (headers.has(key)) settings?.fault(`${key} is said twice`, name);
    if (text === undefined) continue;
    if (!headerValue.test(text.reveal()))
      settings?.fault("a header has no line breaks, and ASCII alone", name);
    const template = text.secret ? text : compileText(text.reveal(), roots);
    if ("fault" in template) settings?.fault(template.fault, name);
    else headers.set(key, template);
  }
  return headers;
}

function bodyOf(settings: Settings): Json | undefined {
  const body = settings.value("body");
  if (body === undefined) return undefined;
  for (const [at, fault] of bodyFaults(body, ofInvocation, pointerTo(settings.pointer, "body"))) {
    settings.faultAt(at, fault);
  }
  return body;
}

function idempotencyOf(settings: Settings): string | null {
  if (settings.value("idempotencyHeader") === null) return null;
  return (settings.text("idempotencyHeader", headerName) ?? "idempotency-key").toLowerCase();
}

function handleOf(settings: Settings | undefined): HandlePlace {
  const header = settings?.text("header", headerName)?.toLowerCase();
  const body = settings?.text("body", pointer) ?? "/handle";
  const lastSegment = settings?.flag("lastSegment", false) ?? false;
  if (header !== undefined && settings?.has("body")) settings.fault("expected header or body, not both");
  settings?.done();
  return { header, body, lastSegment };
}

function askOf(
  settings: Settings | undefined,
  method: Method,
  inherited: RequestPlan["headers"] | undefined,
  allowed: readonly Range[],
): RequestPlan | undefined {
  const request = settings && requestOf(settings, ofQuestion, method, allowed);
  const own = settings?.has("headers") ?? false;
  settings?.done();
  return request === undefined || own ? request : { ...request, headers: inherited ?? new Map() };
}

function inspectOf(
  settings: Settings | undefined,
  inherited: RequestPlan["headers"] | undefined,
  allowed: readonly Range[],
): InspectPlan | undefined {
  if (settings === undefined) return undefined;
  const place = (name: string): string => settings.text(name, pointer) ?? `/${name}`;
  const places = {
    status: place("status"),
    outcome: place("outcome"),
    output: place("output"),
    error: place("error"),
    words: wordsOf(settings.section("words")),
    notFound: statusesOf(settings),
  };
  const request = askOf(settings, "GET", inherited, allowed);
  return request && { ...request, ...places };
}

function wordsOf(settings: Settings | undefined): ReadonlyMap<string, InspectWord> {
  const words = new Map<string, InspectWord>();
  for (const name of settings?.names() ?? []) {
    const word = settings?.word(name, inspectWords);
    if (word !== undefined) words.set(name, word);
  }
  return words;
}

function statusesOf(settings: Settings): readonly number[] {
  const value = settings.value("notFound") ?? [];
  const sound =
    Array.isArray(value) && value.every((one) => Number.isInteger(one) && one >= 400 && one < 500);
  if (sound) return value as readonly number[];
  settings.fault("notFound: expected a list of statuses from 400 to 499", "notFound");
  return [];
}

function callbackOf(settings: Settings | undefined): CallbackPlan | undefined {
  if (settings === undefined) return undefined;
  const url = settings.text("url", {
    expected: "an http:// or https:// address",
    pattern: /^https?:\/\/[\x21-\x7e]+$/,
  });
  const ttlMs = settings.integer("ttlMs", 1_000, 31_536_000_000, 86_400_000);
  const section = settings.section("key");
  const id = section?.text("id", { expected: "1..32 of A-Z a-z 0-9 _ -", pattern: /^[A-Za-z0-9_-]{1,32}$/ });
  const secret = section?.bound("secret")?.reveal();
  if (secret !== undefined && Buffer.byteLength(secret) < 32) {
    section?.fault("secret: a key has at least 32 bytes", "secret");
  }
  section?.done();
  settings.done();
  if (url === undefined) return settings.has("url") ? undefined : settings.fault("url is missing");
  const key = id === undefined || secret === undefined ? undefined : { id, secret };
  if (section !== undefined && key === undefined) section.fault("a key has an id and a secret");
  return { url, key, ttlMs };
}

function rangesOf(settings: Settings): readonly Range[] {
  const ranges: Range[] = [];
  for (const text of settings.texts("allow") ?? []) {
    const range = parseRange(text);
    if (range === undefined)
      settings.fault(`allow: expected addresses such as 10.1.0.0/16, not ${text}`, "allow");
    else ranges.push(range);
  }
  return ranges;
}

function redirectsOf(settings: Settings | undefined): HttpAction["redirects"] {
  const max = settings?.integer("max", 0, 10, 0) ?? 0;
  const to = (settings?.texts("to") ?? []).flatMap((text) => {
    const origin = URL.canParse(text) ? new URL(text).origin : "null";
    if (/^https?:/.test(origin)) return [origin];
    settings?.fault(`to: expected origins such as https://host, not ${text}`, "to");
    return [];
  });
  settings?.done();
  return { max, to };
}
