/**
 * Known failures: a file, checked in beside a subject, that says which cases it does not pass yet and why. It hides
 * nothing: a listed case that passes is a failure too, and so is a listed case that does not exist.
 * Spec: CNF-known-failures.
 */
import { type Diagnostic, type Outcome, pointerTo, readJson } from "@swl/base";

/** Case ID → why it fails. */
export type KnownFailures = ReadonlyMap<string, string>;

/** Reads `{"<case id>": "<reason>", …}`; every finding has the code `case.invalid` and a place. */
export function readKnownFailures(source: string | Uint8Array, file: string): Outcome<KnownFailures> {
  const read = readJson(source, { file });
  if (!read.ok)
    return { ok: false, findings: read.findings.map((finding) => ({ ...finding, code: "case.invalid" })) };
  const { value, placeOf } = read.value;
  const findings: Diagnostic[] = [];
  const invalid = (message: string, pointer: string): void => {
    const place = placeOf(pointer);
    findings.push({ code: "case.invalid", severity: "error", message, pointer, ...(place && { place }) });
  };
  const known = new Map<string, string>();
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    invalid("known failures are an object of case ID and reason", "");
  } else {
    for (const [id, reason] of Object.entries(value)) {
      if (typeof reason === "string" && reason.trim() !== "") known.set(id, reason);
      else invalid("a known failure says why, in words", pointerTo("", id));
    }
  }
  return findings.length === 0 ? { ok: true, value: known, findings } : { ok: false, findings };
}
