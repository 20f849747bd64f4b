import { describe, expect, it } from "vitest";
import { codes, line, parse } from "./support.js";

function document(source: string | Uint8Array) {
  const outcome = parse(source);
  expect(outcome.findings.map(line)).toEqual([]);
  if (!outcome.ok) throw new TypeError("refused");
  return outcome.value;
}

const texts = (tokens: readonly { readonly text: string }[]) => tokens.map(({ text }) => text);

describe("parseDot", () => {
  it("gives statements in order, with decoded tokens [DOT-profile]", () => {
    const { name, statements } = document(`digraph "re" + "view" {
      start = build;
      node [shape=box]
      build [kind="activity" label="B"; x_a=1,][color=red];
      build -> a -> "b c" [on=ok]
    }`);
    expect(name.text).toBe("review");
    expect(statements.map(({ type }) => type)).toEqual(["assignment", "defaults", "node", "edge"]);
    const [, , node, edge] = statements;
    expect(
      node?.type === "node" && node.attributes.map(({ name, value }) => [name.text, value.text]),
    ).toEqual([
      ["kind", "activity"],
      ["label", "B"],
      ["x_a", "1"],
      ["color", "red"],
    ]);
    expect(edge?.type === "edge" && texts(edge.ids)).toEqual(["build", "a", "b c"]);
  });

  it("decodes quotes and continued lines and leaves other backslashes [DOT-strings]", () => {
    const { statements } = document(
      'digraph d { "a\\"b" [label="\\n\\\\"]; "c\\\nd"; "e\\\r\nf"; "g" /* + "no" */ + // "no"\n "h" }',
    );
    const ids = statements.map((statement) => (statement.type === "node" ? statement.id.text : ""));
    expect(ids).toEqual(['a"b', "cd", "ef", "gh"]);
    const [first] = statements;
    expect(first?.type === "node" && first.attributes[0]?.value.text).toBe("\\n\\\\");
  });

  it("keeps comments aside, of each kind, and none that stands in a string [DOT-lexical]", () => {
    const { comments } = document(
      '# one\ndigraph d { // two\n a [label="// no # no /* no"]; /* three\n*/ b }\n#four',
    );
    expect(texts(comments)).toEqual(["# one", "// two", "/* three\n*/", "#four"]);
  });

  it("gives every token the place of its first character [DOT-places]", () => {
    const { name, statements, placeAt } = document('digraph demo {\r\n\ta;\r  b -> "ü" }');
    expect(placeAt(name.start)).toEqual({ file: "workflow.dot", line: 1, column: 9 });
    const [a, edge] = statements;
    expect(a?.type === "node" && placeAt(a.id.start)).toEqual({ file: "workflow.dot", line: 2, column: 2 });
    const target = edge?.type === "edge" ? edge.ids[1] : undefined;
    expect(target && placeAt(target.start)).toEqual({ file: "workflow.dot", line: 3, column: 8 });
    expect(target && [target.start, target.end]).toEqual([27, 30]);
  });

  it("reads keywords in any case, and as names when quoted [DOT-lexical]", () => {
    const { statements } = document('DIGRAPH d { Node [shape=box] "node"; nodes; "Strict" -> edges }');
    expect(statements.map(({ type }) => type)).toEqual(["defaults", "node", "node", "edge"]);
  });

  it("drops a byte order mark and counts columns without it [DOT-encoding]", () => {
    const bytes = new TextEncoder().encode("\ufeffdigraph d { a }");
    expect(document(bytes).name.start).toBe(8);
    expect(document("\ufeffdigraph d { a }").source).toBe("digraph d { a }");
  });

  it("says where a byte is not UTF-8, and that UTF-16 is UTF-16 [DOT-encoding]", () => {
    const head = new TextEncoder().encode("digraph d {\n  ü ");
    const outcome = parse(new Uint8Array([...head, 0xff, 0x7d]));
    expect(codes(outcome)).toEqual(["2:5 dot.encoding"]);
    const wide = new Uint8Array(Buffer.from("digraph d { a }", "utf16le"));
    expect(parse(wide).findings[0]?.message).toContain("UTF-16");
    expect(codes(parse("digraph d { a\ud800 }"))).toEqual(["1:14 dot.encoding"]);
  });

  it("refuses more bytes than it was told to read", () => {
    expect(codes(parse("digraph d { a }"))).toEqual([]);
    const big = `digraph d { a [label="${"x".repeat(4 * 1024 * 1024)}"] }`;
    expect(codes(parse(big))).toEqual(["1:1 dot.too-large"]);
  });
});

describe("what DOT allows and SWL-DOT does not", () => {
  const refused: readonly (readonly [string, string, readonly string[]])[] = [
    ["an undirected graph", "graph g { a }", ["1:1 dot.undirected"]],
    ["an undirected edge", "digraph g { a -- b }", ["1:15 dot.undirected"]],
    ["strict", "strict digraph g { a }", ["1:1 dot.strict"]],
    ["a port", "digraph g { a:p -> b:q:n }", ["1:14 dot.port", "1:21 dot.port"]],
    ["a subgraph", "digraph g { subgraph s { a } }", ["1:13 dot.subgraph"]],
    ["a subgraph without a name", "digraph g { subgraph { a } }", ["1:13 dot.subgraph"]],
    [
      "groups at both ends of an edge",
      "digraph g { {a b} -> {c d} -> e }",
      ["1:13 dot.subgraph", "1:22 dot.subgraph"],
    ],
    ["an HTML string as a value", "digraph g { a [label=<<b>x</b>; }>] }", ["1:22 dot.html-string"]],
    ["an HTML string as a name", "digraph g { <a> }", ["1:13 dot.html-string"]],
    ["no name", "digraph { a }", ["1:1 dot.anonymous-graph"]],
    ["two graphs", "digraph g { a } digraph h { b }", ["1:17 dot.several-graphs"]],
    [
      "numbers as names",
      "digraph 1 { 2; a -> -.3; a [4=5]; 6x }",
      ["1:9", "1:13", "1:21", "1:29", "1:35"].map((at) => `${at} dot.numeral-id`),
    ],
    ["a value that is half a number", "digraph g { a [w=3in] }", ["1:18 dot.attribute-value"]],
    ["nothing", " \n", ["1:1 dot.empty"]],
    ["only a comment", "// a\n", ["1:1 dot.empty"]],
  ];
  for (const [what, source, expected] of refused) {
    it(`refuses ${what} by name [DOT-profile]`, () => {
      expect(codes(parse(source))).toEqual(expected);
      for (const { hint } of parse(source).findings) expect(hint).toBeTruthy();
    });
  }
});
