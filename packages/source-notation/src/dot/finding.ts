/** What findings about a source have in common: their members, how names are quoted, what is suggested. */
import { type Code, type Diagnostic, nearest, type Place } from "@swl/base";

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

/** Suggests near names, for so many findings of one file: searching one costs more than finding the mistake. */
export class Suggestions {
  #left = 100;

  /** The hint with the near name, or the other one. */
  hint(name: string, candidates: Iterable<string>, otherwise: string): string {
    this.#left -= 1;
    const near = this.#left < 0 ? undefined : nearest(name, candidates);
    return near === undefined ? otherwise : `did you mean ${quote(near)}?`;
  }
}
