/**
 * Path, query and the two headers that a route takes: each parameter once, none that the route does not have.
 * Spec: INV-http-routes.
 */
import { type Json, SwlError, setOwn } from "@swl/base";
import type { z } from "zod";
import { checked } from "./body.js";
import type { HeaderSource } from "./call.js";

/** Longest wait of one request, in seconds: longer ones are asked for again. */
export const longestWait = 60;

/** Throws `request.invalid` for a parameter that comes twice, is unknown or has a wrong value. */
export function queryOf<S extends z.ZodType>(url: string, schema: S | undefined): z.infer<S> {
  const start = url.indexOf("?");
  const given: { [name: string]: Json } = {};
  if (start >= 0) {
    for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
      if (Object.hasOwn(given, name)) throw invalid(`Query parameter ${shown(name)} is given twice.`);
      if (value.includes("\0") || value.includes("\ufffd")) {
        throw invalid(`Query parameter ${shown(name)} is no well-formed text without NUL.`);
      }
      setOwn(given, name, value);
    }
  }
  if (schema !== undefined) return checked(schema, given, "query");
  const [first] = Object.keys(given);
  if (first !== undefined) throw invalid(`This route takes no query parameter ${shown(first)}.`);
  return {} as z.infer<S>;
}

/** The request ID that `Idempotency-Key` gives; undefined when it is absent. Throws `request.invalid`. */
export function keyOf(headers: HeaderSource): string | undefined {
  const key = headers.get("idempotency-key");
  if (key === null) return undefined;
  // The draft writes it as a string of structured fields, in quotes; people write it bare.
  const bare = /^"(.*)"$/.exec(key)?.[1] ?? key;
  if (!/^[\x21-\x7e]{1,200}$/.test(bare)) {
    throw invalid("Idempotency-Key must be 1 to 200 printable ASCII characters without spaces.");
  }
  return bare;
}

/** Milliseconds that `Prefer: wait=N` asks for, at most `longestWait` seconds; 0 when it asks for none. */
export function waitOf(headers: HeaderSource): number {
  const prefer = headers.get("prefer");
  if (prefer === null) return 0;
  for (const preference of prefer.split(",")) {
    const wait = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(;.*)?$/i.exec(preference)?.[1];
    if (wait !== undefined) return Math.min(Number(wait), longestWait) * 1_000;
    // RFC 7240: a preference that is not understood is ignored; a wait that is none is a mistake worth telling.
    if (/^\s*wait\b/i.test(preference)) throw invalid("Prefer: wait must be a whole number of seconds.");
  }
  return 0;
}

/** A parameter of the path. Throws `request.invalid`. */
export function segment(name: string, value: string): string {
  if (value.length >= 1 && value.length <= 2_048 && !/[\0\p{Surrogate}]/u.test(value)) return value;
  throw invalid(`The ${name} in the path must be 1 to 2,048 characters of text.`);
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 64));
}

function invalid(message: string): SwlError {
  return new SwlError("request.invalid", message);
}
