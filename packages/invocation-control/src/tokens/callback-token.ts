/**
 * Callback tokens: what lets the bearer say how one operation ended, and nothing else. A token is bound to the run, the
 * invocation and the attempt that it was made for, and ends by itself. It is signed (HMAC-SHA-256), not encrypted:
 * whoever holds it can read what it is for. Keys have names, so that they can be changed while tokens are out.
 * Spec: INV-callback-token.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { type Code, type Diagnostic, isJsonObject, type Outcome, readJson, SwlError } from "@swl/base";

/** What a token is for. */
export interface CallbackGrant {
  readonly run: string;
  readonly invocation: string;
  /** From 1. */
  readonly attempt: number;
  /** Milliseconds since the epoch; at that instant and after it the token is refused. */
  readonly expires: number;
}

export interface CallbackKey {
  /** Names the key in the tokens that it signs: 1..32 of `[A-Za-z0-9_-]`. */
  readonly id: string;
  /** At least 32 bytes; as text, its UTF-8 bytes. */
  readonly secret: string | Uint8Array;
}

/** Characters that a token has at most; a longer text is none. */
export const maxTokenLength = 2_048;

const minSecretBytes = 32;
const prefix = "swl1";
const domain = "swl.callback/1\n";

/** A token for one operation. Throws `binding.invalid` for a key that is too short or has no usable name. */
export function signCallback(grant: CallbackGrant, key: CallbackKey): string {
  checkKey(key);
  const { run, invocation, attempt, expires } = grant;
  const body = Buffer.from(JSON.stringify({ run, invocation, attempt, expires })).toString("base64url");
  const signed = `${prefix}.${key.id}.${body}`;
  return `${signed}.${mac(signed, key).toString("base64url")}`;
}

/**
 * What the token grants at the instant `now` (milliseconds since the epoch), or `token.invalid` (not of this form, an
 * unknown key, a wrong signature: never said which) or `token.expired`. Takes the same time wherever a signature is
 * wrong. Throws `binding.invalid` for unusable keys.
 */
export function verifyCallback(
  token: string,
  keys: readonly CallbackKey[],
  now: number,
): Outcome<CallbackGrant> {
  for (const key of keys) checkKey(key);
  if (typeof token !== "string" || token.length > maxTokenLength) return refused("token.invalid", invalid);
  const parts = token.split(".");
  const [version, id, body, signature] = parts;
  const key = keys.find((candidate) => candidate.id === id);
  if (parts.length !== 4 || version !== prefix || key === undefined || body === undefined) {
    return refused("token.invalid", invalid);
  }
  const expected = mac(`${prefix}.${key.id}.${body}`, key).toString("base64url");
  if (!sameText(expected, signature ?? "")) return refused("token.invalid", invalid);
  const grant = grantOf(body);
  if (grant === undefined) return refused("token.invalid", invalid);
  if (now >= grant.expires) return refused("token.expired", "the callback token has expired");
  return { ok: true, value: grant, findings: [] };
}

const invalid = "this is no callback token that was signed here";

/** Only a body that was signed here is read. */
function grantOf(body: string): CallbackGrant | undefined {
  const read = readJson(Buffer.from(body, "base64url"), { file: "token" });
  if (!read.ok || !isJsonObject(read.value.value)) return undefined;
  const { run, invocation, attempt, expires } = read.value.value;
  if (typeof run !== "string" || typeof invocation !== "string") return undefined;
  if (typeof attempt !== "number" || typeof expires !== "number") return undefined;
  return { run, invocation, attempt, expires };
}

function mac(signed: string, { secret }: CallbackKey): Buffer {
  return createHmac("sha256", secret)
    .update(domain + signed)
    .digest();
}

function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function checkKey({ id, secret }: CallbackKey): void {
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(id)) {
    throw new SwlError("binding.invalid", "the name of a callback key is 1..32 of A-Z a-z 0-9 _ -");
  }
  const bytes = typeof secret === "string" ? Buffer.byteLength(secret) : secret.byteLength;
  if (bytes < minSecretBytes) {
    throw new SwlError("binding.invalid", `callback key ${id} has fewer than ${minSecretBytes} bytes`);
  }
}

function refused(code: Code, message: string): Outcome<never> {
  const finding: Diagnostic = { code, severity: "error", message, pointer: "" };
  return { ok: false, findings: [finding] };
}
