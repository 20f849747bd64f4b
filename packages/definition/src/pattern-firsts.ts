/**
 * With which characters a part of a pattern can begin, and whether one character of a text is enough to choose between
 * parts. In doubt the answer is that it is not known, or not enough.
 */
import type { Char, Part } from "./pattern-parser.js";

export type Chars = readonly Char[];

export interface Firsts {
  readonly chars: Chars;
  /** The part may take no character at all. */
  readonly empty: boolean;
}

/** More characters than these are not kept. */
const maxChars = 64;
/** Stands for the end of the text. */
const end: Char = { kind: "char", source: "$", literal: "" };

export function firsts(part: Part): Firsts | undefined {
  switch (part.kind) {
    case "char":
      return { chars: [part], empty: false };
    case "edge":
      return part.edge === "end" ? { chars: [end], empty: false } : undefined;
    case "back":
    case "look":
      return undefined;
    case "sequence": {
      let all: Firsts | undefined = { chars: [], empty: true };
      for (const item of part.items) {
        if (!all?.empty) break;
        const next = firsts(item);
        all = next && few([...all.chars, ...next.chars], next.empty);
      }
      return all;
    }
    case "choice": {
      const options = part.options.map(firsts);
      if (!options.every((option) => option !== undefined)) return undefined;
      return few(
        options.flatMap((option) => option.chars),
        options.some((option) => option.empty),
      );
    }
    case "loop": {
      const body = firsts(part.body);
      return body && { chars: body.chars, empty: body.empty || part.min === 0 };
    }
  }
}

function few(chars: Chars, empty: boolean): Firsts | undefined {
  return chars.length <= maxChars ? { chars, empty } : undefined;
}

/** What may come first where a part stands before others: theirs too, when it may be empty. */
export function together(part: Firsts | undefined, follow: Chars | undefined): Chars | undefined {
  if (part === undefined) return undefined;
  if (!part.empty) return part.chars;
  return follow && few([...part.chars, ...follow], false)?.chars;
}

/** True when at most one of the sets holds any given character. */
export function decides(sets: readonly (Chars | undefined)[]): boolean {
  return sets.every(
    (one, index) =>
      one !== undefined &&
      sets.slice(index + 1).every((other) => other !== undefined && allApart(one, other)),
  );
}

export function allApart(some: Chars, others: Chars): boolean {
  return some.every((one) => others.every((other) => apart(one, other) || apart(other, one)));
}

/** True when no character of a text is both; in doubt false. */
export function apart(char: Char, mark: Char): boolean {
  if (mark.literal === undefined) return false;
  if (char.literal !== undefined) return char.literal !== mark.literal;
  return !new RegExp(`^${char.source}$`, "u").test(mark.literal);
}
