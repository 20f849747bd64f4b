/**
 * What a pattern costs a matcher that tries alternatives, from its form. Where the next character of the text decides
 * which way to go, there is one way; where it does not, ways are counted as if every character matched everything.
 */
import { allApart, apart, type Chars, decides, firsts, together } from "./pattern-firsts.js";
import type { Part } from "./pattern-parser.js";

/** `ways`: how often what follows may be tried. `steps`: characters looked at, over all ways. */
export interface Cost {
  readonly ways: number;
  readonly steps: number;
}
/** The cost on texts of a length. */
export type CostOf = (length: number) => Cost;

/** Steps beyond which it is not worth counting on. */
const enough = 1e15;
const one: Cost = { ways: 1, steps: 1 };

/** `follow`: what may stand behind the part, `undefined` when that is not plain to see. */
export function costOf(part: Part, follow: Chars | undefined): CostOf {
  switch (part.kind) {
    case "char":
    case "edge":
      return () => one;
    case "back":
      return (length) => ({ ways: 1, steps: length + 1 });
    case "look": {
      // Once it has matched, an assertion is not tried another way; what stands behind it does not matter to it.
      const body = costOf(part.body, []);
      return (length) => ({ ways: 1, steps: body(length).steps });
    }
    case "sequence":
      return sequenceCost(part.items, follow);
    case "choice":
      return choiceCost(part.options, follow);
    case "loop":
      return loopCost(part, follow);
  }
}

function sequenceCost(parts: readonly Part[], follow: Chars | undefined): CostOf {
  const items: CostOf[] = [];
  let behind = follow;
  for (const part of [...parts].reverse()) {
    items.unshift(costOf(part, behind));
    behind = together(firsts(part), behind);
  }
  return (length) => {
    let ways = 1;
    let steps = 1;
    for (const item of items) {
      const inner = item(length);
      steps += ways * inner.steps;
      ways *= inner.ways;
    }
    return { ways, steps };
  };
}

function choiceCost(parts: readonly Part[], follow: Chars | undefined): CostOf {
  const options = parts.map((part) => costOf(part, follow));
  const decided = decides(parts.map((part) => together(firsts(part), follow)));
  return (length) => {
    let ways = 0;
    let steps = options.length;
    for (const option of options) {
      const inner = option(length);
      ways = decided ? Math.max(ways, inner.ways) : ways + inner.ways;
      steps += inner.steps;
    }
    return { ways, steps };
  };
}

function loopCost({ body, min, max }: Extract<Part, { kind: "loop" }>, follow: Chars | undefined): CostOf {
  const begin = firsts(body);
  const decided =
    follow !== undefined && begin !== undefined && !begin.empty && allApart(begin.chars, follow);
  const bodyCost = costOf(body, follow && together(begin, follow));
  const size = delimitedSize(body);
  const scans = looksFurther(body);
  return (length) => {
    const inner = bodyCost(length);
    // Beyond the least number, every further round takes at least one character.
    const rounds = Math.min(max, min + length);
    if (inner.ways <= 1) {
      const exits = decided ? rounds * (follow?.length ?? 0) : 0;
      const each = rounds * inner.steps;
      // With one way to go, what one round looks at is what it takes, and all rounds together take the text once.
      const all = scans ? each : Math.min(each, rounds * bodyCost(0).steps + 2 * inner.steps);
      return { ways: decided ? 1 : rounds - min + 1, steps: 1 + exits + all };
    }
    // The text says where each round ends: a wrong end is noticed at once, so all rounds together try each end once.
    if (size > 0) return { ways: 2 * length + rounds, steps: 4 * size * (length + rounds) };
    let ways = min === 0 ? 1 : 0;
    let steps = 1;
    let begun = 1;
    for (let round = 1; round <= rounds && steps <= enough; round++) {
      steps += begun * inner.steps;
      begun *= inner.ways;
      if (round >= min) ways += begun;
    }
    return { ways: Math.max(ways, 1), steps };
  };
}

/** True when a part may look at characters that it does not take. */
function looksFurther(part: Part): boolean {
  switch (part.kind) {
    case "char":
    case "edge":
      return false;
    case "back":
    case "look":
      return true;
    case "sequence":
      return part.items.some(looksFurther);
    case "choice":
      return part.options.some(looksFurther);
    case "loop":
      return looksFurther(part.body);
  }
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
