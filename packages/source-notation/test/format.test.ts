import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DotDocument, format as formatFile, parseDot, print } from "../src/index.js";
import { definitions } from "./definitions.js";
import { sources } from "./sources.js";
import { codes, compiled, corpus, expectSound, projectRoot } from "./support.js";

const file = "workflow.dot";
const format = (text: string | Uint8Array) => formatFile(text, { file });

function formatted(text: string): string {
  const outcome = format(text);
  expect(outcome.findings).toEqual([]);
  if (!outcome.ok) throw new TypeError("refused");
  return outcome.value;
}

function parsed(text: string): DotDocument {
  const outcome = parseDot(text, { file });
  expect(codes(outcome)).toEqual([]);
  if (!outcome.ok) throw new TypeError("refused");
  return outcome.value;
}

/** Spelling of all tokens but separators, in order. */
function spelling({ tokens, source }: DotDocument): readonly string[] {
  const all = Array.from({ length: tokens.length }, (_, index) =>
    source.slice(tokens.start(index), tokens.end(index)),
  );
  return all.filter((text) => text !== ";" && text !== ",");
}

const comments = (document: DotDocument): readonly string[] =>
  document.comments.map(({ text }) => text.replace(/[ \t]+$/, "").replace(/\r\n?/g, "\n"));

/** The laws of a format, for one source. */
function expectLaws(text: string): string {
  const once = formatted(text);
  expect(formatted(once)).toBe(once);
  const [before, after] = [parsed(text), parsed(once)];
  expect(spelling(after)).toEqual(spelling(before));
  expect(comments(after)).toEqual(comments(before));
  return once;
}

describe("format", () => {
  it("lays a file out in one way, and keeps order, spelling, comments and groups [DOT-format]", () => {
    const text =
      `// head


/* block */ DIGRAPH demo{# no
`.replace("# no\n", "  // opens\n\n\n") +
      `label="a"+
   "b";start   =work ;
work[ color=red;label = "W" , ][x_y=1]  // trailing
# hash


  work->"wait-here"  ->done
 /* before */ stop [kind="fail"]
  done[
    kind=complete, // the end
    // one more
    fontsize=-.5
  ]
"wait-here" [kind="await-signal", label="${"wide ".repeat(16)}", tooltip="x"]

}
// foot`;
    expect(expectLaws(text)).toBe(`// head

/* block */ DIGRAPH demo { // opens

  label = "a" +
      "b";
  start = work;
  work [color=red, label="W"] [x_y=1]; // trailing
# hash

  work -> "wait-here" -> done;
  /* before */ stop [kind="fail"];
  done [
    kind=complete, // the end
    // one more
    fontsize=-.5
  ];
  "wait-here" [
    kind="await-signal",
    label="${"wide ".repeat(16)}",
    tooltip="x"
  ];
}
// foot
`);
  });

  it("formats to itself, keeps every comment and means the same, however a file is written [DOT-format]", () => {
    fc.assert(
      fc.property(sources, (text) => {
        const once = expectLaws(text);
        const [before, after] = [compiled(text), compiled(once)];
        expect(after.definition).toEqual(before.definition);
        expect(after.presentation).toEqual(before.presentation);
      }),
      { numRuns: 500 },
    );
  });

  it("leaves alone what print has printed [DOT-format, DOT-print]", () => {
    fc.assert(
      fc.property(definitions, (definition) => {
        const { dot } = print(definition);
        expect(formatted(dot)).toBe(dot);
      }),
      { numRuns: 100 },
    );
  });

  it("keeps the laws for the graphs of the cases and of the corpus that can be read [DOT-format]", () => {
    const notation = join(projectRoot, "conformance/cases/notation");
    const dot = corpus("dot");
    const files = [
      ...readdirSync(notation, { recursive: true, encoding: "utf8" }).map((name) => join(notation, name)),
      ...(dot === undefined ? [] : readdirSync(dot).map((name) => join(dot, name))),
      join(projectRoot, "examples/orders/workflow.dot"),
    ].filter((name) => name.endsWith(".dot"));
    let laidOut = 0;
    for (const name of files) {
      const bytes = readFileSync(name);
      const outcome = format(bytes);
      expectSound(outcome);
      if (!outcome.ok) continue;
      laidOut += 1;
      expectLaws(new TextDecoder().decode(bytes));
    }
    expect(laidOut).toBeGreaterThan(30);
  });

  it("is what the example of this project has", () => {
    const text = readFileSync(join(projectRoot, "examples/orders/workflow.dot"), "utf8");
    expect(formatted(text)).toBe(text);
  });

  it("spreads a chain that is too wide, and puts it back on one line where it fits [DOT-format]", () => {
    const ids = Array.from({ length: 12 }, (_, index) => `a_long_name_${index}`);
    const wide = formatted(`digraph d { ${ids.join("->")} [on=x]; a\n->b\n->c }`);
    expect(wide.split("\n").slice(1, 4)).toEqual([
      "  a_long_name_0",
      "    -> a_long_name_1",
      "    -> a_long_name_2",
    ]);
    expect(wide).toContain("\n    -> a_long_name_11 [\n    on=x\n  ];\n  a -> b -> c;\n}");
    expect(formatted(wide)).toBe(wide);
  });

  it("takes the line ends of the first line, and drops a byte order mark [DOT-format]", () => {
    expect(formatted('\ufeffdigraph d {\r\n a; // x\n\n b [label="1\n2"] }')).toBe(
      'digraph d {\r\n  a; // x\r\n\r\n  b [label="1\n2"];\r\n}\r\n',
    );
    expect(formatted("digraph d {\r a /* x */\r}")).toBe("digraph d {\n  a; /* x */\n}\n");
    expect(formatted("digraph d{}")).toBe("digraph d {\n}\n");
  });

  it("gives the findings of a file that cannot be read, and no layout [DOT-format]", () => {
    expect(codes(format("digraph d { a > b; c [x=1.2.3]; subgraph {} }"))).toEqual([
      "1:15 dot.syntax",
      "1:25 dot.attribute-value",
      "1:33 dot.subgraph",
    ]);
    for (const text of ["", "  // only\n", "digraph {}", 'digraph d { a [label="', "\0"]) {
      const outcome = format(text);
      expect(outcome.ok).toBe(false);
      expectSound(outcome);
    }
    expect(codes(format(new Uint8Array([0xff, 0xfe, 0x64, 0])))).toEqual(["1:1 dot.encoding"]);
    expect(codes(format(" ".repeat(5_000_000)))).toEqual(["1:1 dot.too-large"]);
  });

  it("survives every truncation of a file [DOT-format]", () => {
    const text = readFileSync(join(projectRoot, "examples/orders/workflow.dot"), "utf8");
    for (let end = 0; end < text.length; end += 7) expectSound(format(text.slice(0, end)));
  });
});
