import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Definition, definitionDigest, readDefinition, validate } from "@swl/definition";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileFolder } from "../src/folder.js";
import { compileSources, print } from "../src/index.js";
import { definitions } from "./definitions.js";
import { compiled, line, ordersFolder, projectRoot } from "./support.js";

/** What is printed, compiled again; the same definition down to its labels, and the same identity. */
function expectRoundTrip(definition: Definition): void {
  const { dot, settings } = print(definition);
  const files = new Map([
    ["workflow.dot", dot],
    ...(settings === undefined ? [] : [["settings.json", settings] as const]),
  ]);
  const outcome = compileSources({ files });
  expect(outcome.findings.filter(({ severity }) => severity === "error").map(line)).toEqual([]);
  if (!outcome.ok) return;
  // Where editors find the schema of a file is said of the file.
  const { $schema: _, ...said } = definition;
  expect(outcome.value.definition).toEqual(said);
  expect(definitionDigest(outcome.value.definition)).toBe(definitionDigest(definition));
}

const normalized = (definition: object): Definition => {
  const outcome = validate({
    swl: "0.1",
    id: "w",
    requires: ["core"],
    dialects: {
      schema: "https://json-schema.org/draft/2020-12/schema",
      numbers: "binary64",
      expressions: "minimal",
    },
    start: "done",
    nodes: { done: { kind: "complete", output: { $get: ["input"] } } },
    ...definition,
  });
  expect(outcome.findings.map(({ message }) => message)).toEqual([]);
  if (!outcome.ok) throw new TypeError("refused");
  return outcome.value;
};

/** Every definition.json of the conformance cases that is accepted, and every source folder that compiles. */
function casesBelow(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? casesBelow(path) : path.endsWith(".json") ? [path] : [];
  });
}

describe("print", () => {
  it("leaves out the bound of kept signals where it is the default, and writes another [DOT-print]", () => {
    const requires = ["buffered-signals", "core"];
    const settingsOf = (limits: object) => JSON.parse(print(normalized({ requires, limits })).settings ?? "");
    expect(settingsOf({})).toEqual({ requires });
    expect(settingsOf({ maxBufferedSignals: 3 })).toEqual({ requires, limits: { maxBufferedSignals: 3 } });
    expectRoundTrip(normalized({ requires }));
  });

  it("gives a graph and nothing else for a simple workflow [DOT-print]", () => {
    const workflow = `digraph review {
  label = "Review";
  start = build;

  build;
  approve [kind="await-signal", label="Approval \\"by hand\\""];
  denied [kind="fail"];
  done [kind="complete"];

  build -> approve;
  build -> denied [on="failed"];
  approve -> done;
  approve -> denied [on="rejected"];
}
`;
    expect(print(compiled(workflow).definition)).toEqual({ dot: workflow });
  });

  it("says in the settings what differs from the defaults, and no more [DOT-print]", async () => {
    const outcome = await compileFolder(ordersFolder);
    if (!outcome.ok) throw new TypeError("refused");
    const { definition } = outcome.value;
    expectRoundTrip(definition);
    const settings = JSON.parse(print(definition).settings!);
    expect(Object.keys(settings)).toEqual([
      "version",
      "inputSchema",
      "outputSchema",
      "limits",
      "actions",
      "nodes",
      "meta",
    ]);
    expect(settings.limits).toEqual({ maxActivations: 200 });
    expect(settings.actions.ship.retry).toEqual({ initialDelayMs: 200, maxDelayMs: 2000 });
    expect(settings.actions.needs_approval).not.toHaveProperty("retry");
    expect(settings.nodes).not.toHaveProperty("approval.signal");
    expect(settings.meta).toEqual({ description: definition.meta?.description });
  });

  it("compiles to the same definition again, whatever it is [DOT-print]", () => {
    fc.assert(fc.property(definitions, expectRoundTrip), { numRuns: 200 });
  });

  it("compiles to the same definition again, for every definition of the cases [DOT-print]", () => {
    const files = casesBelow(join(projectRoot, "conformance/cases"));
    const accepted = files.flatMap((file) => {
      const outcome = readDefinition(readFileSync(file), { file });
      return outcome.ok ? [outcome.value] : [];
    });
    expect(accepted.length).toBeGreaterThan(100);
    for (const definition of accepted) expectRoundTrip(definition);
  });

  it("does not depend on the order of keys in nodes and routes [DOT-print]", () => {
    const reversed = (value: object): object => Object.fromEntries(Object.entries(value).reverse());
    fc.assert(
      fc.property(definitions, (definition) => {
        const nodes = Object.entries(definition.nodes).map(([id, node]) => [
          id,
          "routes" in node ? { ...node, routes: reversed(node.routes) } : node,
        ]);
        const turned = {
          ...definition,
          nodes: Object.fromEntries(nodes.reverse()),
          actions: reversed(definition.actions),
        };
        expect(print(turned as Definition)).toEqual(print(definition));
      }),
      { numRuns: 100 },
    );
  });

  it("quotes names that cannot stand bare [DOT-names]", () => {
    const definition = normalized({
      id: "Digraph",
      start: "with-hyphen",
      nodes: {
        "with-hyphen": { kind: "await-signal", signal: "s", routes: { ok: "node", strict: "__proto__" } },
        node: { kind: "complete" },
        ["__proto__"]: { kind: "complete" },
      },
    });
    expect(print(definition).dot).toBe(`digraph "Digraph" {
  start = "with-hyphen";

  "with-hyphen" [kind="await-signal"];
  "node" [kind="complete"];
  __proto__ [kind="complete"];

  "with-hyphen" -> "node";
  "with-hyphen" -> __proto__ [on="strict"];
}
`);
    expectRoundTrip(definition);
  });

  it("draws labels as they are, and leaves to the settings what a graph cannot carry [DOT-labels]", () => {
    const title = 'a \\N "b"\nc\\';
    const unseen = normalized({ meta: { title, labels: { done: "left\u202eright" } } });
    expect(print(unseen)).toEqual({
      dot: 'digraph w {\n  label = "a \\\\N \\"b\\"\\nc\\\\";\n  start = done;\n\n  done [kind="complete"];\n}\n',
      settings: '{\n  "meta": { "labels": { "done": "left\\u202eright" } }\n}\n',
    });
    for (const label of ["\u0000", "\r\n", "end\n", "\t", "\ufeff", ""]) {
      expectRoundTrip(normalized({ meta: { title: label, labels: { done: label, other: label } } }));
    }
    expectRoundTrip(normalized({ meta: {} }));
    expectRoundTrip(normalized({ meta: { labels: {} } }));
  });

  it("says that no dialect of schemas is declared, and that a schema names no file [DOT-settings, DOT-schema-files]", () => {
    const bare = normalized({ dialects: { numbers: "int53", expressions: "minimal" } });
    expect(print(bare).settings).toBe('{\n  "dialects": { "schema": null, "numbers": "int53" }\n}\n');
    expectRoundTrip(bare);
    const literal = normalized({ inputSchema: { $schemaFile: "a.json" } });
    expect(print(literal).settings).toBe(
      '{\n  "inputSchema": { "$schemaLiteral": { "$schemaFile": "a.json" } }\n}\n',
    );
    expectRoundTrip(literal);
  });

  it("prints presentation attributes back [DOT-attributes]", () => {
    const text = `digraph d {
  start = a;
  x_top = "1";

  a ["acme:icon"="gear \\"x\\"", x_a="\\\\"];
  z [kind="complete"];

  a -> z [x_bend=".5"];
  a -> z [on="short", x_bend="2
3"];
}
`;
    const { definition, presentation } = compiled(text);
    expect(print(definition, { presentation }).dot).toBe(text);
    expect(print(definition).dot).not.toContain("x_");
  });
});
