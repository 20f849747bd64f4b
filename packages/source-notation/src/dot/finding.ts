/** The two kinds of findings that a source gives, with the members they always have. */
import type { Code, Diagnostic, Place } from "@swl/base";

export interface FindingExtras {
  readonly hint?: string | undefined;
  readonly node?: string | undefined;
  readonly pointer?: string | undefined;
}

export function failure(
  code: Code,
  message: string,
  place: Place | undefined,
  extras: FindingExtras = {},
): Diagnostic {
  return {
    code,
    severity: "error",
    message,
    pointer: extras.pointer ?? "",
    ...(place && { place }),
    ...(extras.node !== undefined && { node: extras.node }),
    ...(extras.hint !== undefined && { hint: extras.hint }),
  };
}

/** A name as messages show it: quoted, and cut when it is long. */
export function quote(text: string): string {
  const flat = text.replace(/\s+/g, " ");
  return `"${flat.length > 60 ? `${flat.slice(0, 57)}...` : flat}"`;
}
