import { describe, expect, it } from "vitest";
import { renderAttributes, semanticAttributes } from "../src/index.js";
import { codes, compile, compiled, line } from "./support.js";

const graph = (body: string) => `digraph d { start = a; a; z [kind=complete]; ${body} }`;
const hints = (body: string) => compile(graph(body)).findings.map(({ hint }) => hint);

describe("attributes", () => {
  it("knows every rendering attribute and gives none of them a meaning [DOT-attributes]", () => {
    const all = Object.keys(renderAttributes).filter((name) => name !== "charset");
    expect(all.length).toBeGreaterThan(160);
    expect(all.filter((name) => Object.hasOwn(semanticAttributes, name))).toEqual([]);
    const list = all.map((name) => `${name}="x"`).join(" ");
    const unlabelled = all.filter((name) => name !== "label").map((name) => `${name}="x"`);
    const plain = compiled(graph("a -> z"));
    const dressed = compiled(
      graph(
        `graph [${list}]; node [${list}]; edge [${list}]; a [${unlabelled.join(" ")}]; a -> z [${list}];`,
      ),
    );
    expect(dressed.definition).toEqual({ ...plain.definition, meta: { title: "x" } });
  });

  it("suggests the near name, of those that fit the element first [DOT-attributes]", () => {
    expect(hints("a -> z [onn=ok]")).toEqual(['did you mean "on"?']);
    expect(hints("a -> z; a [knd=activity]")).toEqual(['did you mean "kind"?']);
    expect(hints("a -> z; a [colour=red]")).toEqual(['did you mean "color"?']);
    expect(hints("a -> z; a [retries=3]")[0]).toContain("settings.json");
  });

  it("says what an element says with, and nothing that would follow from the mistake [DOT-attributes]", () => {
    expect(hints("a -> z; a -> z [outcome=failed]")).toEqual([
      expect.stringMatching(/^"on" says the outcome/),
    ]);
    expect(hints("a -> z; a [type=activity]")).toEqual([expect.stringMatching(/^"kind" says the kind/)]);
    expect(codes(compile(graph("a -> z; a -> z [On=failed]")))).toEqual(["1:62 dot.attribute-unknown"]);
    expect(codes(compile("digraph d { graph [start=a]; a [kind=complete]; }"))).toEqual([
      "1:20 dot.default-semantic",
    ]);
    expect(codes(compile("digraph d { start=1; 1 [kind=complete]; }"))).toEqual([
      "1:19 dot.numeral-id",
      "1:22 dot.numeral-id",
    ]);
    expect(codes(compile(graph("a → z")))).toEqual(["1:48 definition.id-grammar"]);
    expect(hints("a → z")).toEqual(['an edge is written "a -> b"']);
  });

  it("finds one mistake in a statement that has one, and those of the next [DOT-profile, DOT-edges]", () => {
    const broken: { readonly [statement: string]: string } = {
      'a -> f [on "failed"]': "dot.syntax",
      "a -> f [[on=failed]": "dot.syntax",
      "a -> f [on='failed']": "dot.syntax",
      "a -> f [on=failed, color=#fff]": "dot.syntax",
      "a -> f (on=failed)": "dot.syntax",
      "a -> f {on=failed}": "dot.subgraph",
      "a -> f {color=red on=failed}": "dot.subgraph",
      "node {shape=box}": "dot.syntax",
      "subgraph s { label=s; rank=same }": "dot.subgraph",
      "a -> f [onn=failed]": "dot.attribute-unknown",
    };
    for (const [statement, code] of Object.entries(broken)) {
      const { findings } = compile(`digraph d {
        start=a; a; z [kind=complete]; f [kind=fail]; a -> z;
        ${statement};
        a -> nowhere [on=other];
      }`);
      const found = findings.map((one) => `${one.place?.line} ${one.code}`);
      expect([statement, ...found]).toEqual([statement, `3 ${code}`, "4 dot.node-undeclared"]);
    }
    expect(codes(compile(graph("a -> z; stray")))).toEqual(["1:54 definition.unreachable"]);
  });

  it("keeps namespaced attributes, without meaning [DOT-attributes]", () => {
    const { presentation } = compiled(
      graph('x_top=1; graph ["acme:v"=2]; a ["acme:icon"="gear"]; a -> z [x_bend=".5"]'),
    );
    expect(presentation).toEqual([
      { element: { node: "a" }, name: "acme:icon", value: "gear" },
      { element: { graph: true }, name: "x_top", value: "1" },
      { element: { graph: true }, name: "acme:v", value: "2" },
      { element: { edge: ["a", "z"], outcome: "ok" }, name: "x_bend", value: ".5" },
    ]);
  });

  it("treats names of object members as names like any other", () => {
    expect(codes(compile(graph("a -> z; a [constructor=1, __proto__=2]")))).toEqual([
      "1:57 dot.attribute-unknown",
      "1:72 dot.attribute-unknown",
    ]);
    const { definition } = compiled(
      'digraph d { start = "__proto__"; __proto__; constructor [kind=complete, label="x"]; __proto__ -> constructor; }',
    );
    expect(Object.keys(definition.nodes)).toEqual(["__proto__", "constructor"]);
    expect(Object.keys(definition.actions)).toEqual(["__proto__"]);
    expect(definition.meta?.labels).toEqual({ constructor: "x" });
  });
});

describe("nodes and edges", () => {
  it("says on which line the other one stands [DOT-repeats, DOT-edges]", () => {
    const outcome = compile(
      "digraph d {\nstart=a;\nstart=z;\na;\na [kind=fail];\na [kind=complete];\nz [kind=complete];\nb;\nb -> z;\nb -> a;\n}",
    );
    expect(outcome.findings.map(line)).toEqual([
      'workflow.dot:3:7 dot.attribute-conflict "start" is "z" here and "a" in line 2',
      'workflow.dot:6:9 dot.attribute-conflict the kind of node "a" is "complete" here and "fail" in line 5',
      'workflow.dot:10:6 dot.outcome-duplicate node "b" already routes outcome "ok" to "z" in line 9',
    ]);
  });

  it("finds an undeclared node at the end of an edge and suggests the near one [DOT-nodes]", () => {
    const outcome = compile(graph("a -> zz; yy -> z"));
    expect(
      compile("digraph d { start=one; one; onee [kind=complete]; one -> oneee }").findings[0]?.hint,
    ).toBe('did you mean "onee"?');
    expect(codes(outcome)).toEqual(["1:51 dot.node-undeclared", "1:55 dot.node-undeclared"]);
    expect(outcome.findings.map(({ hint }) => hint)).toEqual([
      'declare it: zz [kind="activity"];',
      'declare it: yy [kind="activity"];',
    ]);
  });

  it("says once that a node is not declared, and not that there are none [DOT-nodes] [DOT-compile]", () => {
    const outcome = compile("digraph d {\nstart = one;\none -> two;\n}");
    expect(codes(outcome)).toEqual(["3:1 dot.node-undeclared", "3:8 dot.node-undeclared"]);
  });

  it("writes into hints only names that can be written [DOT-names]", () => {
    for (const source of [
      'digraph d { a [kind=complete, label=""""]; }',
      'digraph d { """" [kind=complete]; }',
      'digraph d { "a b"; "" [kind=complete]; "a b" -> ""; x -> "y\u0007"; }',
    ]) {
      for (const { hint } of compile(source).findings) expect(hint ?? "").not.toMatch(/""|a b|= *;|\p{Cc}/u);
    }
  });

  it("cuts foreign text between characters and shows what steers [DOT-places]", () => {
    const odd = `\u202e\u009b\u001b[2J${"😀".repeat(100)}`;
    for (let before = 0; before < 3; before++) {
      const name = `${"x".repeat(before)}${odd}`;
      const outcome = compile({
        "workflow.dot": `digraph "${name}" { start="${name}"; "${name}" [kind="${name}", "${name}"=1]; "a" -> "${name}2" [on="${name}"]; graph [start="${name}"]; }`,
        "settings.json": JSON.stringify({
          inputSchema: { $schemaFile: `../${name}` },
          nodes: { [`${name}3`]: {} },
        }),
      });
      expect(outcome.findings.length).toBeGreaterThan(6);
      for (const { message, hint } of outcome.findings) {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: that is the point
        expect(`${message}${hint}`).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]|\p{Surrogate}/u);
      }
    }
  });

  it("takes a declaration anywhere in the graph [DOT-nodes]", () => {
    expect(compile("digraph d { a -> z; start=a; z [kind=complete]; a }").ok).toBe(true);
  });

  it("reports no consequences of what it reported already [DOT-compile]", () => {
    expect(codes(compile(graph("q [kind=compleet]; a -> q; a -> z [on=failed]")))).toEqual([
      "1:54 dot.kind-unknown",
    ]);
    expect(codes(compile(graph("q [kind=complete]; a -> zz")))).toEqual(["1:70 dot.node-undeclared"]);
  });

  it("says once what is wrong with a name, and looks at the rest of a graph without one [DOT-names]", () => {
    expect(codes(compile("digraph { start = 1; 2; a [kind=compleet]; b -> a }"))).toEqual([
      "1:1 dot.anonymous-graph",
      "1:19 dot.numeral-id",
      "1:22 dot.numeral-id",
      "1:33 dot.kind-unknown",
      "1:44 dot.node-undeclared",
    ]);
    expect(codes(compile('digraph "a b" { start="é"; "é"; z [kind=complete]; "é" -> z }'))).toEqual([
      "1:9 definition.id-grammar",
      "1:23 definition.id-grammar",
      "1:28 definition.id-grammar",
    ]);
  });
});
