/** What bad input gets: one located, coded message, its exit code, and nothing half-done. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { bindings, documentOf, fixtures, flow, folder, start, swl, until } from "./support/call.js";

const dot = 'digraph "w" {\n  start = "a";\n  a;\n  a -> b;\n  b [kind="complete"];\n}\n';

function source(files: { readonly [name: string]: string }): string {
  const path = folder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

const sourceCommands = [
  "validate",
  "compile",
  "digest",
  "render",
  "canonical",
  "explain",
  "diff",
  "diff",
  "run",
];

/** Every command that reads a source, each leaving its folder as it was. */
async function refusals(path: string) {
  const cwd = folder();
  const commands = [
    ["validate", path],
    ["compile", path, "--out", "out.json"],
    ["digest", path],
    ["render", path, "--out", "out.svg"],
    ["canonical", path, "--out", "out.json"],
    ["explain", path],
    ["diff", flow, path],
    ["diff", path, flow],
    ["run", path, "--bindings", bindings],
  ];
  const codes: unknown[] = [];
  for (const args of commands) {
    const { code, out } = await swl([...args, "--json"], { cwd });
    const document = JSON.parse(out);
    const [finding] = document.findings ?? document.error.findings;
    codes.push([args[0], code, finding.code, finding.place !== undefined]);
  }
  expect(readdirSync(cwd)).toEqual([]);
  return codes;
}

describe("a source", () => {
  const cases: readonly (readonly [string, () => string, string, number])[] = [
    ["whose folder is missing", () => join(folder(), "nothing"), "source.not-found", 3],
    ["whose graph is empty", () => source({ "workflow.dot": "" }), "dot.empty", 1],
    [
      "that is no digraph",
      () => source({ "workflow.dot": 'graph "w" {\n  a -- b;\n}\n' }),
      "dot.undirected",
      1,
    ],
    [
      "whose settings say a key twice",
      () => source({ "workflow.dot": dot, "settings.json": '{"version": "1",\n "version": "2"}' }),
      "json.duplicate-key",
      1,
    ],
    [
      "whose settings end with a comma",
      () => source({ "workflow.dot": dot, "settings.json": '{"version": "1",}' }),
      "json.syntax",
      1,
    ],
    [
      "with an unknown action",
      () => source({ "workflow.dot": dot, "settings.json": '{"nodes": {"a": {"action": "nobody"}}}' }),
      "definition.action-unknown",
      1,
    ],
  ];

  it("tells who names the settings to name the folder", async () => {
    const path = `${source({ "workflow.dot": dot, "settings.json": '{ "version": "1" }' })}/settings.json`;
    const { code, out } = await swl(["validate", path]);
    expect(code).toBe(1);
    expect(out).toContain("hint: settings are read with their graph: name the folder");
  });

  it("reads no more of a definition than its limit", { skip: !existsSync("/dev/zero") }, async () => {
    const path = join(folder(), "endless.json");
    symlinkSync("/dev/zero", path);
    const { code, out } = await swl(["validate", path]);
    expect(code).toBe(1);
    expect(out).toContain("error json.too-large:");
  });

  it.each(cases)("%s is refused in place by every command", async (_, make, expected, exit) => {
    const path = make();
    expect(await refusals(path)).toEqual(sourceCommands.map((command) => [command, exit, expected, true]));
  });
});

describe("swl run", () => {
  async function refused(...args: readonly string[]) {
    const cwd = folder();
    const called = await swl(["run", flow, "--json", ...args], { cwd });
    expect(readdirSync(cwd)).toEqual([]);
    return [called.code, documentOf(called)["error"]] as const;
  }

  it("refuses input that misses a field, in place, before there is a store", async () => {
    const file = join(folder(), "input.json");
    writeFileSync(file, '\n  {"direct": true}\n');
    const [code, error] = await refused("--bindings", bindings, "--input", file);
    expect(code).toBe(1);
    expect(error).toMatchObject({ code: "input.invalid", place: { file, line: 2, column: 3 } });
  });

  it("refuses input that is no JSON, and a file that is not there", async () => {
    expect(await refused("--bindings", bindings, "--input", '{"name": }')).toMatchObject([
      1,
      { code: "json.syntax", place: { file: "--input", line: 1, column: 10 } },
    ]);
    expect(await refused("--bindings", bindings, "--input", "nothing.json")).toMatchObject([
      3,
      { code: "source.not-found", message: expect.stringContaining("nothing.json") },
    ]);
  });

  it("refuses bindings that are missing, broken, none, or not enough", async () => {
    const module = (name: string) => ["--bindings", join(fixtures, name), "--input", '{"name": "x"}'];
    expect(await refused(...module("nothing.mjs"))).toMatchObject([3, { code: "source.not-found" }]);
    expect(await refused(...module("broken-bindings.mjs"))).toMatchObject([
      1,
      { code: "binding.invalid", message: expect.stringContaining("no connection string") },
    ]);
    expect(await refused(...module("no-bindings.mjs"))).toMatchObject([1, { code: "binding.invalid" }]);
    expect(await refused(...module("half-bindings.mjs"))).toMatchObject([
      1,
      { code: "binding.missing", findings: [{ pointer: "/actions/pay" }] },
    ]);
  });
});

const verbs: readonly (readonly [string, readonly string[]])[] = [
  ["status", ["status", "r"]],
  ["why", ["why", "r"]],
  ["history", ["history", "r"]],
  ["list", ["list"]],
  ["signal", ["signal", "r", "gate"]],
  ["resolve", ["resolve", "r", "--decision", "retry"]],
  ["cancel", ["cancel", "r"]],
  ["render", ["render", "--run", "r"]],
];
const serving: readonly (readonly [string, readonly string[]])[] = [
  ["run", ["run", flow, "--bindings", bindings, "--input", '{"name": "x"}']],
  ["worker", ["worker", "--bindings", bindings]],
];

describe("a store", () => {
  it.each(verbs)("that is not there is not made by %s", async (_, args) => {
    const cwd = folder();
    for (const [options, env] of [
      [["--store", "s.db"], {}],
      [[], { SWL_STORE: "s.db" }],
      [[], {}],
    ] as const) {
      const { code, err } = await swl([...args, ...options], { cwd, env });
      expect(code).toBe(3);
      expect(err).toMatch(/^error cli\.store-missing: there is no store at \S/);
    }
    expect(readdirSync(cwd)).toEqual([]);
  });

  it.each([...verbs, ...serving])("that is no database is left alone by %s", async (_, args) => {
    const file = join(folder(), "s.db");
    writeFileSync(file, "orders, but as text");
    const { code, err } = await swl([...args, "--store", file]);
    expect(code).toBe(5);
    expect(err).toMatch(/^error store\.corrupt: .*s\.db/);
    expect(readFileSync(file, "utf8")).toBe("orders, but as text");
  });

  it.each([...verbs, ...serving])("of a newer version is refused by %s", async (_, args) => {
    const cwd = folder();
    const file = join(cwd, "s.db");
    await swl([
      "run",
      flow,
      "--bindings",
      bindings,
      "--input",
      '{"name": "x", "direct": true}',
      "--store",
      file,
    ]);
    const database = new DatabaseSync(file);
    database.exec("PRAGMA user_version = 999");
    database.close();
    const before = readFileSync(file);
    const { code, err } = await swl([...args, "--store", file]);
    expect(code).toBe(5);
    expect(err).toMatch(/^error store\.incompatible: .*newer version/);
    expect(readFileSync(file)).toEqual(before);
  });
});

describe("a store that a host serves", () => {
  it("takes no second host that wants to be alone, others do, and every other verb", async () => {
    const cwd = folder();
    const input = ["--input", '{"name": "ann"}'];
    const waiting = documentOf(await swl(["run", flow, "--bindings", bindings, ...input, "--json"], { cwd }));
    const run = String(waiting["run"]);
    const host = start(["worker", "--bindings", bindings, "--json"], { cwd });
    await until(() => host.out().includes('"event":"ready"'));
    for (const second of [
      ["worker", "--bindings", bindings, "--exclusive"],
      ["run", flow, "--bindings", bindings, "--exclusive", ...input],
    ]) {
      const { code, err } = await swl(second, { cwd });
      expect(code).toBe(4);
      expect(err).toMatch(/^error store\.host-active: /);
    }
    expect(documentOf(await swl(["list", "--json"], { cwd }))).toMatchObject({ run });
    const beside = ["--input", '{"name": "bob", "direct": true}', "--json"];
    const second = await swl(["run", flow, "--bindings", bindings, ...beside], { cwd });
    expect(documentOf(second)).toMatchObject({ status: "completed" });
    const steps = [
      ["status", run],
      ["why", run],
      ["signal", run, "gate", "--outcome", "yes"],
    ];
    for (const step of steps) expect([step[0], (await swl(step, { cwd })).code]).toEqual([step[0], 0]);
    host.interrupt();
    expect((await host.ended).code).toBe(0);
  });

  it("lets resolve and cancel through", async () => {
    const cwd = folder();
    const runs: string[] = [];
    for (const input of ['{"name": "crash", "direct": true}', '{"name": "ann"}']) {
      const called = await swl(["run", flow, "--bindings", bindings, "--input", input, "--json"], { cwd });
      runs.push(String(documentOf(called)["run"]));
    }
    const host = start(["worker", "--bindings", bindings, "--json"], { cwd });
    await until(() => host.out().includes('"event":"ready"'));
    expect((await swl(["resolve", runs[0]!, "--decision", "retry"], { cwd })).code).toBe(0);
    expect((await swl(["cancel", runs[1]!], { cwd })).code).toBe(0);
    await until(async () => (await swl(["list", "--json"], { cwd })).out.split('"closed":true').length === 3);
    host.interrupt();
    expect((await host.ended).code).toBe(0);
  });
});

describe("a definition that asks for a capability", () => {
  it("runs only where it is granted", async () => {
    const cwd = folder();
    const definition = JSON.parse((await swl(["compile", flow])).out);
    definition.actions.pay.capabilities = ["money"];
    writeFileSync(join(cwd, "flow.json"), JSON.stringify(definition));
    const command = ["run", "flow.json", "--bindings", bindings, "--input", '{"name": "x", "direct": true}'];
    const refused = await swl(command, { cwd });
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("error binding.not-granted: ");
    expect(readdirSync(cwd)).toEqual(["flow.json"]);
    expect((await swl([...command, "--grant", "money"], { cwd })).code).toBe(0);
  });
});

describe("a store that cannot be made", () => {
  it("is refused by name", async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "file"), "");
    const { code, err } = await swl(["worker", "--bindings", bindings, "--store", "file/s.db"], { cwd });
    expect(code).toBe(5);
    expect(err).toMatch(/^error store\.unavailable: the folder of file\/s\.db /);
  });
});

describe("nothing", () => {
  it("is created by a command that was refused", async () => {
    const cwd = folder();
    mkdirSync(join(cwd, "empty"));
    await swl(["run", "empty", "--bindings", bindings], { cwd });
    await swl(["worker", "--bindings", "nothing.mjs"], { cwd });
    expect(existsSync(join(cwd, ".swl"))).toBe(false);
  });
});
