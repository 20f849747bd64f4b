/**
 * The strict JSON reader of the house: RFC 8259 and nothing more, with duplicate keys, lone surrogates, numbers that
 * would be rounded, excessive depth and size refused. Keys are data, whatever they are called. Linear in the input,
 * never recursive; every finding has a place and a JSON Pointer. Spec: DEF-json-reader, DEF-json-limits.
 */
import type { Diagnostic, Outcome, Place } from "./diagnostic.js";
import type { Json } from "./json.js";
import { parseJson, type Shape } from "./json-parser.js";
import { defaultMaxBytes, depthLimit } from "./limits.js";
import type { NumberDomain } from "./number-token.js";
import { decodePrefix, decodeUtf8, Lines } from "./text.js";

export interface ReadJsonOptions {
  /** How findings name the source. */
  readonly file: string;
  /** Default `binary64`. */
  readonly numbers?: NumberDomain;
  /** Nesting of arrays and objects; default 128, at most 1,000. */
  readonly maxDepth?: number;
  /** Bytes, or UTF-16 code units when the source is a string; default 64 MiB. */
  readonly maxBytes?: number;
}

export interface JsonDocument {
  readonly value: Json;
  /**
   * Where the value at a JSON Pointer stands: its key for a member, its first character for an element or the whole.
   * `undefined` when there is no such value. The first call scans the source once more; nothing is kept before it.
   */
  placeOf(pointer: string): Place | undefined;
}

/**
 * Reads one JSON document. A byte order mark at its beginning is dropped, and columns count without it. Codes:
 * `json.encoding` (not UTF-8), `json.too-large`, `json.syntax`, `json.duplicate-key`, `json.lone-surrogate`,
 * `json.number-range`, `json.too-deep`; `json.not-json` for a source that is neither text nor bytes.
 */
export function readJson(source: string | Uint8Array, options: ReadJsonOptions): Outcome<JsonDocument> {
  const { file } = options;
  const limit = options.maxBytes ?? defaultMaxBytes;
  if (typeof source !== "string" && !ArrayBuffer.isView(source)) {
    const message = "a document is read from a text or from bytes (a Uint8Array)";
    return refused("json.not-json", message, { file, line: 1, column: 1 });
  }
  if (source.length > limit) {
    const message = `the document has ${source.length} ${typeof source === "string" ? "characters" : "bytes"}; at most ${limit} are read`;
    return refused("json.too-large", message, { file, line: 1, column: 1 });
  }
  const text = typeof source === "string" ? source : decodeUtf8(source);
  if (typeof text === "object" && "invalidAt" in text)
    return notUtf8(source as Uint8Array, text.invalidAt, file);
  const json = withoutMark(typeof text === "string" ? text : text.text);
  const settings = {
    numbers: options.numbers ?? "binary64",
    maxDepth: depthLimit(options.maxDepth),
  } as const;
  const lines = new Lines(file, json);
  const parsed = parseJson(json, { ...settings, shape: false });
  if (parsed.problems.length > 0) {
    const findings = parsed.problems.map(({ offset, ...problem }): Diagnostic => {
      return { ...problem, severity: "error", place: lines.place(offset) };
    });
    return { ok: false, findings };
  }
  let shape: Shape | undefined;
  const placeOf = (pointer: string): Place | undefined => {
    shape ??= parseJson(json, { ...settings, shape: true }).shape;
    const offset = shape && offsetOf(shape, pointer);
    return offset === undefined ? undefined : lines.place(offset);
  };
  return { ok: true, value: { value: parsed.value, placeOf }, findings: [] };
}

/** Editors on Windows begin UTF-8 with one; RFC 8259 (8.1) lets a reader pass over it. */
function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** The reference tokens of a JSON Pointer, unescaped; `undefined` when it is none. */
export function pointerSegments(pointer: string): readonly string[] | undefined {
  if (pointer === "") return [];
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function offsetOf(root: Shape, pointer: string): number | undefined {
  let shape: Shape | undefined = root;
  for (const segment of pointerSegments(pointer) ?? [undefined]) {
    if (segment === undefined || shape.children === undefined) return undefined;
    if (shape.children instanceof Map) shape = shape.children.get(segment);
    else shape = /^(0|[1-9][0-9]*)$/.test(segment) ? shape.children[Number(segment)] : undefined;
    if (shape === undefined) return undefined;
  }
  return shape.offset;
}

function notUtf8(bytes: Uint8Array, at: number, file: string): Outcome<never> {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (utf16) {
    const place = { file, line: 1, column: 1 };
    return refused("json.encoding", "the document is UTF-16; only UTF-8 is read", place, "save it as UTF-8");
  }
  const before = decodePrefix(bytes, at);
  const byte = (bytes[at] ?? 0).toString(16).padStart(2, "0");
  const message = `byte 0x${byte} at offset ${at} is not part of a UTF-8 character`;
  return refused("json.encoding", message, new Lines(file, before).place(before.length), "save it as UTF-8");
}

function refused(code: Diagnostic["code"], message: string, place: Place, hint?: string): Outcome<never> {
  const finding: Diagnostic = { code, severity: "error", message, pointer: "", place, ...(hint && { hint }) };
  return { ok: false, findings: [finding] };
}
