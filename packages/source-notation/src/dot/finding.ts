/** What findings about a source have in common: their members, how names are quoted, what is suggested. */
import { type Code, type Diagnostic, excerpt, nearest, type Place } from "@swl/base";

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

/** A name as messages show it: quoted, on one line, cut when it is long, and unable to steer a terminal. */
export function quote(text: string): string {
  return `"${excerpt(text.replace(/\s+/g, " "))}"`;
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

/** True for what a definition takes as an ID: only such a name is worth writing into a hint. */
export function isId(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(text);
}
