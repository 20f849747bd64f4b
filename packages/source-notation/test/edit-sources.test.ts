import { type Definition, validate } from "@swl/definition";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileSources, type EditOperation, editSources, print, type Sources } from "../src/index.js";
import { definitions } from "./definitions.js";
import { compiled, expectSound, line } from "./support.js";

const NEW = "renamed-node";

function sourcesOf(files: { readonly [name: string]: string | undefined }): Sources {
  return {
    files: new Map(
      Object.entries(files).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
  };
}

function edited(files: { readonly [name: string]: string }, ...operations: readonly EditOperation[]) {
  const outcome = editSources(sourcesOf(files), operations);
  expect(outcome.findings.map(line)).toEqual([]);
  const texts = outcome.ok ? [...outcome.value.files].map(([name, text]) => [name, String(text)]) : [];
  return Object.fromEntries(texts) as { readonly [name: string]: string };
}

function refusal(files: { readonly [name: string]: string }, operation: EditOperation): string {
  const outcome = editSources(sourcesOf(files), [operation]);
  expectSound(outcome);
  const [finding] = outcome.findings;
  return `${finding?.place?.file}:${finding?.place?.line}:${finding?.place?.column} ${finding?.code}`;
}

type Loose = { [key: string]: unknown };

/** Changes keys and texts wherever they stand in a value. */
function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapped(inner, change)]));
}

/** The definition with a node renamed, worked out on the definition: what edited sources must compile to. */
function renamed(definition: Definition, node: string, written: boolean): object {
  const swap = (text: string): string => (text === node ? NEW : text);
  const keys = (object: object | undefined): Loose =>
    Object.fromEntries(Object.entries(object ?? {}).map(([key, value]) => [swap(key), value]));
  const read = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      return value[0] === "nodes" && value[1] === node ? ["nodes", NEW, ...value.slice(2)] : value.map(read);
    }
    if (typeof value === "string") return value.replace(`nodes.${node}.`, `nodes.${NEW}.`);
    if (typeof value !== "object" || value === null || Object.hasOwn(value, "$literal")) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, read(inner)]));
  };
  const nodes = Object.entries(definition.nodes).map(([id, said]) => {
    const one: Loose = { ...said };
    if ("routes" in said) one["routes"] = mapped(said.routes, swap);
    for (const key of ["input", "output", "until", "cases"]) if (key in one) one[key] = read(one[key]);
    if (said.kind === "fail")
      one["error"] = {
        ...said.error,
        ...(said.error.details !== undefined && { details: read(said.error.details) }),
      };
    if (id !== node) return [id, one];
    if (said.kind === "activity" && said.action === node && !written) one["action"] = NEW;
    if (said.kind === "await-signal" && said.signal === node) one["signal"] = NEW;
    if (said.kind === "fail" && said.error.message === `fail node ${node} reached`) {
      one["error"] = { ...(one["error"] as Loose), message: `fail node ${NEW} reached` };
    }
    return [NEW, one];
  });
  const { meta } = definition;
  const own = definition.nodes[node];
  const follows = own?.kind === "activity" && own.action === node && !written;
  return {
    ...definition,
    start: swap(definition.start),
    nodes: Object.fromEntries(nodes),
    actions: follows ? keys(definition.actions) : definition.actions,
    ...(meta?.labels && { meta: { ...meta, labels: keys(meta.labels) } }),
  };
}

describe("editSources", () => {
  it("renames a node in the graph and the settings, and compiles to the definition with it renamed [DOT-edit]", () => {
    fc.assert(
      fc.property(definitions, fc.nat(), (definition, pick) => {
        const ids = Object.keys(definition.nodes);
        const node = ids[pick % ids.length]!;
        const { dot, settings } = print(definition);
        const outcome = editSources(sourcesOf({ "workflow.dot": dot, "settings.json": settings }), [
          { op: "rename-node", node, to: NEW },
        ]);
        const written = Object.hasOwn(JSON.parse(settings ?? "{}").actions ?? {}, node);
        const expected = validate(renamed(definition, node, written));
        if (!outcome.ok) {
          // Another node calls the action that this one has by default.
          expect(outcome.findings.map(({ code }) => code)).toEqual(["dot.edit-impossible"]);
          expect(expected.ok && written).toBe(false);
          return;
        }
        const after = compileSources(outcome.value);
        expect(after.findings.filter(({ severity }) => severity === "error").map(line)).toEqual([]);
        expect(expected.ok && expected.value).toEqual(after.ok && after.value.definition);
      }),
      { numRuns: 150 },
    );
  });

  const files = {
    "workflow.dot": `digraph orders {
  start = check;
  check; ship;
  wait [kind="await-signal"];
  done [kind="complete"]; // the end
  check -> ship; check -> wait [on="short"];
  ship -> done; wait -> check [on="go"];
}
`,
    "settings.json": `{
  "actions": {
    "check": { "outcomes": { "ok": {}, "short": {} }, "effect": "pure" } },
  "nodes": {
    "check":   { "input": { "a": { "$get": ["input"] }, "b": { "$literal": ["nodes", "check"] } } },
    "ship": {"input": {"$get": ["nodes",  "check", "output", "nodes"]}},
    "wait": { "signal": "go.on" },
    "done": { "output": [ { "$get" : ["nodes", "ship", "output"] } ] }
  },
  "meta": { "labels": { "check": "Check", "ship": "Ship" }, "layout": { "check": 1 } }
}`,
  };

  it("changes in the settings the key, the label, the paths, and says which contract stays [DOT-edit]", () => {
    const after = edited(files, { op: "rename-node", node: "check", to: "look" });
    expect(after["settings.json"]).toBe(
      files["settings.json"]
        .replace('"check":   { "input"', '"look":   { "action": "check", "input"')
        .replace('"nodes",  "check"', '"nodes",  "look"')
        .replace('"labels": { "check"', '"labels": { "look"'),
    );
    expect(after["workflow.dot"]).toBe(files["workflow.dot"].replaceAll("check", "look"));
    expect(compiled(after).definition.actions).toEqual(compiled(files).definition.actions);
  });

  it("leaves settings alone that do not speak of the node [DOT-edit]", () => {
    const after = edited(files, { op: "set-attribute", of: { node: "check" }, name: "color", value: "red" });
    expect(after["settings.json"]).toBe(files["settings.json"]);
    const bare = { "workflow.dot": files["workflow.dot"] };
    const renamedOnly = edited(bare, { op: "rename-node", node: "ship", to: "send" });
    expect(Object.keys(renamedOnly)).toEqual(["workflow.dot"]);
    expect(compiled(renamedOnly).definition.nodes["send"]).toMatchObject({ action: "send" });
  });

  it("makes room in the settings where a contract has to be named and nothing is said of the node [DOT-edit]", () => {
    const rename: EditOperation = { op: "rename-node", node: "check", to: "look" };
    const contract = '"actions": { "check": { "outcomes": { "ok": {}, "short": {} }, "effect": "pure" } }';
    const settings = (more: string): string => `{${contract}${more}}`;
    const without = edited({ ...files, "settings.json": settings("") }, rename);
    expect(without["settings.json"]).toBe(`{"nodes": { "look": { "action": "check" } }, ${contract}}`);
    const empty = edited({ ...files, "settings.json": settings(', "nodes": {}') }, rename);
    expect(empty["settings.json"]).toBe(settings(', "nodes": { "look": { "action": "check" } }'));
  });

  it("removes what the settings say of a node that is removed, and nothing that others read [DOT-edit]", () => {
    const remove: EditOperation = { op: "remove-node", node: "wait" };
    const after = edited(files, { op: "remove-route", from: "check", outcome: "short" }, remove);
    expect(after["settings.json"]).toBe(
      files["settings.json"].replace('    "wait": { "signal": "go.on" },\n', ""),
    );
    const one = '{ "nodes": {\n  "wait": { "signal": "[{" }\n} , "meta": {"labels":{"a":"x" , "wait":"]"}}}';
    const last = edited(
      { ...files, "settings.json": one },
      { op: "remove-route", from: "check", outcome: "short" },
      remove,
    );
    expect(last["settings.json"]).toBe('{ "nodes": {} , "meta": {"labels":{"a":"x" }}}');
    const graph = files["workflow.dot"]
      .replace("ship -> done; ", "check -> done [on=x]; ship -> done; ")
      .replace("check -> ship;", "");
    expect(refusal({ ...files, "workflow.dot": graph }, { op: "remove-node", node: "ship" })).toBe(
      "settings.json:8:48 dot.edit-impossible",
    );
  });

  it("leaves the byte order mark of settings where it is [DOT-edit]", () => {
    const graph = 'digraph d { start=a; a; z [kind="complete"]; a -> z; }';
    const settings = '\ufeff{"nodes":{"a":{"parameters":1}}}';
    for (const encode of [(text: string) => text, (text: string) => new TextEncoder().encode(text)]) {
      const files = new Map<string, string | Uint8Array>([
        ["workflow.dot", graph],
        ["settings.json", encode(settings)],
      ]);
      const outcome = editSources({ files }, [{ op: "rename-node", node: "a", to: "b" }]);
      expect(outcome.ok && outcome.value.files.get("settings.json")).toBe(settings.replace('"a"', '"b"'));
    }
  });

  it("reads nothing into a rule of a choice on a guess [DOT-edit]", () => {
    const choice = {
      "workflow.dot": `digraph d { start=a; a; c [kind="choice"]; z [kind="complete"]; a -> c -> z; c -> a [on="again"]; }`,
      "settings.json": `{ "requires": ["core", "expressions-jsonlogic"], "dialects": { "expressions": "jsonlogic" },
 "nodes": { "c": { "cases": [ { "outcome": "again", "when":
 { "and": [ { "<": [ { "var": "nodes.a.visit" }, 3 ] }, { "!!": [ { "var": ["nodes.a", 1] } ] }, { "val": ["nodes", "a"] } ] }
 } ], "otherwise": "ok" } } }`,
    };
    const rename: EditOperation = { op: "rename-node", node: "a", to: "b" };
    const after = edited(choice, rename);
    expect(after["settings.json"]).toBe(
      choice["settings.json"]
        .replace("nodes.a.visit", "nodes.b.visit")
        .replace('["nodes.a", 1]', '["nodes.b", 1]')
        .replace('["nodes", "a"]', '["nodes", "b"]'),
    );
    expect(compiled(after).definition.start).toBe("b");
    const unsure = choice["settings.json"].replace(
      '{ "val": ["nodes", "a"] }',
      '{ "missing": ["nodes.a.output"] }',
    );
    expect(refusal({ ...choice, "settings.json": unsure }, rename)).toBe(
      "settings.json:3:112 dot.edit-impossible",
    );
  });

  it("refuses what would give a node another contract, and settings that are no JSON [DOT-edit]", () => {
    const settings = (text: string) => ({ ...files, "settings.json": text });
    const rename: EditOperation = { op: "rename-node", node: "ship", to: "send" };
    expect(
      refusal(settings('{ "actions": { "send": { "outcomes": { "ok": {} }, "effect": "pure" } } }'), rename),
    ).toBe("settings.json:1:16 dot.edit-impossible");
    expect(refusal(settings('{ "nodes": { "check": { "action": "ship" } } }'), rename)).toBe(
      "settings.json:1:25 dot.edit-impossible",
    );
    expect(refusal(settings('{ "meta": { "labels": { "send": "" } } }'), rename)).toBe(
      "settings.json:1:25 dot.edit-impossible",
    );
    expect(refusal(settings("{,}"), rename)).toBe("settings.json:1:2 json.syntax");
    const outcome = editSources({ files: new Map() }, []);
    expect(outcome.findings.map(({ code }) => code)).toEqual(["source.not-found"]);
    expect(edited(settings("[]"), rename)["settings.json"]).toBe("[]");
  });
});
