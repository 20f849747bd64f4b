import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { documentOf, flow, folder, swl } from "./support/call.js";

describe("swl validate", () => {
  it("says that a folder is valid, with name and identity", async () => {
    const { code, out } = await swl(["validate", flow]);
    expect(code).toBe(0);
    expect(out).toMatch(/^\S+flow: valid flow sha256:[0-9a-f]{64}\n$/);
  });

  it("prints one line of JSON a path and ends with the worst of them", async () => {
    const missing = join(folder(), "nothing");
    const { code, out } = await swl(["validate", flow, missing, "--json"]);
    expect(code).toBe(3);
    const lines = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ path, valid }) => [path, valid])).toEqual([
      [flow, true],
      [missing, false],
    ]);
  });

  it("prints a finding with exactly the members of a finding", async () => {
    const cwd = folder();
    writeFileSync(
      join(cwd, "workflow.dot"),
      'digraph "w" {\n  start = "a";\n  a;\n  a -> b;\n  b [kind="compleet"];\n}\n',
    );
    const { code, out } = await swl(["validate", join(cwd, "workflow.dot"), "--json"]);
    expect(code).toBe(1);
    const [finding] = JSON.parse(out).findings;
    expect(Object.keys(finding).sort()).toEqual([
      "code",
      "hint",
      "message",
      "node",
      "place",
      "pointer",
      "severity",
    ]);
    expect(Object.keys(finding.place).sort()).toEqual(["column", "file", "line"]);
    expect(finding).toMatchObject({
      code: "dot.kind-unknown",
      severity: "error",
      node: "b",
      place: { line: 5 },
    });
  });

  it("prints file:line:column: severity code: message, and the hint below", async () => {
    const cwd = folder();
    const file = join(cwd, "workflow.dot");
    writeFileSync(file, 'digraph "w" {\n  start = "a";\n  a;\n  a -> b;\n  b [kind="compleet"];\n}\n');
    const { out } = await swl(["validate", file]);
    const [first, second] = out.split("\n");
    expect(first).toMatch(/^\/.*workflow\.dot:5:\d+: error dot\.kind-unknown: \S/);
    expect(second).toMatch(/^ {2}hint: \S/);
  });

  it("places the findings of a definition as JSON", async () => {
    const file = join(folder(), "definition.json");
    const { out } = await swl(["compile", flow]);
    writeFileSync(file, out.replace('"start": "greet"', '"start": "great"'));
    const invalid = await swl(["validate", file, "--json"]);
    expect(invalid.code).toBe(1);
    const line = out.split("\n").findIndex((text) => text.includes('"start"')) + 1;
    expect(JSON.parse(invalid.out).findings).toMatchObject([
      { code: "definition.start-unknown", pointer: "/start", place: { file, line } },
    ]);
  });

  it("turns warnings into errors with --strict", async () => {
    const file = join(folder(), "definition.json");
    const { out } = await swl(["compile", flow]);
    const definition = JSON.parse(out);
    definition.nodes.gate.routes.failed = "refused";
    writeFileSync(file, JSON.stringify(definition));
    const lax = await swl(["validate", file, "--json"]);
    expect(lax.code).toBe(0);
    expect(JSON.parse(lax.out).findings).toMatchObject([
      { code: "definition.route-dead", severity: "warning" },
    ]);
    const strict = await swl(["validate", file, "--strict", "--json"]);
    expect(strict.code).toBe(1);
    expect(JSON.parse(strict.out).findings).toMatchObject([{ severity: "error" }]);
  });
});

describe("swl compile and swl digest", () => {
  it("agree on the identity of a folder, its graph file and its definition", async () => {
    const cwd = folder();
    expect((await swl(["compile", flow, "--out", "flow.json"], { cwd })).code).toBe(0);
    const sources = [flow, join(flow, "workflow.dot"), "flow.json"];
    const digests = await Promise.all(
      sources.map(async (path) => (await swl(["digest", path], { cwd })).out.trim()),
    );
    expect(new Set(digests).size).toBe(1);
    const compiled = await swl(["compile", flow, "--json"]);
    expect(documentOf(compiled)).toMatchObject({
      digest: digests[0],
      findings: [],
      definition: { id: "flow" },
    });
  });

  it("write a file whole, and none when the source is invalid", async () => {
    const cwd = folder();
    mkdirSync(join(cwd, "source"));
    writeFileSync(join(cwd, "source", "workflow.dot"), "digraph w { }");
    const { code, err } = await swl(["compile", "source", "--out", "out.json"], { cwd });
    expect(code).toBe(1);
    expect(err).toContain(" error ");
    expect(readdirSync(cwd)).toEqual(["source"]);
  });

  it("refuse a place that cannot be written, by name", async () => {
    const cwd = folder();
    const { code, err } = await swl(["compile", flow, "--out", "no/such/folder.json"], { cwd });
    expect(code).toBe(3);
    expect(err).toMatch(
      /^error source\.unreadable: the file no\/such\/folder\.json cannot be written: its folder /,
    );
  });
});

describe("swl render", () => {
  it("draws a source as SVG", async () => {
    const cwd = folder();
    const { code } = await swl(["render", flow, "--out", "flow.svg", "--theme", "light"], { cwd });
    expect(code).toBe(0);
    expect(readFileSync(join(cwd, "flow.svg"), "utf8")).toMatch(/^<svg [\s\S]*greet[\s\S]*<\/svg>\s*$/);
  });

  it("writes a source as Mermaid text", async () => {
    const { code, out } = await swl(["render", flow, "--format", "mermaid"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^flowchart TB\n[\s\S]* {2}start\(\(start\)\) --> n_/);
    const json = documentOf(await swl(["render", flow, "--format", "mermaid", "--json"]));
    expect(json).toEqual({ mermaid: out });
  });

  it("refuses colors for what has none, and a format that it does not know", async () => {
    const theme = await swl(["render", flow, "--format", "mermaid", "--theme", "dark"]);
    expect([theme.code, theme.err]).toEqual([2, expect.stringContaining("cli.usage")]);
    expect((await swl(["render", flow, "--format", "png"])).code).toBe(2);
  });

  it("asks for something to draw", async () => {
    const { code, err } = await swl(["render"]);
    expect(code).toBe(2);
    expect(err).toContain("cli.usage");
    expect(existsSync(".swl")).toBe(false);
  });
});
