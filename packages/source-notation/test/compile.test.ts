import { describe, expect, it } from "vitest";
import { compileSources } from "../src/index.js";
import { codes, compile, compiled, line } from "./support.js";

const graph = `digraph demo {
  start = work;
  work [label="Work \\N"];
  ask [kind="await-signal"];
  done [kind=complete];
  stop [kind=fail];
  work -> ask;
  work -> stop [on="short"];
  ask -> done [on="yes"];
}`;
const withSettings = (settings: unknown, more: { readonly [name: string]: string } = {}) => ({
  "workflow.dot": graph,
  "settings.json": typeof settings === "string" ? settings : JSON.stringify(settings, null, 1),
  ...more,
});

describe("compileSources", () => {
  it("writes every default that the graph alone leaves open [DOT-defaults]", () => {
    const { definition } = compiled(graph);
    expect(definition).toMatchObject({
      swl: "0.1",
      id: "demo",
      requires: ["core"],
      dialects: {
        schema: "https://json-schema.org/draft/2020-12/schema",
        numbers: "binary64",
        expressions: "minimal",
      },
      start: "work",
      nodes: {
        work: { kind: "activity", action: "work", input: { $get: ["input"] }, parameters: null },
        ask: { kind: "await-signal", signal: "ask", routes: { yes: "done" } },
        done: { kind: "complete", output: { $get: ["from", "output"] } },
        stop: { kind: "fail", error: { code: "workflow.failed", message: "fail node stop reached" } },
      },
      actions: { work: { outcomes: { ok: {}, short: {} }, effect: "unsafe" } },
      meta: { labels: { work: "Work work" } },
    });
  });

  it("refuses a file named inside a schema, in the settings and in files [DOT-schema-files]", () => {
    const outcome = compile(
      withSettings(
        '{\n"inputSchema": { "properties": {\n"$schemaFile": { "const": { "$schemaFile": 1 } },\n"a": { "$schemaFile": "b.json" } } },\n"outputSchema": { "$schemaFile": "out.json" } }',
        { "out.json": '{ "anyOf": [true,\n{ "$schemaFile": "out.json" }] }' },
      ),
    );
    expect(outcome.findings.map(({ code, place }) => [code, place?.file, place?.line])).toEqual([
      ["source.schema-file", "settings.json", 4],
      ["source.schema-file", "out.json", 2],
    ]);
  });

  it("takes no other spelling of the word for a schema that allows everything [DOT-schema-files]", () => {
    for (const word of ["$schemafile", "$SchemaFile", "$schema_file", "$schema-File"]) {
      const outcome = compile(withSettings({ inputSchema: { [word]: "in.json" } }, { "in.json": "true" }));
      expect(outcome.findings.map(({ code, pointer }) => [code, pointer])).toEqual([
        ["source.schema-file", `/inputSchema/${word}`],
      ]);
      const { definition } = compiled(withSettings({ inputSchema: { properties: { [word]: true } } }));
      expect(definition.inputSchema).toEqual({ properties: { [word]: true } });
    }
  });

  it("refuses members that settings do not have, also where a definition has them [DOT-settings]", () => {
    const outcome = compile(withSettings({ swl: "0.1", limit: {}, "x-mine": 1 }));
    expect(outcome.findings.map(({ code, hint }) => [code, hint])).toEqual([
      ["definition.unknown-member", expect.stringMatching(/^its members are version, requires, /)],
      ["definition.unknown-member", 'did you mean "limits"?'],
    ]);
  });

  it("says that a contract is not used where the node has the default one [DOT-defaults]", () => {
    const outcome = compile(withSettings({ actions: { wrok: { outcomes: { ok: {} }, effect: "pure" } } }));
    expect(outcome).toMatchObject({
      ok: true,
      findings: [
        {
          code: "definition.action-unused",
          severity: "warning",
          hint: 'did you mean "work"?',
          place: { file: "settings.json" },
        },
      ],
    });
  });

  it("replaces only the defaults that the settings name [DOT-defaults]", () => {
    const { definition } = compiled(
      withSettings(
        {
          nodes: {
            work: { parameters: 1 },
            more: { action: "other" },
            stop: { error: { code: "too.short" } },
            ask: {},
          },
          actions: { other: { outcomes: { ok: { outputSchema: true } }, effect: "pure" } },
        },
        { "workflow.dot": graph.replace("work -> ask;", "work -> more; more; more -> ask;") },
      ),
    );
    expect(definition.nodes["work"]).toMatchObject({
      action: "work",
      input: { $get: ["input"] },
      parameters: 1,
    });
    expect(definition.nodes["stop"]).toMatchObject({
      error: { code: "too.short", message: "fail node stop reached" },
    });
    expect(Object.keys(definition.actions)).toEqual(["other", "work"]);
    expect(definition.dialects.schema).toBe("https://json-schema.org/draft/2020-12/schema");
  });

  it("gives labels to meta, where settings may overrule them [DOT-labels]", () => {
    const { definition } = compiled({
      "workflow.dot": graph.replace("start", 'label="Demo"; start'),
      "settings.json": '{ "meta": { "description": "d", "labels": { "done": "Fin", "work": "W" } } }',
    });
    expect(definition.meta).toEqual({ title: "Demo", description: "d", labels: { work: "W", done: "Fin" } });
  });

  it("finds what is wrong in all files in one pass, each where it stands [DOT-compile, DOT-places]", () => {
    const outcome = compile(
      withSettings(
        '{\n "inputSchema": {"$schemaFile": "in.json"},\n "outputSchema": {"$schemaFile": "out.json"},\n "nodes": {\n  "work": {"input": {"$get": ["nope"]}, "kind": "fail"},\n  "wrok": {}\n }\n}',
        { "in.json": '{\n "type": 3\n}', "out.json": "{," },
      ),
    );
    expect(codes(outcome)).toEqual([
      "5:22 mapping.path",
      "5:41 source.settings-override",
      "6:3 source.settings-unknown-node",
      "1:2 json.syntax",
      "2:2 definition.schema-invalid",
    ]);
    expect(outcome.findings.map(({ place }) => place?.file)).toEqual([
      "settings.json",
      "settings.json",
      "settings.json",
      "out.json",
      "in.json",
    ]);
    expect(outcome.findings[2]?.hint).toBe('did you mean "work"?');
  });

  it("looks into the settings when the graph cannot be read, and the other way round [DOT-compile]", () => {
    const brokenGraph = compile({
      "workflow.dot": "digraph d { a > b; }",
      "settings.json": '{"id": 1, "nodes": {"q": {}}}',
    });
    expect(codes(brokenGraph)).toEqual(["1:15 dot.syntax", "1:2 source.settings-override"]);
    const brokenSettings = compile({ "workflow.dot": "digraph d { a [x=1]; }", "settings.json": "{,}" });
    expect(codes(brokenSettings)).toEqual([
      "1:9 definition.missing-member",
      "1:16 dot.attribute-unknown",
      "1:2 json.syntax",
    ]);
  });

  it("maps every pointer to what its author wrote [DOT-places]", () => {
    const { placeOf } = compiled(
      withSettings(
        '{\n "inputSchema": {"$schemaFile": "in.json"},\n "nodes": {\n  "work": {"parameters": {"a": [1, 2]}}\n }\n}',
        { "in.json": '{\n "type": "object"\n}' },
      ),
    );
    const at = (pointer: string) => {
      const place = placeOf(pointer);
      return place && `${place.file}:${place.line}:${place.column}`;
    };
    expect({
      whole: at(""),
      start: at("/start"),
      drawnNode: at("/nodes/work"),
      drawnKind: at("/nodes/ask/kind"),
      drawnOutcome: at("/nodes/work/routes/short"),
      defaultOutcome: at("/nodes/work/routes/ok"),
      label: at("/meta/labels/work"),
      setting: at("/nodes/work/parameters/a/1"),
      schema: at("/inputSchema/type"),
      absentInSchema: at("/inputSchema/properties/x"),
      filledIn: at("/nodes/work/input/$get"),
      filledInContract: at("/actions/work/outcomes/short"),
      filledInTop: at("/requires/0"),
    }).toEqual({
      whole: "workflow.dot:1:9",
      start: "workflow.dot:2:11",
      drawnNode: "workflow.dot:3:3",
      drawnKind: "workflow.dot:4:13",
      drawnOutcome: "workflow.dot:8:20",
      defaultOutcome: "workflow.dot:7:11",
      label: "workflow.dot:3:15",
      setting: "settings.json:4:36",
      schema: "in.json:2:2",
      absentInSchema: "in.json:1:1",
      filledIn: "workflow.dot:3:3",
      filledInContract: "workflow.dot:8:20",
      filledInTop: "workflow.dot:1:9",
    });
  });

  it("says what is wrong with a schema file once, and what is wrong with naming it where it is named [DOT-places]", () => {
    const outcome = compile({
      "workflow.dot": `digraph d { start=w; w [kind="await-signal"]; z [kind=complete]; w -> z; }`,
      "settings.json": `{ "inputSchema": { "$schemaFile": "a.json" }, "outputSchema": { "$schemaFile": "a.json" },
"nodes": { "w": { "payloads": {
"okay": { "$schemaFile": "b.json" } } } } }`,
      "a.json": '{ "type": "objekt" }',
      "b.json": "true",
    });
    expect(outcome.findings.map(({ code, place }) => [code, place?.file, place?.line])).toEqual([
      ["definition.schema-invalid", "a.json", 1],
      ["definition.route-undeclared", "settings.json", 3],
    ]);
  });

  it("gives warnings with a success, and errors for them when strict", () => {
    const files = withSettings({ nodes: { done: { output: { $get: ["nodes", "work", "outputt"] } } } });
    const lenient = compile(files);
    expect(lenient.ok).toBe(true);
    expect(lenient.findings.map(({ severity, code }) => `${severity} ${code}`)).toEqual([
      "warning mapping.data-flow",
    ]);
    expect(lenient.findings[0]?.place?.file).toBe("settings.json");
    expect(compile(files, { strict: true }).ok).toBe(false);
  });

  it("reads settings in the declared domain of numbers", () => {
    const settings = { dialects: { numbers: "int53" }, nodes: { work: { parameters: 0.5 } } };
    expect(codes(compile(withSettings(JSON.stringify(settings))))).toEqual(["1:63 json.number-range"]);
  });

  it("names files as the caller named their folder", () => {
    const outcome = compileSources({
      files: new Map([["workflow.dot", "digraph d { a > }"]]),
      folder: "my/flows/",
    });
    expect(outcome.findings.map(line)[0]).toMatch(/^my\/flows\/workflow\.dot:1:15 /);
  });

  it("refuses sources without a graph, and settings that are named but missing [DOT-source-files]", () => {
    expect(codes(compileSources({ files: new Map() }))).toEqual(["1:1 source.not-found"]);
    const missing = compileSources({ files: new Map([["workflow.dot", graph]]), settings: "other.json" });
    expect(missing.findings.map(line)).toEqual([
      'other.json:1:1 source.not-found there is no file "other.json"',
    ]);
  });

  it("refuses a schema file name that is no name of a file inside [DOT-source-files]", () => {
    const names = [
      "../x.json",
      "a/../../x",
      "/x",
      "C:/x",
      "C:\\x",
      "\\\\host\\x",
      "a\\b",
      "",
      "a//b",
      "./a",
      "a\u0000",
    ];
    for (const name of names) {
      const outcome = compile(withSettings({ inputSchema: { $schemaFile: name } }, { [name]: "true" }));
      expect(
        outcome.findings.map(({ code }) => code),
        name,
      ).toEqual(["source.outside-folder"]);
    }
    const collisions = withSettings(
      { inputSchema: { $schemaFile: "\u00e9.json" }, outputSchema: { $schemaFile: "E\u0301.json" } },
      { "\u00e9.json": "true", "E\u0301.json": "true" },
    );
    expect(compile(collisions).findings.map(({ code }) => code)).toEqual(["source.outside-folder"]);
    for (const name of ["workflow.dot", "settings.json"]) {
      const source = compile(
        withSettings({ inputSchema: { $schemaFile: name }, outputSchema: { $schemaFile: name } }),
      );
      expect(source.findings.map(({ code, pointer }) => [code, pointer])).toEqual([
        ["source.schema-file", "/inputSchema/$schemaFile"],
      ]);
    }
    const own = compile(withSettings({ inputSchema: { $schemaFile: "Workflow.dot" } }));
    expect(own.findings.map(({ code }) => code)).toEqual(["source.outside-folder"]);
  });

  it("reads keys of settings as data, whatever they are called", () => {
    const outcome = compile(
      withSettings('{ "__proto__": {}, "nodes": { "__proto__": {}, "constructor": {} } }'),
    );
    expect(codes(outcome)).toEqual([
      "1:3 definition.unknown-member",
      "1:31 source.settings-unknown-node",
      "1:48 source.settings-unknown-node",
    ]);
  });
});
