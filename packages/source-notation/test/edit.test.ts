import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  applyChanges,
  type DotDocument,
  type EditOperation,
  edit as editText,
  parseDot,
  planEdit,
} from "../src/index.js";
import { applied, modelOf } from "./edit-model.js";
import { operations } from "./edit-operations.js";
import { sources } from "./sources.js";
import { codes, expectSound } from "./support.js";

const file = "workflow.dot";
const edit = (text: string | Uint8Array, ...operations: readonly EditOperation[]) =>
  editText(text, operations, { file });

function edited(text: string, ...operations: readonly EditOperation[]): string {
  const outcome = edit(text, ...operations);
  expect(outcome.findings).toEqual([]);
  if (!outcome.ok) throw new TypeError("refused");
  return outcome.value;
}

function parsed(text: string): DotDocument {
  const outcome = parseDot(text, { file, maxBytes: Infinity });
  expect(codes(outcome)).toEqual([]);
  if (!outcome.ok) throw new TypeError("refused");
  return outcome.value;
}

/** Where the statements stand that do not speak of any of the nodes. */
function others(
  { statements, tokens }: DotDocument,
  nodes: readonly string[],
): readonly (readonly [number, number])[] {
  return statements.flatMap((statement) => {
    const names =
      statement.type === "edge" ? statement.ids : statement.type === "node" ? [statement.id] : undefined;
    const spoken = names === undefined || names.some((one) => nodes.includes(one.text));
    return spoken ? [] : [[tokens.start(statement.first), tokens.end(statement.end - 1)] as const];
  });
}

function nodesOf(operation: EditOperation): readonly string[] {
  if (operation.op === "rename-node") return [operation.node, operation.to];
  if ("node" in operation) return [operation.node];
  if ("from" in operation) return [operation.from];
  return "node" in operation.of ? [operation.of.node] : "from" in operation.of ? [operation.of.from] : [];
}

describe("edit", () => {
  it("does what the operation says and nothing else, however the file is written [DOT-edit]", () => {
    let done = 0;
    fc.assert(
      fc.property(sources, operations, (text, operation) => {
        const document = parsed(text);
        const plan = planEdit(document, operation);
        const expected = applied(modelOf(document), operation);
        expect(plan.ok, JSON.stringify(plan)).toBe(expected !== undefined);
        if (!plan.ok) {
          expectSound(plan);
          expect(edit(text, operation)).toEqual(plan);
          return;
        }
        done += 1;
        plan.value.forEach(({ start, end }, index) => {
          expect(start).toBeLessThanOrEqual(end);
          expect(start).toBeGreaterThanOrEqual(plan.value[index - 1]?.end ?? 0);
        });
        const after = edited(text, operation);
        expect(after).toBe(applyChanges(text, plan.value));
        const changed = parsed(after);
        expect(modelOf(changed)).toEqual(expected);
        expect(changed.comments.map((one) => one.text)).toEqual(document.comments.map((one) => one.text));
        for (const [from, to] of others(document, nodesOf(operation))) {
          expect(plan.value.filter(({ start, end }) => start < to && end > from)).toEqual([]);
        }
      }),
      { numRuns: 1000 },
    );
    expect(done).toBeGreaterThan(300);
  });

  it("gives back the same text when a node is renamed there and back [DOT-edit]", () => {
    fc.assert(
      fc.property(sources, fc.constantFrom("mid", "stop", "wait-here"), (text, id) => {
        const there = edited(text, { op: "rename-node", node: id, to: "a-quite-new-name" });
        expect(there).not.toBe(text);
        const quoted = text.replace(/\b(mid|stop)\b/g, (name) => (name === id ? `"${name}"` : name));
        const back = edited(there, { op: "rename-node", node: "a-quite-new-name", to: id });
        // A name that was bare and had to be quoted stays quoted.
        expect(back).toBe(id === "wait-here" ? text : quoted);
      }),
      { numRuns: 100 },
    );
  });

  it("renames in a large file, with a comment on every line [DOT-edit]", () => {
    const line = (_: unknown, index: number): string => `  n${index}; n${index} -> hub // to the hub\n`;
    const text = `digraph d { start = n0\n${Array.from({ length: 20_000 }, line).join("")} hub [kind=complete] }`;
    const after = edited(text, { op: "rename-node", node: "hub", to: "centre" });
    expect(after).toBe(text.replace(/\bhub( \/\/| \[)/g, "centre$1"));
  });

  const flow = `digraph flow {
  start = "build"; // first
  build [label="Build"]; /* a */ "wait-here" [kind="await-signal"];
  done [
    kind="complete", // the end
    color=green
  ]
  // edges
  build -> "wait-here" -> done [color="gray", x_own=1];
  "wait-here" -> build [on=no];
}`;

  /** What an operation does, and each place of the text that changes. */
  const examples: readonly (readonly [string, EditOperation, ...(readonly [string, string])[]])[] = [
    [
      "renames a node everywhere, each time as it is written there",
      { op: "rename-node", node: "build", to: "node" },
      ['"build"', '"node"'],
      ["build [label", '"node" [label'],
      ["build ->", '"node" ->'],
      ["-> build", '-> "node"'],
    ],
    [
      "adds a node after the last one",
      { op: "add-node", node: "new-one", kind: "fail", attributes: { label: "New" } },
      ["green\n  ]", 'green\n  ]\n  "new-one" [kind="fail", label="New"];'],
    ],
    [
      "adds a route after those of its node",
      { op: "add-route", from: "wait-here", outcome: "late", to: "done" },
      ["[on=no];", '[on=no];\n  "wait-here" -> done [on="late"];'],
    ],
    [
      "retargets the last edge of a chain",
      { op: "retarget-route", from: "wait-here", to: "build" },
      ["-> done", "-> build"],
    ],
    [
      "splits a chain where an earlier edge is retargeted",
      { op: "retarget-route", from: "build", to: "done" },
      ['-> "wait-here" ->', '-> "done" [color="gray", x_own=1]; "wait-here" ->'],
    ],
    ["removes the first edge of a chain", { op: "remove-route", from: "build" }, ['build -> "wait', '"wait']],
    ["removes the last edge of a chain", { op: "remove-route", from: "wait-here" }, [" -> done", ""]],
    [
      "removes a statement with its line",
      { op: "remove-route", from: "wait-here", outcome: "no" },
      ['  "wait-here" -> build [on=no];\n', ""],
    ],
    [
      "changes a value, bare where it is bare",
      { op: "set-attribute", of: { node: "done" }, name: "color", value: "red" },
      ["green", "red"],
    ],
    [
      "adds to a list that is spread over lines",
      { op: "set-attribute", of: { node: "done" }, name: "label", value: 'The "end"' },
      ["color=green", 'color=green,\n    label="The \\"end\\""'],
    ],
    [
      "sets an attribute of one edge of a chain",
      { op: "set-attribute", of: { from: "wait-here" }, name: "color", value: "red" },
      [
        '"wait-here" -> done [color="gray"',
        '"wait-here" [color="gray", x_own=1]; "wait-here" -> done [color="red"',
      ],
    ],
    [
      "sets an attribute of the graph",
      { op: "set-attribute", of: { graph: true }, name: "rankdir", value: "LR" },
      ["// first", '// first\n  rankdir = "LR";'],
    ],
    [
      "removes a list with its last attribute",
      { op: "remove-attribute", of: { node: "build" }, name: "label" },
      [' [label="Build"]', ""],
    ],
    [
      "removes an attribute and keeps the comment before it",
      { op: "remove-attribute", of: { node: "done" }, name: "color" },
      ["    color=green\n", ""],
    ],
  ];

  for (const [title, operation, ...places] of examples) {
    it(`${title} [DOT-edit]`, () => {
      let expected = flow;
      for (const [before, after] of places) {
        expect(expected).toContain(before);
        expected = expected.replace(before, () => after);
      }
      expect(edited(flow, operation)).toBe(expected);
    });
  }

  it("does operations in order, all or none [DOT-edit]", () => {
    const operations: readonly EditOperation[] = [
      { op: "add-node", node: "stop", kind: "fail" },
      { op: "add-route", from: "build", outcome: "failed", to: "stop" },
      { op: "rename-node", node: "stop", to: "given_up" },
    ];
    expect(edited(flow, ...operations)).toContain('build -> given_up [on="failed"];');
    const outcome = edit(flow, ...operations, { op: "remove-node", node: "stop" });
    expect(outcome.findings.map(({ code, pointer }) => `${pointer} ${code}`)).toEqual([
      "/3 dot.edit-impossible",
    ]);
  });

  it("keeps a byte order mark, line ends, one line and a missing line end at the end [DOT-edit]", () => {
    const add: EditOperation = { op: "add-node", node: "b", kind: "complete" };
    const route: EditOperation = { op: "add-route", from: "a", to: "b" };
    expect(edited("\ufeffdigraph d {\r\n\tstart=a\r\n\ta // x\r\n}", add, route)).toBe(
      '\ufeffdigraph d {\r\n\tstart=a\r\n\ta // x\r\n\tb [kind="complete"];\r\n\ta -> b;\r\n}',
    );
    expect(edited("digraph d { start=a; a }", add, route)).toBe(
      'digraph d { start=a; a; b [kind="complete"]; a -> b; }',
    );
    const first: EditOperation = { op: "add-node", node: "a" };
    expect(edited("digraph d {}", first)).toBe("digraph d { a; }");
    expect(edited("digraph d { // empty\n}", first)).toBe("digraph d { // empty\n  a;\n}");
    const bytes = new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode("digraph d { a }")]);
    expect(edit(bytes, add)).toMatchObject({
      ok: true,
      value: '\ufeffdigraph d { a; b [kind="complete"]; }',
    });
  });

  const refusals: readonly (readonly [string, string, unknown])[] = [
    ["a node that is not there", "dot.edit-impossible", { op: "rename-node", node: "biuld", to: "b" }],
    ["a name that is taken", "dot.edit-impossible", { op: "rename-node", node: "build", to: "done" }],
    ["a name that is none", "definition.id-grammar", { op: "add-node", node: "9 lives" }],
    ["a node that edges lead to", "dot.edit-impossible", { op: "remove-node", node: "done" }],
    ["the start", "dot.edit-impossible", { op: "remove-node", node: "build" }],
    ["a route that is there", "dot.outcome-duplicate", { op: "add-route", from: "build", to: "done" }],
    [
      "an outcome that is none",
      "definition.outcome-grammar",
      { op: "add-route", from: "build", to: "done", outcome: "No" },
    ],
    ["an edge out of an end", "definition.route-undeclared", { op: "add-route", from: "done", to: "build" }],
    [
      "a route that is not there",
      "dot.edit-impossible",
      { op: "retarget-route", from: "build", outcome: "no", to: "done" },
    ],
    [
      "an unknown kind",
      "dot.kind-unknown",
      { op: "set-attribute", of: { node: "done" }, name: "kind", value: "end" },
    ],
    [
      "an unknown attribute",
      "dot.attribute-unknown",
      { op: "set-attribute", of: { node: "done" }, name: "colr", value: "x" },
    ],
    [
      "a value that no string can hold",
      "dot.attribute-value",
      { op: "set-attribute", of: { node: "done" }, name: "label", value: "\\" },
    ],
    [
      "a start that is no node",
      "definition.start-unknown",
      { op: "set-attribute", of: { graph: true }, name: "start", value: "x" },
    ],
    [
      "a graph without a start",
      "definition.missing-member",
      { op: "remove-attribute", of: { graph: true }, name: "start" },
    ],
    [
      "an attribute that is not there",
      "dot.edit-impossible",
      { op: "remove-attribute", of: { node: "done" }, name: "shape" },
    ],
    ["an unknown operation", "dot.edit-impossible", { op: "move-node", node: "done" }],
    ["a member that is missing", "dot.edit-impossible", { op: "remove-node" }],
    ["a member too many", "dot.edit-impossible", { op: "remove-node", node: "done", force: true }],
    ["no object", "dot.edit-impossible", null],
    [
      "an element that is none",
      "dot.edit-impossible",
      { op: "remove-attribute", of: { edge: 1 }, name: "color" },
    ],
    ["a key of the prototype", "dot.edit-impossible", { op: "constructor" }],
  ];

  it.each(refusals)("refuses %s [DOT-edit]", (_, code, operation) => {
    const outcome = edit(flow, operation as EditOperation);
    expectSound(outcome);
    expect(outcome.findings.map((one) => `${one.pointer} ${one.code}`)).toEqual([`/0 ${code}`]);
  });

  it("refuses whatever is no operation, and never throws [DOT-edit]", () => {
    const member = fc.constantFrom(
      "op",
      "node",
      "to",
      "of",
      "name",
      "value",
      "from",
      "outcome",
      "attributes",
      "kind",
    );
    const word = fc.constantFrom(
      "rename-node",
      "add-node",
      "add-route",
      "set-attribute",
      "build",
      "done",
      "__proto__",
      "\0",
      "kind",
    );
    const attributes = fc.dictionary(word, fc.oneof(word, fc.jsonValue()), { noNullPrototype: true });
    const loose = fc.dictionary(
      member,
      fc.oneof({ weight: 3, arbitrary: word }, attributes, fc.jsonValue()),
      {
        noNullPrototype: true,
      },
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 4, arbitrary: loose }, fc.jsonValue()), { maxLength: 3 }),
        (some) => {
          expectSound(edit(flow, ...(some as unknown as readonly EditOperation[])));
        },
      ),
      { numRuns: 500 },
    );
    expectSound(editText(flow, { op: "remove-node" } as never, { file }));
  });

  it("gives the findings of a file that has errors, and no text [DOT-edit]", () => {
    const add: EditOperation = { op: "add-node", node: "b" };
    expect(codes(edit("digraph d { a > b }", add))).toEqual(["1:15 dot.syntax"]);
    expect(codes(edit("digraph d { a -> b [colr=red] a }", add))).toEqual([
      "1:18 dot.node-undeclared",
      "1:21 dot.attribute-unknown",
    ]);
    for (const text of ["", "\0", 'digraph d { "', "graph d {}", "\ufeff"]) {
      const outcome = edit(text, add);
      expect(outcome.ok).toBe(false);
      expectSound(outcome);
    }
    expect(codes(edit(" ".repeat(5_000_000), add))).toEqual(["1:1 dot.too-large"]);
  });
});
