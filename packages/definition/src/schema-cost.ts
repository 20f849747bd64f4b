/**
 * Makes the keywords whose work grows with the value pay for it: patterns, names by pattern, `uniqueItems`, lengths of
 * texts, objects that are compared. The library
 * reads each keyword once for every schema it applies; on its private copy these reads draw on the meter, so that one
 * check never takes more than its steps, whatever schema and value. Spec: DEF-schema-dialect, DEF-schema-patterns.
 */
import { type Json, SwlError } from "@swl/base";
import type { SchemaCopy } from "./schema-copy.js";
import { type Pattern, reachOf } from "./schema-pattern.js";
import type { Meter } from "./schema-rules.js";
import { type Choices, namesPerStep } from "./schema-weight.js";

/** Looks at one character, or comparisons of two values: so many are one step of the meter. */
const perStep = 1_000;
/** Texts pay by the class of their length, in characters; the last class is what the pattern reaches. */
const classes = [64, 256, 1_024, 4_096];
/** Characters that are only counted: so many are one step. */
const countedPerStep = 16_384;
/** Comparisons of one value beyond which its lists are not checked at all. */
const maxComparisons = 100_000_000;

/** What a value is at most, anywhere in it. */
export interface Sizes {
  /** Members of one object. */
  members: number;
  /** Characters of a key. */
  key: number;
  /** Characters of a text. */
  text: number;
  /** Of one list: its length, times the values in it. */
  comparisons: number;
}

/**
 * Prepares the copy. Called after the references are resolved, so that none leads to what is added here. The sizes
 * are to be measured before each check; `undefined` when nothing asks for them.
 */
export function charge({ costly }: SchemaCopy, meter: Meter): Sizes | undefined {
  const sizes: Sizes = { members: 0, key: 0, text: 0, comparisons: 0 };
  for (const { holder, pattern, names, unique, choices } of costly) {
    if (pattern) addPattern(holder, pattern, meter);
    if (names) payForNames(holder, names, meter, sizes);
    if (unique) payForPairs(holder, meter, sizes);
    if (choices) payForChoices(holder, choices, meter, sizes);
  }
  payForLengths(costly, meter, sizes);
  return costly.length > 0 ? sizes : undefined;
}

/** The pattern as a further `allOf`, by classes of length; beyond its reach `maxLength` refuses the text. */
function addPattern(holder: { [key: string]: Json }, pattern: Pattern, meter: Meter): void {
  const reach = reachOf(pattern);
  let rest: Json = { maxLength: reach };
  for (const length of [reach, ...classes.filter((each) => each < reach).reverse()]) {
    const steps = Math.ceil(pattern.steps(length) / perStep);
    const paid = Object.defineProperty({}, "pattern", {
      get: () => {
        meter.step(steps);
        return pattern.source;
      },
    });
    rest = when({ maxLength: length }, paid as Json, rest);
  }
  const all = Array.isArray(holder["allOf"]) ? (holder["allOf"] as Json[]) : [];
  holder["allOf"] = [...all, when({ type: "string" }, rest, true)];
}

function when(condition: Json, met: Json, otherwise: Json): Json {
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return { if: condition, then: met, else: otherwise };
}

function payForNames(
  holder: { [key: string]: Json },
  names: readonly Pattern[],
  meter: Meter,
  sizes: Sizes,
): void {
  const schemas = holder["patternProperties"]!;
  Object.defineProperty(holder, "patternProperties", {
    get: () => {
      let steps = 0;
      for (const name of names) steps += name.steps(sizes.key);
      meter.step(Math.ceil((sizes.members * steps) / perStep));
      return schemas;
    },
  });
}

/** Comparing an object with another begins with the names of both. */
function payForChoices(
  holder: { [key: string]: Json },
  { key, objects }: Choices,
  meter: Meter,
  sizes: Sizes,
): void {
  const choices = holder[key]!;
  Object.defineProperty(holder, key, {
    get: () => {
      meter.step(Math.floor((objects * sizes.members) / namesPerStep));
      return choices;
    },
  });
}

/** Short texts cost nothing; `pattern` asks for their length too, once for every class. */
function payForLengths(costly: SchemaCopy["costly"], meter: Meter, sizes: Sizes): void {
  const counted = new Map<{ [key: string]: Json }, number>();
  for (const { holder, counts = 0, pattern } of costly) {
    const times = counts + (pattern ? classes.length + 2 : 0);
    if (times > 0) counted.set(holder, (counted.get(holder) ?? 0) + times);
  }
  for (const [holder, times] of counted) {
    // A keyword that the library reads for every schema it applies, and that no schema here has.
    Object.defineProperty(holder, "$recursiveRef", {
      get: () => meter.step(Math.floor((times * sizes.text) / countedPerStep)),
    });
  }
}

function payForPairs(holder: { [key: string]: Json }, meter: Meter, sizes: Sizes): void {
  Object.defineProperty(holder, "uniqueItems", {
    get: () => {
      if (sizes.comparisons > maxComparisons) {
        throw new SwlError(
          "definition.schema-invalid",
          "the lists are too long to be checked for uniqueItems",
        );
      }
      meter.step(Math.ceil(sizes.comparisons / perStep));
      return true;
    },
  });
}

/** Measures a value; throws a `RangeError` when it is nested too deeply for the stack. */
export function measure(value: Json, sizes: Sizes): void {
  sizes.members = 0;
  sizes.key = 0;
  sizes.text = 0;
  sizes.comparisons = 0;
  count(value, sizes);
}

/** The number of values in a value. */
function count(value: Json, sizes: Sizes): number {
  if (typeof value === "string" && value.length > sizes.text) sizes.text = value.length;
  if (typeof value !== "object" || value === null) return 1;
  let values = 1;
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) values += count(item, sizes);
    sizes.comparisons = Math.max(sizes.comparisons, value.length * values);
    return values;
  }
  const keys = Object.keys(value);
  sizes.members = Math.max(sizes.members, keys.length);
  for (const key of keys) {
    if (key.length > sizes.key) sizes.key = key.length;
    values += count((value as { readonly [key: string]: Json })[key]!, sizes);
  }
  return values;
}
