/**
 * Where data enters a request. A template says which value stands where; what a value is can never change what else
 * the request says: parts of a path or a query are percent-encoded, header values with line breaks refused, and
 * bodies built as JSON. Scheme and host are never from data. Spec: INV-call-templates.
 */
import { isJsonObject, type Json, own, pointerTo, quoted, setOwn } from "@swl/base";

/** What templates may name: the first word of a path. */
export type Context = { readonly [root: string]: Json };

export type Filled =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly why: string };

interface Slot {
  readonly name: string;
  readonly path: readonly string[];
}

/** Texts and slots in turn. */
export type TextTemplate = readonly (string | Slot)[];

const slotName = /^[A-Za-z][A-Za-z0-9]*(\.[A-Za-z0-9_-]+)*$/;

/** `a/{input.id}`; `{{` and `}}` are the characters themselves. What is wrong is told in words. */
export function compileText(
  text: string,
  roots: readonly string[],
): TextTemplate | { readonly fault: string } {
  const parts: (string | Slot)[] = [];
  let at = 0;
  let plain = "";
  for (const match of text.matchAll(/\{\{|\}\}|\{([^{}]*)\}|[{}]/g)) {
    plain += text.slice(at, match.index);
    at = match.index + match[0].length;
    const [whole, name] = match;
    if (whole === "{{" || whole === "}}") {
      plain += whole[0];
      continue;
    }
    if (name === undefined) return { fault: `a lone ${quoted(whole)} (write it twice where it is meant)` };
    const [root = "", ...path] = name.split(".");
    if (!slotName.test(name))
      return { fault: `${quoted(name)} is no name of a value, such as input.order.id` };
    if (!roots.includes(root)) return { fault: `${quoted(root)} is none of ${roots.join(", ")}` };
    parts.push(plain, { name, path: [root, ...path] });
    plain = "";
  }
  return [...parts, plain + text.slice(at)];
}

export function rootsOf(template: TextTemplate): readonly string[] {
  return template.flatMap((part) => (typeof part === "string" ? [] : [part.path[0]!]));
}

/** Texts, numbers and flags have a form as text; everything else is refused, and so is what is not there. */
export function fillText(template: TextTemplate, context: Context, encode: (text: string) => string): Filled {
  let text = "";
  for (const part of template) {
    if (typeof part === "string") {
      text += part;
      continue;
    }
    const value = valueAt(context, part.path);
    if (value === undefined) return { ok: false, why: `${part.name} is not there` };
    if (value === null || typeof value === "object") {
      return { ok: false, why: `${part.name} is no text, number or flag` };
    }
    text += encode(String(value));
  }
  return { ok: true, text };
}

function valueAt(context: Context, path: readonly (string | number)[]): Json | undefined {
  let value: Json | undefined = context;
  for (const segment of path) {
    if (Array.isArray(value)) value = isIndex(segment) ? value[Number(segment)] : undefined;
    else value = isJsonObject(value) ? own(value, String(segment)) : undefined;
    if (value === undefined) return undefined;
  }
  return value;
}

function isIndex(segment: string | number): boolean {
  return /^(0|[1-9][0-9]{0,9})$/.test(String(segment));
}

/** Everything but unreserved characters (RFC 3986) is encoded: a value stays inside its part. */
export function encodePart(text: string): string {
  const whole = text.replace(/\p{Surrogate}/gu, "\ufffd");
  return encodeURIComponent(whole).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

// ------------------------------------------------------------------------------------------------------- URLs

export interface UrlTemplate {
  readonly origin: string;
  readonly segments: readonly TextTemplate[];
  readonly query: TextTemplate | undefined;
}

/** `https://host/a/{input.id}?q={input.q}`: a literal origin, no user, no fragment. */
export function compileUrl(text: string, roots: readonly string[]): UrlTemplate | { readonly fault: string } {
  const [, base, path = "", query] = /^(https?:\/\/[^/?#{}\s\\]+)([^?#]*)(?:\?([^#]*))?$/i.exec(text) ?? [];
  if (base === undefined || (path !== "" && !path.startsWith("/"))) {
    return { fault: "expected http:// or https:// with a host that is written out, and no fragment" };
  }
  if (base.includes("@")) return { fault: "a user and a password stand in no URL: send them as a header" };
  const origin = URL.canParse(base) ? new URL(base).origin : undefined;
  if (origin === undefined) return { fault: "it is no URL" };
  const segments: TextTemplate[] = [];
  for (const segment of path.slice(1).split("/")) {
    const template = compileText(segment, roots);
    if ("fault" in template) return template;
    segments.push(template);
  }
  const search = query === undefined ? undefined : compileText(query, roots);
  if (search !== undefined && "fault" in search) return search;
  return { origin, segments, query: search };
}

export function fillUrl(
  template: UrlTemplate,
  context: Context,
): { readonly ok: true; readonly url: URL } | Refused {
  let text = template.origin;
  for (const segment of template.segments) {
    const filled = fillText(segment, context, encodePart);
    if (!filled.ok) return filled;
    // An empty part, "." and ".." would lead to another path.
    const steps = /^(|\.|%2e)(\.|%2e)?$/i.test(filled.text) && segment.length > 1;
    if (steps) return { ok: false, why: `a part of the path would be ${quoted(filled.text)}` };
    text += `/${filled.text}`;
  }
  const query = template.query && fillText(template.query, context, encodePart);
  if (query?.ok === false) return query;
  if (query !== undefined) text += `?${query.text}`;
  const url = new URL(text);
  return url.origin === template.origin ? { ok: true, url } : { ok: false, why: "the host would be another" };
}

type Refused = { readonly ok: false; readonly why: string };

// ------------------------------------------------------------------------------------------------------ bodies

/** Faults of a body template: an operator is the only member of its object, and its path is a list. */
export function bodyFaults(
  body: Json,
  roots: readonly string[],
  pointer: string,
): readonly (readonly [string, string])[] {
  if (Array.isArray(body))
    return body.flatMap((item, index) => bodyFaults(item, roots, pointerTo(pointer, index)));
  if (!isJsonObject(body)) return [];
  const keys = Object.keys(body);
  const operator = keys.find((key) => key.startsWith("$"));
  if (operator === undefined)
    return keys.flatMap((key) => bodyFaults(body[key]!, roots, pointerTo(pointer, key)));
  if (keys.length > 1) return [[pointer, `${quoted(operator)} stands alone in its object`]];
  if (operator === "$literal") return [];
  const path = body["$get"];
  const sound =
    Array.isArray(path) && path.every((step) => typeof step === "string" || Number.isInteger(step));
  if (!sound) return [[pointer, `expected {"$get": [root, …]} or {"$literal": …}`]];
  return roots.includes(String(path[0])) ? [] : [[pointer, `a path begins with one of ${roots.join(", ")}`]];
}

export type Built = { readonly ok: true; readonly value: Json } | Refused;

/** A body whose template has no faults. */
export function buildBody(body: Json, context: Context): Built {
  if (Array.isArray(body)) {
    const items: Json[] = [];
    for (const item of body) {
      const built = buildBody(item, context);
      if (!built.ok) return built;
      items.push(built.value);
    }
    return { ok: true, value: items };
  }
  if (!isJsonObject(body)) return { ok: true, value: body };
  if (Object.hasOwn(body, "$literal")) return { ok: true, value: body["$literal"]! };
  const path = own(body, "$get") as readonly (string | number)[] | undefined;
  if (path !== undefined) {
    const value = valueAt(context, path);
    return value === undefined ? { ok: false, why: `${path.join(".")} is not there` } : { ok: true, value };
  }
  const object: { [key: string]: Json } = {};
  for (const [key, item] of Object.entries(body)) {
    const built = buildBody(item, context);
    if (!built.ok) return built;
    setOwn(object, key, built.value);
  }
  return { ok: true, value: object };
}
