/**
 * JSON from outside this process: read strictly, with the values that bindings took from the environment kept out of it
 * before anything is quoted, cut or kept. Spec: INV-secret-references.
 */
import { type Json, readJson } from "@swl/base";
import type { Secrets } from "../bindings/secrets.js";

export type Foreign =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly why: string };

/** Bytes and how they are read. */
export interface ForeignText {
  readonly bytes: Uint8Array;
  readonly maxBytes: number;
  readonly secrets: Secrets;
}

export function readForeign({ bytes, maxBytes, secrets }: ForeignText): Foreign {
  const read = readJson(cleanText(bytes, secrets), { file: "answer", maxBytes: maxBytes + markBytes });
  if (read.ok) return { ok: true, value: secrets.scrubbed(read.value.value) };
  const [first] = read.findings;
  return { ok: false, why: first === undefined ? "it cannot be read" : `${first.code}: ${first.message}` };
}

/** What stands in the place of a secret may be longer than it. */
const markBytes = 1_048_576;

function cleanText(bytes: Uint8Array, secrets: Secrets): Uint8Array | string {
  if (!secrets.any) return bytes;
  try {
    return secrets.scrub(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    // It is no UTF-8: the reader says so, and quotes nothing of it.
    return bytes;
  }
}
