import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileSchema, schemaFindings } from "../src/schema.js";
import {
  maxPatternLength,
  maxPatternReach,
  maxPatternSteps,
  minPatternReach,
  reachOf,
  readPattern,
} from "../src/schema-pattern.js";

/** Patterns that hang an engine on a text of a hundred characters or less, and relatives of theirs. */
const evil = [
  "(a+)+$",
  "^(a+)+$",
  "([a-zA-Z]+)*$",
  "^(a|aa)+$",
  "^(a|a?)+$",
  "^(.*a){20}$",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$",
  "^(\\s*\\S+\\s*)*$",
  "^(\\d+,?)*$",
  "^((ab)*)*$",
  "(?:x*)*y",
  "^(?:(?=a+)a+)+$",
  "^(?<=(a+)+)b",
  "^(?:.*,)*.*$",
  "^(?:a*a*)*$",
  "^(?:-a+-?)*$",
  "^(?:\\.a*a*)*$",
  "^(?:[a.]+\\.)+$",
  "^(.*)(.*)(.*)(.*)(.*)(.*)$",
  "^(?:a|b|ab)*$",
  "a*a*a*a*a*a*b",
];

const good = [
  "^x-",
  ".*",
  "^.*$",
  "^[a-z0-9]+(?:-[a-z0-9]+)*$",
  "^(?:[a-z]+\\.)+[a-z]{2,}$",
  "^[A-Za-z_][A-Za-z0-9_-]{0,63}$",
  "^(?:\\d{1,3}\\.){3}\\d{1,3}$",
  "^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
  "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:Z|[+-]\\d{2}:\\d{2})$",
  "^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$",
  "^(?=.*[A-Z])(?=.*\\d).{8,}$",
  "^(?:red|green|blue)(?:,(?:red|green|blue)){0,4}$",
  "^(?:a|b)*$",
  "\\.pdf$",
  "^.*foo.*bar$",
  "^[a-z0-9]+(-[a-z0-9]+)*\\.[a-z0-9]+(-[a-z0-9]+)*$",
  "^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(-[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?(\\+[0-9A-Za-z-]+)?$",
  "^/(?:[^/]+/)*[^/]*$",
  "^-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?$",
  "^\\p{Letter}+$",
  "^\\u{1F600}|\\uD83D\\uDE00|\\x41|\\cA|[\\]\\-]\\b$",
  "^(?<word>\\w+) \\k<word>$",
  "",
  "|",
  "^(?:)*$",
];

describe("readPattern", () => {
  it("refuses what could keep an engine busy for ever [DEF-schema-patterns]", () => {
    for (const source of evil) expect([source, typeof readPattern(source)]).toEqual([source, "string"]);
    expect(readPattern("a".repeat(maxPatternLength + 1))).toContain("at most");
    for (const source of ["^(?i:a)$", "(?<=a)b", "(?<!a)b"]) {
      expect(readPattern(source)).toContain("not supported");
    }
    expect(readPattern("(")).toBe("expected a regular expression");
    expect(readPattern(`${"(?:".repeat(300)}a${")".repeat(300)}`)).toMatchObject({});
  });

  it("accepts what people write, with a reach [DEF-schema-patterns]", () => {
    for (const source of good) {
      const pattern = readPattern(source);
      if (typeof pattern === "string") throw new Error(`${source}: ${pattern}`);
      const reach = reachOf(pattern);
      expect(reach).toBeGreaterThanOrEqual(minPatternReach);
      expect(pattern.steps(reach)).toBeLessThanOrEqual(maxPatternSteps);
      if (reach < maxPatternReach) expect(pattern.steps(reach + 1)).toBeGreaterThan(maxPatternSteps);
    }
  });

  it("sees where one character decides, and lets such patterns run on long texts [DEF-schema-patterns]", () => {
    for (const source of [
      "^[a-z0-9]+(?:-[a-z0-9]+)*$",
      "^[a-z0-9]+(-[a-z0-9]+)*\\.[a-z0-9]+(-[a-z0-9]+)*$",
      "^(?:red|green)*$",
    ]) {
      const read = readPattern(source);
      if (typeof read === "string") throw new Error(read);
      expect([source, reachOf(read)]).toEqual([source, maxPatternReach]);
    }
  });

  it("never counts fewer steps than trying takes [DEF-schema-patterns]", () => {
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(pattern(), fc.array(fc.constantFrom("a", "b", "-"), { maxLength: 12 }), (made, letters) => {
        const read = readPattern(made.source);
        if (typeof read === "string") {
          seen.refused++;
          return;
        }
        seen.accepted++;
        const { steps, matched } = trying(made, letters.join(""));
        expect(matched).toBe(new RegExp(made.source, "u").test(letters.join("")));
        expect(steps).toBeLessThanOrEqual(4 * made.size * read.steps(letters.length));
      }),
      { numRuns: 5_000 },
    );
    expect(seen.accepted).toBeGreaterThan(200);
    expect(seen.refused).toBeGreaterThan(20);
  });

  it("survives any text", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^[ab()|*+?[\]{}1,\\^$.:=!<-]{0,20}$/)),
        (source) => {
          const read = readPattern(source);
          if (typeof read !== "string") expect(reachOf(read)).toBeGreaterThanOrEqual(minPatternReach);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe("schemaFindings", () => {
  it("refuses such patterns wherever they stand, with the pointer and a remedy [DEF-schema-patterns]", () => {
    const findings = schemaFindings({
      properties: { a: { pattern: "^(a+)+$" } },
      patternProperties: { "(b*)*c": true },
    });
    expect(findings.map(({ pointer }) => pointer).sort()).toEqual([
      "/patternProperties/(b*)*c",
      "/properties/a/pattern",
    ]);
    for (const { message } of findings) expect(message).toContain("repeat nothing that repeats");
    expect(schemaFindings({ pattern: 1 })).toHaveLength(1);
  });
});

describe("compileSchema", () => {
  it("matches as the engine does, up to the reach of the pattern [DEF-schema-patterns]", () => {
    const check = compileSchema({ pattern: "^.*a.*b$", maxLength: 9_999 });
    expect(check.check("xaxb")).toEqual([]);
    expect(check.check("xbxa")[0]?.message).toContain("does not match pattern");
    expect(check.check("x".repeat(5_000))).toHaveLength(1);
    const read = readPattern("^.*a.*b$");
    if (typeof read === "string") throw new Error(read);
    expect(check.check(`a${"b".repeat(reachOf(read) - 1)}`)).toEqual([]);
    expect(check.check(`a${"b".repeat(reachOf(read))}`)[0]?.message).toContain("too long");
    expect(check.check(7)).toEqual([]);
  });

  it("takes steps for every text and every name [DEF-schema-patterns]", () => {
    const long = "x".repeat(4_000);
    const texts = Array.from({ length: 2_000 }, () => long);
    expect(compileSchema({ items: { pattern: "^x" } }).check(texts)).toEqual([]);
    expect(compileSchema({ items: { pattern: "x*[xy]" } }).check(texts)[0]?.message).toContain(
      "too many steps",
    );
    const names = Object.fromEntries(texts.slice(0, 50).map((text, index) => [`${text}${index}`, 1]));
    expect(compileSchema({ patternProperties: { "^x": true } }).check(names)).toEqual([]);
    const slow = compileSchema({ patternProperties: { "x*x*y": true } });
    expect(slow.check(names)[0]?.message).toContain("too many steps");
    expect(slow.check({ xxy: 1 })).toEqual([]);
  });

  it("keeps other keywords, and references to what stands in the schema only", () => {
    const check = compileSchema({
      allOf: [{ minLength: 2 }],
      pattern: "^a",
      anyOf: [{ pattern: "c$" }, { pattern: "d$" }],
    });
    for (const [text, reasons] of [
      ["ac", 0],
      ["ad", 0],
      ["a", 3],
      ["bd", 1],
    ] as const) {
      expect([text, check.check(text).length > 0]).toEqual([text, reasons > 0]);
    }
    expect(schemaFindings({ pattern: "^a", properties: { b: { $ref: "#/allOf/0" } } })).toHaveLength(1);
  });
});

/** A pattern with a matcher of its own: every character, choice and repetition as JavaScript tries it, counted. */
interface Made {
  readonly source: string;
  readonly size: number;
  match(text: string, at: number, count: () => void, next: (at: number) => boolean): boolean;
}

function trying(made: Made, text: string): { readonly steps: number; readonly matched: boolean } {
  let steps = 0;
  const count = () => void steps++;
  for (let at = 0; at <= text.length; at++) {
    if (made.match(text, at, count, () => true)) return { steps, matched: true };
  }
  return { steps, matched: false };
}

function pattern(): fc.Arbitrary<Made> {
  const char = (source: string, set: string): Made => ({
    source,
    size: 1,
    match(text, at, count, next) {
      count();
      return at < text.length && set.includes(text[at]!) && next(at + 1);
    },
  });
  const end: Made = {
    source: "$",
    size: 1,
    match(text, at, count, next) {
      count();
      return at === text.length && next(at);
    },
  };
  const leaf = fc.constantFrom(
    char("a", "a"),
    char("b", "b"),
    char("-", "-"),
    char("[ab]", "ab"),
    char(".", "ab-"),
  );
  const { made } = fc.letrec<{ made: Made }>((tie) => ({
    made: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      fc.array(tie("made"), { minLength: 1, maxLength: 3 }).map(sequence),
      fc.tuple(tie("made"), tie("made")).map(([one, two]) => choice(one, two)),
      fc
        .tuple(tie("made"), fc.constantFrom("*", "+", "?", "{2}", "{1,2}"))
        .map(([body, sign]) => loop(body, sign)),
    ),
  }));
  return made.map((one) => sequence([one, end]));
}

function sequence(items: readonly Made[]): Made {
  return {
    source: items.map((item) => item.source).join(""),
    size: items.reduce((sum, item) => sum + item.size, 1),
    match(text, at, count, next) {
      const from = (index: number, place: number): boolean =>
        index === items.length
          ? next(place)
          : items[index]!.match(text, place, count, (then) => from(index + 1, then));
      return from(0, at);
    },
  };
}

function choice(one: Made, two: Made): Made {
  return {
    source: `(?:${one.source}|${two.source})`,
    size: one.size + two.size + 1,
    match: (text, at, count, next) => one.match(text, at, count, next) || two.match(text, at, count, next),
  };
}

const counts: { readonly [sign: string]: readonly [number, number] } = {
  "*": [0, Number.POSITIVE_INFINITY],
  "+": [1, Number.POSITIVE_INFINITY],
  "?": [0, 1],
  "{2}": [2, 2],
  "{1,2}": [1, 2],
};

function loop(body: Made, sign: string): Made {
  const [min, max] = counts[sign]!;
  return {
    source: `(?:${body.source})${sign}`,
    size: body.size * (Number.isFinite(max) ? max : 1) + 1,
    match(text, at, count, next) {
      const round = (done: number, place: number): boolean => {
        const more = (then: number) => (done >= min && then === place ? false : round(done + 1, then));
        if (done < max && body.match(text, place, count, more)) return true;
        return done >= min && next(place);
      };
      return round(0, at);
    },
  };
}
