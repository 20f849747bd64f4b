/**
 * What a response means. A status is the server's word about the request; a 5xx is no word about its effect, and is
 * read as a thrown error is. What a binding says of a status goes first. Spec: INV-call-status.
 */
import { isJsonObject, type Json, own, pointerSegments } from "@swl/base";
import type { Secrets } from "../bindings/secrets.js";
import type { ProviderAnswer } from "../provider.js";
import { acceptedAs, readAnswer } from "../reading/answer-document.js";
import { brokenOff, failed, mayRepeat, unreadable } from "../reading/ending.js";
import { readForeign } from "../reading/foreign.js";
import type { Meaning } from "../reading/meaning.js";
import type { Exchange } from "./exchange.js";
import type { HttpAction } from "./plan.js";

export type Response = Extract<Exchange, { readonly kind: "response" }>;

export interface HttpCall {
  readonly action: string;
  readonly effect: string;
  readonly secrets: Secrets;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Statuses that say that the request was not taken, and may be sent again. */
const retryable: ReadonlySet<number> = new Set([408, 425, 429, 503]);
/** Redirects after which the request may have been served already. */
const ambiguous: ReadonlySet<number> = new Set([300, 301, 302, 303, 304, 305, 306]);

export function answerOfResponse(response: Response, plan: HttpAction, call: HttpCall): ProviderAnswer {
  const { status } = response;
  const said = saidOf(response, plan, call);
  // A server that speaks in documents says itself what a failure is.
  if (status >= 400 && said?.kind === "failed" && plan.answer === "document") return said;
  const meaning = plan.statuses.get(String(status)) ?? plan.statuses.get(`${Math.floor(status / 100)}xx`);
  return meaning === undefined ? byStatus(response, plan, call) : byMeaning(meaning, response, plan, call);
}

function byMeaning(meaning: Meaning, response: Response, plan: HttpAction, call: HttpCall): ProviderAnswer {
  switch (meaning.kind) {
    case "outcome":
      return completed(meaning.outcome, response, plan, call);
    case "failed":
      return reported(response, meaning.retryable, plan, call, meaning.code);
    case "accepted":
      return accepted(response, plan, call);
    case "unknown":
      return { kind: "unknown", reason: "crash", message: sentence(response, call) };
  }
}

function byStatus(response: Response, plan: HttpAction, call: HttpCall): ProviderAnswer {
  const { status } = response;
  if (status === 202 && plan.answer === "output") return accepted(response, plan, call);
  if (status >= 200 && status < 300) return completed("ok", response, plan, call);
  if (retryable.has(status)) return reported(response, true, plan, call);
  if (ambiguous.has(status) && !mayRepeat(call.effect)) {
    return { kind: "unknown", reason: "ack-lost", message: sentence(response, call) };
  }
  if (status >= 300 && status < 500) return reported(response, false, plan, call);
  const details = detailsOf(response, call);
  const message = sentence(response, call);
  return brokenOff({ effect: call.effect, reason: "crash", code: "provider.status", message, details });
}

function sentence({ status }: Response, { action }: HttpCall): string {
  return `the server of action ${action} answered with status ${status}`;
}

/** The outcome is known; a body that cannot be read leaves the output unknown. */
function completed(outcome: string, response: Response, plan: HttpAction, call: HttpCall): ProviderAnswer {
  const { bodyIs, body } = response;
  const what = sentence(response, call);
  if (bodyIs === "cut") {
    return {
      kind: "unknown",
      reason: "ack-lost",
      message: `${what}, and the connection was lost in its body`,
    };
  }
  if (bodyIs === "too-large") {
    return unreadable(`${what} and more than ${plan.maxResponseBytes} bytes`, call.effect);
  }
  if (plan.answer === "document" && response.status < 300) {
    const said = readAnswer(textOf(response, plan, call));
    return said.ok ? said.answer : unreadable(`${what} and no answer document: ${said.why}`, call.effect);
  }
  if (body.length === 0) return { kind: "completed", outcome, output: null };
  const read = readForeign(textOf(response, plan, call));
  if (!read.ok) return unreadable(`${what} and a body that is no JSON: ${read.why}`, call.effect);
  return { kind: "completed", outcome, output: read.value };
}

/** Without a handle the operation cannot be found again: what became of it is not known, whatever the effect. */
function accepted(response: Response, plan: HttpAction, call: HttpCall): ProviderAnswer {
  const { header, body, lastSegment } = plan.handle;
  const found =
    header === undefined
      ? at(bodyOf(response, plan, call), body)
      : own(response.headers as { [name: string]: Json }, header);
  const handle =
    lastSegment && typeof found === "string" ? found.replace(/\/+$/, "").split("/").at(-1) : found;
  const said = acceptedAs(typeof handle === "number" ? String(handle) : handle);
  if (said.ok) return call.secrets.scrubbed(said.answer);
  const message = `${sentence(response, call)} and no handle of the operation: ${said.why}`;
  return { kind: "unknown", reason: "ack-lost", message };
}

function reported(
  response: Response,
  again: boolean,
  plan: HttpAction,
  call: HttpCall,
  code?: string,
): ProviderAnswer {
  const body = bodyOf(response, plan, call);
  const problem = isJsonObject(body) ? body : {};
  const { code: theirs, title, detail, message } = problem;
  const words = [title, detail ?? message].filter((word) => typeof word === "string" && word !== "");
  const named = typeof theirs === "string" && /^[a-z0-9][a-z0-9.-]{0,63}$/.test(theirs) ? theirs : undefined;
  const said = [sentence(response, call), ...words].join(": ");
  return failed(code ?? named ?? "provider.status", said, again, detailsOf(response, call));
}

function detailsOf({ status, headers }: Response, { now }: HttpCall): Json {
  const wait = retryAfter(headers["retry-after"], now);
  return { status, ...(wait !== undefined && { retryAfterMs: wait }) };
}

/** Seconds or a date, as milliseconds from now; at most a day. */
function retryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const wait = /^[0-9]{1,9}$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isFinite(wait) ? Math.min(Math.max(0, Math.round(wait)), 86_400_000) : undefined;
}

function saidOf(response: Response, plan: HttpAction, call: HttpCall): ProviderAnswer | undefined {
  if (plan.answer !== "document" || response.bodyIs !== "whole") return undefined;
  const said = readAnswer(textOf(response, plan, call));
  return said.ok ? said.answer : undefined;
}

/** The body where it is JSON. */
export function bodyOf(
  response: Response,
  plan: HttpAction,
  call: Pick<HttpCall, "secrets">,
): Json | undefined {
  if (response.bodyIs !== "whole" || response.body.length === 0) return undefined;
  const read = readForeign(textOf(response, plan, call));
  return read.ok ? read.value : undefined;
}

function textOf(
  { body }: Response,
  { maxResponseBytes: maxBytes }: HttpAction,
  { secrets }: Pick<HttpCall, "secrets">,
) {
  return { bytes: body, maxBytes, secrets };
}

/** The value at a JSON Pointer, by own properties. */
export function at(value: Json | undefined, pointer: string): Json | undefined {
  let found = value;
  for (const segment of pointerSegments(pointer) ?? []) {
    if (Array.isArray(found))
      found = /^(0|[1-9][0-9]{0,9})$/.test(segment) ? found[Number(segment)] : undefined;
    else found = isJsonObject(found) ? own(found, segment) : undefined;
  }
  return found;
}
