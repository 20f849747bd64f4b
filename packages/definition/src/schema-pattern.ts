/**
 * What a regular expression may cost. JavaScript engines match by trying, and some patterns make them try more ways
 * than there is time for: `(a+)+$` doubles with every letter. Here a pattern is read once and the number of steps that
 * trying may take on a text of n characters is bounded from above; a pattern whose bound leaves no useful length is
 * refused, the others may run on texts up to the length at which the bound is reached. Spec: DEF-schema-patterns.
 */
import { costOf } from "./pattern-cost.js";
import { type Part, parsePattern } from "./pattern-parser.js";

/** Characters of a pattern. */
export const maxPatternLength = 1_000;
/** Steps of the engine for one text; a step looks at one character. */
export const maxPatternSteps = 100_000_000;
/** A pattern that may not run on texts of this many characters is refused. */
export const minPatternReach = 64;
/** No text is longer than this for a pattern. */
export const maxPatternReach = 1_000_000;

export interface Pattern {
  readonly source: string;
  /** Steps that no text of this many characters exceeds. */
  readonly steps: (length: number) => number;
}

const unsupported = "modifiers and looking back inside a pattern are not supported";
const modifiers = /\(\?(?:[ims]+(?:-[ims]*)?|-[ims]+):/;

/** The pattern, or why it is refused. */
export function readPattern(source: string): Pattern | string {
  if (source.length > maxPatternLength) return `a pattern has at most ${maxPatternLength} characters`;
  try {
    new RegExp(source, "u");
  } catch {
    // An engine that does not know modifiers must not say something else than one that does.
    return modifiers.test(source) ? unsupported : "expected a regular expression";
  }
  const part = parsePattern(source);
  if (part === undefined) return unsupported;
  const cost = costOf(part, []);
  const anchored = beginsAnchored(part);
  const steps = (length: number): number => {
    const fromOne = cost(length + 1).steps;
    return anchored ? length + fromOne : (length + 1) * fromOne;
  };
  if (!(steps(minPatternReach) <= maxPatternSteps)) {
    return "a short text could keep this pattern busy for ever: repeat nothing that repeats or has alternatives, unless one character tells which way to go";
  }
  return { source, steps };
}

/** The longest text, in characters, on which the steps of a pattern stay within bounds. */
export function reachOf({ steps }: Pattern): number {
  let low = minPatternReach;
  let high = maxPatternReach;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (steps(middle) <= maxPatternSteps) low = middle;
    else high = middle - 1;
  }
  return low;
}

function beginsAnchored(part: Part): boolean {
  if (part.kind === "edge") return part.edge === "start";
  if (part.kind === "sequence") return part.items[0] !== undefined && beginsAnchored(part.items[0]);
  return part.kind === "choice" && part.options.every(beginsAnchored);
}
