/**
 * Bytes to text. SWL-DOT is UTF-8: a byte order mark is read and dropped, UTF-16 and everything else is refused with
 * the place of the first wrong byte, and so is NUL. Spec: DOT-encoding.
 */
import type { Diagnostic, Outcome } from "@swl/base";
import { failure } from "./finding.js";
import { lineIndex } from "./lines.js";

const hint = "save the file as UTF-8";

/** How much of the bytes is certainly UTF-8: the longest prefix that a fatal decoder lets through. */
function validPrefix(bytes: Uint8Array): string {
  const decode = (length: number): string | undefined => {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, length), { stream: true });
    } catch {
      return undefined;
    }
  };
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (decode(middle) === undefined) bad = middle;
    else good = middle;
  }
  return decode(good) ?? "";
}

function refused(file: string, before: string, message: string): Outcome<string> {
  const finding: Diagnostic = failure("dot.encoding", message, lineIndex(file, before).at(before.length), {
    hint,
  });
  return { ok: false, findings: [finding] };
}

function decodeBytes(bytes: Uint8Array, file: string): Outcome<string> {
  const [first, second] = bytes;
  const marked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (marked || (bytes.length >= 2 && (first === 0) !== (second === 0))) {
    return refused(file, "", "this file is UTF-16, SWL-DOT is UTF-8");
  }
  try {
    return { ok: true, value: new TextDecoder("utf-8", { fatal: true }).decode(bytes), findings: [] };
  } catch {
    return refused(file, validPrefix(bytes), "the byte here is not part of valid UTF-8");
  }
}

/** The text of a DOT file without its byte order mark, or the finding that says where it is not UTF-8. */
export function decodeDot(source: string | Uint8Array, file: string): Outcome<string> {
  const decoded =
    typeof source === "string"
      ? { ok: true as const, value: source, findings: [] }
      : decodeBytes(source, file);
  if (!decoded.ok) return decoded;
  const text = decoded.value.startsWith("\uFEFF") ? decoded.value.slice(1) : decoded.value;
  const nul = text.indexOf("\0");
  if (nul >= 0) return refused(file, text.slice(0, nul), "a NUL character cannot stand in SWL-DOT");
  // The first pattern is quick, and most texts have no surrogates at all.
  const lone = /[\ud800-\udfff]/.test(text) ? text.search(/\p{Surrogate}/u) : -1;
  if (lone >= 0) return refused(file, text.slice(0, lone), "a lone surrogate cannot stand in SWL-DOT");
  return { ok: true, value: text, findings: [] };
}
