/** Random sources of one kind of workflow, written in every way that SWL-DOT allows: spacing, comments, separators. */
import fc from "fast-check";

const gaps = [
  " ",
  "  \t",
  "\n",
  "\r\n",
  "\n\n\n",
  " // c\n",
  " //\n",
  "// d -> e [on=x] \r\n",
  " /* in */ ",
  "\n/* own */\n",
  "\n  // own\n",
  "\n\n// apart\n\n",
  "/* two\n lines */",
  "\n# hash\n",
  "\n#\n#b\n",
  "\r\n\r\n",
];
const gap = fc.oneof(
  { weight: 3, arbitrary: fc.constant(" ") },
  { weight: 1, arbitrary: fc.constantFrom(...gaps) },
  {
    weight: 1,
    arbitrary: fc.array(fc.constantFrom(...gaps), { maxLength: 3 }).map((some) => ` ${some.join("")}`),
  },
);

const value = fc.constantFrom(
  ["x"],
  ['"a b"'],
  ["-1.5"],
  ['"joined "', "+", '"string"'],
  ['"over\ntwo"'],
  ['"say \\"x\\""'],
  [`"${"wide ".repeat(12)}"`],
  ["été"],
);
const style = fc.tuple(fc.constantFrom("color", "x_own", '"acme:icon"', "label", "fontsize"), value);
const separator = fc.constantFrom([","], [";"], []);

type Tokens = readonly string[];

function attributeTokens(
  attributes: readonly (readonly [string, Tokens])[],
  separators: readonly Tokens[],
  split: boolean,
): Tokens {
  const written = attributes.map(([name, said], index) => [
    name,
    "=",
    ...said,
    ...separators[index % separators.length]!,
  ]);
  if (written.length === 0) return split ? ["[", "]"] : [];
  return split ? written.flatMap((tokens) => ["[", ...tokens, "]"]) : ["[", ...written.flat(), "]"];
}

const list = fc.record({
  styles: fc.uniqueArray(style, { selector: ([name]) => name, maxLength: 4 }),
  separators: fc.array(separator, { minLength: 3, maxLength: 3 }),
  split: fc.boolean(),
  end: fc.constantFrom([";"], []),
});

const statement = (head: Tokens, said: readonly (readonly [string, Tokens])[]) =>
  list.map(({ styles, separators, split, end }) => [
    ...head,
    ...attributeTokens([...said, ...styles], separators, split),
    ...end,
  ]);

export interface Source {
  readonly text: string;
}

/** The statements of one workflow: nodes, chains, defaults and assignments. */
const statements = fc.tuple(
  statement(["start", "=", '"wo"', "+", '"rk"'], []).map((tokens) =>
    tokens.slice(0, 5).concat(tokens.at(-1) === ";" ? [";"] : []),
  ),
  statement(["work"], []),
  statement(['"wait-here"'], [["kind", ['"await-signal"']]]),
  statement(["done"], [["kind", ["complete"]]]),
  statement(["stop"], [["kind", ['"fail"']]]),
  statement(["work", "->", "mid", "->", '"wait-here"', "->", "done"], []),
  statement(["work", "->", "stop"], [["on", ["short"]]]),
  statement(['"wait-here"', "->", "work"], [["on", ['"no"']]]),
  statement(["node"], [["shape", ["box"]]]),
  statement(["mid"], []),
  fc.constantFrom<Tokens>(
    ["done", "[", "kind", "=", "complete", "color", "=", "red", "color", "=", "blue", "]"],
    ["work", "[", "label", "=", "again", "]", "[", "]"],
    ["work", ";"],
    ["label", "=", '"T"', ";"],
    ["graph", "[", "]"],
  ),
);

function join(tokens: Tokens, between: readonly string[]): string {
  return tokens.map((token, index) => token + (between[index % between.length] ?? " ")).join("");
}

/** Sources that compile. */
export const sources: fc.Arbitrary<string> = fc
  .tuple(
    statements,
    fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], { minLength: 11 }),
    fc.array(gap, { minLength: 41, maxLength: 41 }),
    gap,
  )
  .map(([parts, order, between, before]) => {
    const tokens = ["digraph", "demo", "{", ...order.flatMap((index) => parts[index] as Tokens), "}"];
    return before.trimStart() + join(tokens, between);
  });
