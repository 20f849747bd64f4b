/**
 * Random DOT in all the spellings that SWL-DOT has: every kind of word, string and comment, separators that are there
 * or not, lines that end in every way. What it means is of no interest here; most of it is no workflow.
 */
import fc from "fast-check";

const comment = fc.constantFrom(
  " // to the end\n",
  "//\r\n",
  " /* in */ ",
  '/* " */',
  "/* two\nlines */",
  "\n# hash\n",
  "/**/",
  "\r\n#\n",
);

/** White space and comments, or nothing. */
export const gap = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(" ", "", "\n", "  ") },
  { weight: 1, arbitrary: fc.constantFrom("\t", "\r\n", "\r", "\n\n") },
  { weight: 1, arbitrary: comment },
);

// Without `%`: at the beginning of a name it marks a name that Graphviz made up.
const inString = fc.constantFrom(
  "a",
  "b",
  " ",
  '\\"',
  "\\\\",
  "\\n",
  "\\\n",
  "\\\r\n",
  "\n",
  "\r\n",
  "//",
  "/*",
  "*/",
  "#",
  "{",
  "}",
  "[",
  ";",
  "->",
  "<b>",
  "<",
  "&amp;",
  "&lt",
  "+",
  "é",
  "e\u0301",
  "\u{1f600}",
  "\u202e",
  "\u2028",
  "\ufeff",
  "\t",
  "node",
  "1",
  "=",
  "\\N",
);

const string = fc.array(inString, { maxLength: 5 }).map((parts) => `"${parts.join("")}"`);

const joined = fc
  .array(fc.tuple(gap, gap, string), { minLength: 1, maxLength: 2 })
  .chain((more) => string.map((first) => first + more.map(([a, b, next]) => `${a}+${b}${next}`).join("")));

const bare = fc.constantFrom(
  ..."a b c d e f B_1 _ _x x1 é ünï graphs nodes edged strictly digraph_ subgraph1 日本 \u00a0 __proto__ constructor".split(
    / /,
  ),
);

const name = fc.oneof(
  { weight: 6, arbitrary: bare },
  { weight: 3, arbitrary: fc.constantFrom('"a"', '"b"', '"node"', '"Graph"', '"b-c"', '"1"') },
  { weight: 1, arbitrary: string },
  { weight: 1, arbitrary: joined },
);

const value = fc.oneof(
  { weight: 4, arbitrary: bare },
  { weight: 2, arbitrary: fc.constantFrom("0", "1", "-1", ".5", "-.5", "1.", "12.25", "007") },
  { weight: 3, arbitrary: string },
  { weight: 1, arbitrary: joined },
);

const attribute = fc
  .tuple(
    fc.constantFrom("on", "kind", "x_a", "x_b", '"ns:a"', '"x" + "_a"', "ünï"),
    gap,
    gap,
    value,
    gap,
    fc.constantFrom(",", ";", " ", " "),
    gap,
  )
  .map((parts) =>
    parts
      .slice(0, 1)
      .concat(parts[1], "=", ...parts.slice(2))
      .join(""),
  );

const list = fc
  .tuple(gap, fc.array(attribute, { maxLength: 3 }))
  .map(([before, attributes]) => `[${before}${attributes.join("")}]`);

const lists = fc.array(fc.tuple(gap, list, gap), { maxLength: 2 }).map((all) => all.flat().join(""));

const chain = fc
  .tuple(name, fc.array(fc.tuple(gap, gap, name), { maxLength: 3 }))
  .map(([first, more]) => first + more.map(([a, b, next]) => `${a}->${b}${next}`).join(""));

const statement = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(chain, lists).map((parts) => parts.join("")) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom("node", "EDGE", "Graph"), gap, fc.constantFrom("[x_c=1]", "[]", "[x_c=a x_d=b]"))
      .map((parts) => parts.join("")),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom("x_top", '"x_" + "top"', '"ns:top"'), gap, gap, value)
      .map(([key, a, b, said]) => `${key}${a}=${b}${said}`),
  },
);

/** Sources that are mostly read. */
export const dotText: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom("", "\ufeff"),
    gap,
    fc.constantFrom("digraph", "DiGraph"),
    fc.tuple(gap, name, gap),
    fc.array(fc.tuple(gap, statement, gap, fc.constantFrom(";", ";", "\n", " ")), { maxLength: 6 }),
    gap,
    gap,
  )
  .map(([mark, before, keyword, title, body, end, after]) =>
    [mark, before, keyword, " ", ...title, "{", ...body.flat(), end, "}", after].join(""),
  );

/** The same with something taken out or put in anywhere: refused or not, as it falls. */
export const damagedDotText: fc.Arbitrary<string> = fc
  .tuple(
    dotText,
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.nat(4),
        fc.constantFrom(
          ..."| |;|,|:|{|}|[|]|=|->|--|+|-|.|1|a|\"|\\|<|>|/|*|//|/*|*/|#|\n|\r|'|&|@|$|(|node|strict|subgraph|\f|\v|\u0001|é".split(
            "|",
          ),
        ),
      ),
      { minLength: 1, maxLength: 2 },
    ),
  )
  .map(([text, changes]) => {
    let damaged = text;
    for (const [where, length, put] of changes) {
      const at = where % (damaged.length + 1);
      damaged = damaged.slice(0, at) + put + damaged.slice(at + length);
    }
    return damaged;
  });
