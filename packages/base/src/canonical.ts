/**
 * Canonical JSON (RFC 8785): one text for one value, whatever the order of its keys. Together with SHA-256 it is what
 * every identity in the house rests on. Spec: DEF-identity.
 */
import { raise, SwlError } from "./error.js";
import type { Json, JsonObject } from "./json.js";
import { hardMaxDepth } from "./limits.js";
import { sha256 } from "./sha256.js";
import { loneSurrogate } from "./text.js";
import { isPlainObject, toJson } from "./to-json.js";

/**
 * The canonical text of a value. Throws `json.lone-surrogate`, `json.not-json` or, beyond 1,000 levels,
 * `json.too-deep`; the error's pointer says where.
 */
export function canonicalize(value: Json): string {
  const text = written(value);
  if (text !== undefined) return text;
  const checked = toJson(value, { maxDepth: hardMaxDepth });
  if (checked.ok) throw new SwlError("json.not-json", "the value changed while it was read");
  const first = checked.findings[0]!;
  raise(first.code, "the value has no canonical form", checked.findings);
}

/** `sha256:` and the hex digest of the canonical text in UTF-8. Throws as `canonicalize` does. */
export function contentDigest(value: Json): string {
  return `sha256:${sha256(canonicalize(value))}`;
}

/** What throws when it is looked at is no JSON either. */
function written(value: Json): string | undefined {
  try {
    return write(value, 0);
  } catch {
    return undefined;
  }
}

/** `undefined` when something in the value is not JSON; the slow path then says what. */
function write(value: Json, depth: number): string | undefined {
  if (typeof value === "string") return writeText(value);
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value === "boolean") return value ? "true" : "false";
  if (value === null) return "null";
  if (typeof value !== "object" || depth >= hardMaxDepth) return undefined;
  if (Array.isArray(value)) return writeArray(value, depth + 1);
  return isPlainObject(value) ? writeObject(value as JsonObject, depth + 1) : undefined;
}

/** Printable ASCII without quotes and backslashes stands for itself. */
const plain = /^[ !#-[\]-~]*$/;

function writeText(text: string): string | undefined {
  if (plain.test(text)) return `"${text}"`;
  return loneSurrogate.test(text) ? undefined : JSON.stringify(text);
}

function writeArray(items: readonly Json[], depth: number): string | undefined {
  let text = "[";
  for (let index = 0; index < items.length; index++) {
    const item = write(items[index]!, depth);
    if (item === undefined) return undefined;
    text += index === 0 ? item : `,${item}`;
  }
  return `${text}]`;
}

function writeObject(object: JsonObject, depth: number): string | undefined {
  let text = "{";
  for (const key of sorted(Object.keys(object))) {
    const name = names.get(key) ?? writeName(key);
    const member = write(object[key]!, depth);
    if (name === undefined || member === undefined) return undefined;
    text += text.length === 1 ? `${name}${member}` : `,${name}${member}`;
  }
  return `${text}}`;
}

/** Names that were written before, with their colon: the same few come again and again. */
const names = new Map<string, string>();
const mostNames = 1_000;
const longestName = 64;

function writeName(key: string): string | undefined {
  const text = writeText(key);
  if (text === undefined) return undefined;
  const name = `${text}:`;
  if (key.length <= longestName && names.size < mostNames) names.set(key, name);
  return name;
}

/** By UTF-16 code units, which is what RFC 8785 asks for and what `<` and the default `sort` go by. In place. */
function sorted(keys: string[]): string[] {
  // Few keys, mostly in order: put in their places by hand quicker than `sort` can be called.
  if (keys.length > 32) return keys.sort();
  for (let index = 1; index < keys.length; index++) {
    const key = keys[index]!;
    let place = index;
    while (place > 0 && key < keys[place - 1]!) {
      keys[place] = keys[place - 1]!;
      place--;
    }
    keys[place] = key;
  }
  return keys;
}
