/**
 * How a document becomes bytes and back: canonical JSON in UTF-8, then the codec. The bytes are the isolation: what a
 * caller does to a document after the call never reaches the store, and every read gives a fresh value.
 * Spec: STO-documents.
 */
import { canonicalize, isSwlError, type Json } from "@swl/base";
import type { Codec } from "./contract.js";
import { failure, type StoreFailure, storeError } from "./failure.js";

/** Stores canonical JSON as it is. */
export const plainCodec: Codec = {
  name: "plain",
  encode: (bytes) => bytes,
  decode: (bytes) => bytes,
};

export interface Documents {
  /**
   * The bytes to store, or why the document cannot be stored: `incompatible` when it is not JSON, `quota` when it is
   * longer than `documentBytes`. Throws `store.unavailable` when the codec fails (nothing has been written then).
   */
  encode(document: unknown): Uint8Array | StoreFailure;
  /** Throws `store.corrupt` when the bytes are not what `encode` wrote. */
  decode(bytes: Uint8Array): Json;
}

const toBytes = new TextEncoder();
const toText = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function createDocuments(codec: Codec, documentBytes: number): Documents {
  return {
    encode(document) {
      let text: string;
      try {
        text = canonicalize(document as Json);
      } catch (error) {
        if (!isSwlError(error)) throw error;
        return failure("incompatible", `A document is not JSON: ${error.message}`);
      }
      const bytes = runCodec(codec, "encode", utf8(text));
      if (bytes.byteLength > documentBytes) {
        return failure(
          "quota",
          `A document has ${bytes.byteLength} bytes; the store takes at most ${documentBytes}.`,
        );
      }
      return bytes;
    },
    decode(bytes) {
      const plain = runCodec(codec, "decode", bytes);
      try {
        return JSON.parse(toText.decode(plain)) as Json;
      } catch (error) {
        throw storeError("corrupt", `A stored document is not JSON (codec "${codec.name}").`, error);
      }
    },
  };
}

/** A codec may work in place, and give the same buffer again: what it is given and gives is copied. */
function runCodec(codec: Codec, way: "encode" | "decode", bytes: Uint8Array): Uint8Array {
  if (codec === plainCodec) return bytes;
  let cause: unknown;
  try {
    const made: unknown = codec[way](way === "decode" ? new Uint8Array(bytes) : bytes);
    if (Object.prototype.toString.call(made) === "[object Uint8Array]") {
      return new Uint8Array(made as Uint8Array);
    }
  } catch (error) {
    cause = error;
  }
  const kind = way === "encode" ? "unavailable" : "corrupt";
  throw storeError(kind, `The codec "${codec.name}" could not ${way} a document.`, cause);
}

/** Short documents share a piece of memory: one of its own for each would cost more than its bytes. */
const piece = 16_384;
const longestShared = 4_096;
let shared = new Uint8Array(0);
let used = 0;

function utf8(text: string): Uint8Array {
  // No character of a string is longer than three bytes.
  if (text.length > longestShared) return toBytes.encode(text);
  if (used + text.length * 3 > shared.byteLength) {
    shared = new Uint8Array(piece);
    used = 0;
  }
  const { written } = toBytes.encodeInto(text, shared.subarray(used));
  const bytes = shared.subarray(used, used + written);
  used += written;
  return bytes;
}

/** True for what `encode` answers when it refuses. */
export function isFailure(value: object): value is StoreFailure {
  return "kind" in value && "retry" in value;
}
