/**
 * A request's body: cut off where it is longer than it may be, read as strict JSON, held to its schema with a pointer to
 * what is wrong. A declared length that is too long is refused before a byte is read. Spec: INV-http-body.
 */
import type { IncomingMessage } from "node:http";
import { isJsonObject, type Json, raise, readJson, SwlError } from "@swl/base";
import type { z } from "zod";
import type { HeaderSource } from "./call.js";
import { findingsOf } from "./findings.js";

/** The body as JSON. Throws `server.too-large`, `server.media-type`, `json.…`. */
export async function readBody(
  request: Request,
  headers: HeaderSource,
  incoming: IncomingMessage | undefined,
  limit: number,
): Promise<Json> {
  const type = headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)) {
    throw new SwlError("server.media-type", "The body must be application/json in UTF-8.");
  }
  if (headers.has("content-encoding")) {
    throw new SwlError("server.media-type", "The body must not be compressed.");
  }
  if (Number(headers.get("content-length") ?? "0") > limit) throw tooLarge(limit);
  const bytes =
    incoming === undefined ? new Uint8Array(await request.arrayBuffer()) : await collected(incoming, limit);
  if (bytes.byteLength > limit) throw tooLarge(limit);
  const read = readJson(bytes, { file: "body", maxBytes: limit });
  if (!read.ok) raise(read.findings[0]?.code ?? "json.syntax", "The body cannot be read", read.findings);
  return read.value.value;
}

/** Throws `request.invalid` with a finding for each fault. */
export function checked<S extends z.ZodType>(schema: S, value: Json, what: string): z.infer<S> {
  if (!isJsonObject(value))
    throw new SwlError("request.invalid", `The ${what} must be an object.`, { pointer: "" });
  const outcome = schema.safeParse(value);
  if (outcome.success) return outcome.data;
  const findings = findingsOf(outcome.error.issues);
  const [{ message, pointer, hint }] = findings;
  throw new SwlError("request.invalid", `The ${what} is not what this operation takes: ${message}`, {
    pointer,
    findings,
    ...(hint !== undefined && { hint }),
  });
}

/** Counted while it comes, whatever length it declared. */
function collected(incoming: IncomingMessage, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    const onData = (part: Buffer): void => {
      length += part.length;
      parts.push(part);
      if (length > limit) finish(() => reject(tooLarge(limit)));
    };
    const onEnd = (): void => finish(() => resolve(parts.length === 1 ? parts[0]! : Buffer.concat(parts)));
    const onGone = (): void =>
      finish(() => reject(new SwlError("server.too-slow", "The request ended before its body did.")));
    const finish = (settle: () => void): void => {
      incoming.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
      settle();
    };
    incoming.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  });
}

function tooLarge(limit: number): SwlError {
  return new SwlError("server.too-large", `A body may have ${limit} bytes here.`, { details: { limit } });
}
