/**
 * What a regular expression may cost. JavaScript engines match by trying, and some patterns make them try more ways
 * than there is time for: `(a+)+$` doubles with every letter. Here a pattern is read once and the number of steps that
 * trying may take on a text of n characters is bounded from above; a pattern whose bound leaves no useful length is
 * refused, the others may run on texts up to the length at which the bound is reached. Spec: DEF-schema-patterns.
 */
import { type Char, type Part, parsePattern } from "./pattern-parser.js";

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

/** The pattern, or why it is refused. */
export function readPattern(source: string): Pattern | string {
  if (source.length > maxPatternLength) return `a pattern has at most ${maxPatternLength} characters`;
  try {
    new RegExp(source, "u");
  } catch {
    return "expected a regular expression";
  }
  const part = parsePattern(source);
  if (part === undefined) return "modifiers inside a pattern are not supported";
  const cost = costOf(part, false);
  const anchored = beginsAnchored(part);
  const steps = (length: number): number => {
    const fromOne = cost(length + 1).steps;
    return anchored ? length + fromOne : (length + 1) * fromOne;
  };
  if (!(steps(minPatternReach) <= maxPatternSteps)) {
    return "a short text could keep this pattern busy for ever: do not repeat what itself repeats or has alternatives";
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

/** `ways`: how often what follows may be tried. `steps`: characters looked at, over all ways. */
interface Cost {
  readonly ways: number;
  readonly steps: number;
}
/** The cost on texts of a length. */
type CostOf = (length: number) => Cost;

const one: Cost = { ways: 1, steps: 1 };

function costOf(part: Part, backwards: boolean): CostOf {
  switch (part.kind) {
    case "char":
    case "edge":
      return () => one;
    case "back":
      return (length) => ({ ways: 1, steps: length });
    case "look": {
      // Once it has matched, an assertion is not tried another way.
      const body = costOf(part.body, part.behind);
      return (length) => ({ ways: 1, steps: body(length).steps });
    }
    case "sequence": {
      const items = part.items.map((item) => costOf(item, backwards));
      return (length) => {
        let ways = 1;
        let steps = 0;
        for (const item of items) {
          const inner = item(length);
          steps += ways * inner.steps;
          ways *= inner.ways;
        }
        return { ways, steps };
      };
    }
    case "choice": {
      const options = part.options.map((option) => costOf(option, backwards));
      const apart = !backwards && distinct(part.options);
      return (length) => {
        let ways = 0;
        let steps = 0;
        for (const option of options) {
          const inner = option(length);
          ways = apart ? Math.max(ways, inner.ways) : ways + inner.ways;
          steps += inner.steps;
        }
        return { ways, steps };
      };
    }
    case "loop":
      return loopCost(part, costOf(part.body, backwards));
  }
}

function loopCost({ body, min, max }: Extract<Part, { kind: "loop" }>, bodyCost: CostOf): CostOf {
  const size = delimitedSize(body);
  return (length) => {
    const inner = bodyCost(length);
    // Beyond the least number, every further round takes at least one character.
    const rounds = Math.min(max, min + length);
    if (inner.ways <= 1) return { ways: rounds - min + 1, steps: 1 + rounds * inner.steps };
    // The text says where each round ends: a wrong end is noticed at once, so all rounds together try each end once.
    if (size > 0) return { ways: 2 * length + rounds, steps: 4 * size * (length + rounds) };
    let ways = min === 0 ? 1 : 0;
    let steps = 1;
    let begun = 1;
    // Left early, what is counted so far is more than any pattern may take.
    for (let round = 1; round <= rounds && steps <= maxPatternSteps; round++) {
      steps += begun * inner.steps;
      begun *= inner.ways;
      if (round >= min) ways += begun;
    }
    return { ways: Math.max(ways, 1), steps };
  };
}

/**
 * The size of a body such as `-[a-z]+` or `[a-z]+\.`: single characters with at most one repeated, and at one end a
 * fixed character that none of the others can be. 0 for every other body.
 */
function delimitedSize(body: Part): number {
  if (body.kind !== "sequence") return 0;
  const { items } = body;
  if (items.filter((item) => item.kind !== "char").length > 1) return 0;
  const chars = items.map((item) => (item.kind === "loop" ? item.body : item));
  for (const end of [0, items.length - 1]) {
    const mark = items[end];
    if (mark?.kind !== "char" || mark.literal === undefined) continue;
    const others = chars.filter((_, index) => index !== end);
    if (others.every((other) => other.kind === "char" && apart(other, mark))) return items.length;
  }
  return 0;
}

/** True when the first character of the text allows one option at most. */
function distinct(options: readonly Part[]): boolean {
  const firsts = options.map(first);
  return firsts.every((one, index) =>
    firsts
      .slice(index + 1)
      .every((other) => one !== undefined && other !== undefined && (apart(one, other) || apart(other, one))),
  );
}

/** The character that a part must begin with, when that is plain to see. */
function first(part: Part): Char | undefined {
  if (part.kind === "char") return part;
  if (part.kind === "sequence") return part.items[0] && first(part.items[0]);
  if (part.kind === "loop" && part.min > 0) return first(part.body);
  return undefined;
}

/** True when no text is both; in doubt false. */
function apart(char: Char, mark: Char): boolean {
  if (mark.literal === undefined) return false;
  if (char.literal !== undefined) return char.literal !== mark.literal;
  return !new RegExp(`^${char.source}$`, "u").test(mark.literal);
}

function beginsAnchored(part: Part): boolean {
  if (part.kind === "edge") return part.start;
  if (part.kind === "sequence") return part.items[0] !== undefined && beginsAnchored(part.items[0]);
  return part.kind === "choice" && part.options.every(beginsAnchored);
}
