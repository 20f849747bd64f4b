/**
 * From bytes to a normalized definition: the strict reader, then validation, with a file, line and column on every
 * finding. Spec: DEF-json-reader.
 */
import { isJsonObject, type Json, type Outcome, own, readJson } from "@swl/base";
import type { Definition } from "./model.js";
import { validateJson } from "./validate.js";

export interface ReadDefinitionOptions {
  /** How findings name the source. */
  readonly file: string;
  /** Warnings count as errors. */
  readonly strict?: boolean;
  /** Profiles that the caller supports; see `ValidateOptions`. */
  readonly supported?: readonly string[];
}

/** Reads and validates one definition. Numbers are read in the domain that the definition itself declares. */
export function readDefinition(
  source: string | Uint8Array,
  options: ReadDefinitionOptions,
): Outcome<Definition> {
  let document = readJson(source, { file: options.file });
  if (document.ok && declaresIntegers(document.value.value)) {
    document = readJson(source, { file: options.file, numbers: "int53" });
  }
  if (!document.ok) return document;
  const { value, placeOf } = document.value;
  return validateJson(value, { ...options, placeOf });
}

function declaresIntegers(json: Json): boolean {
  const dialects = isJsonObject(json) ? own(json, "dialects") : undefined;
  return isJsonObject(dialects) && own(dialects, "numbers") === "int53";
}
