/** `swl canonical`, `swl explain`, `swl diff`. */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { documentOf, flow, folder, swl } from "./support/call.js";

// biome-ignore lint/suspicious/noExplicitAny: editing a definition needs every shape
type Loose = any;

/** The flow as a definition, edited. */
async function edited(edit: (definition: Loose) => void): Promise<string> {
  const definition = JSON.parse((await swl(["compile", flow])).out);
  edit(definition);
  const file = join(folder(), "edited.json");
  writeFileSync(file, JSON.stringify(definition));
  return file;
}

describe("swl canonical", () => {
  it("prints the bytes that the identity is made of, and nothing after them", async () => {
    const { code, out, err } = await swl(["canonical", flow]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^\{"actions":\{.*\}$/);
    const digest = createHash("sha256").update(`swl.definition/0.1\n${out}`).digest("hex");
    expect((await swl(["digest", flow])).out).toBe(`sha256:${digest}\n`);
  });

  it("prints the same bytes to a terminal and to a file", async () => {
    const cwd = folder();
    const { out } = await swl(["canonical", flow]);
    expect((await swl(["canonical", flow], { color: true })).out).toBe(out);
    const written = await swl(["canonical", flow, "--out", "c.json"], { cwd });
    expect(written.out).toMatch(/^wrote c\.json {2}sha256:[0-9a-f]{64}\n$/);
    expect(readFileSync(join(cwd, "c.json"), "utf8")).toBe(out);
    expect((await swl(["canonical", "c.json"], { cwd })).out).toBe(out);
  });

  it("prints a document with --json", async () => {
    const { out } = await swl(["canonical", flow]);
    const document = documentOf(await swl(["canonical", flow, "--json"]));
    expect(document).toEqual({ canonical: out, digest: expect.stringMatching(/^sha256:/), path: flow });
  });

  it("does not change with labels and order", async () => {
    const file = await edited((definition) => {
      definition.meta = { title: "other", labels: { greet: "other" } };
      definition.nodes = Object.fromEntries(Object.entries(definition.nodes).reverse());
    });
    expect((await swl(["canonical", file])).out).toBe((await swl(["canonical", flow])).out);
  });
});

describe("swl explain", () => {
  it("tells a workflow line by line, from start", async () => {
    const { code, out, err } = await swl(["explain", flow]);
    expect([code, err]).toEqual([0, ""]);
    const lines = out.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^The workflow flow starts at greet\./);
    expect(lines[1]).toMatch(/^greet calls the action greet: /);
    expect(lines.find((line) => line.startsWith("gate"))).toContain(`waits for the signal "gate"`);
  });

  it("prints sentences and what is known of the graph with --json", async () => {
    const file = await edited((definition) => {
      definition.nodes.gate.routes.again = "greet";
    });
    const document = documentOf(await swl(["explain", file, "--json"])) as Loose;
    expect(Object.keys(document)).toEqual(["digest", "graph", "path", "sentences"]);
    expect(Object.keys(document.graph)).toEqual(["deadRoutes", "longestPath", "loops", "visits"]);
    expect(document.graph.loops).toMatchObject([{ bounds: "unbounded", entries: ["greet"] }]);
    expect(document.graph.visits[0]).toEqual({ node: "greet", visits: "unbounded", atMost: 100_000 });
    expect(document.sentences.at(-1)).toContain("No loop limit ends it");
  });
});

describe("swl diff", () => {
  it("ends with 0 for what has the same identity", async () => {
    const file = await edited((definition) => {
      definition.meta = { title: "other" };
      definition.version = "9";
    });
    const { code, out } = await swl(["diff", flow, file]);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^before {2}sha256:.*\nafter {3}sha256:.*\nsame: they differ in presentation at most\n$/,
    );
    const document = documentOf(await swl(["diff", flow, file, "--json"])) as Loose;
    expect(document).toMatchObject({ identity: "same", changes: [] });
    expect(document.before).toBe(document.after);
  });

  it("ends with 8 for another one, and says what running executions see", async () => {
    const file = await edited((definition) => {
      definition.nodes.gate.signal = "door";
      definition.limits.maxActivations = 5;
    });
    const { code, out, err } = await swl(["diff", flow, file]);
    expect([code, err]).toEqual([8, ""]);
    expect(out.split("\n").slice(2)).toEqual([
      "~ /limits/maxActivations: limits.maxActivations of the workflow changed from 100000 to 5",
      "    A running execution still fails beyond maxActivations 100000.",
      `~ /nodes/gate/signal: signal of gate changed from "gate" to "door"`,
      `    A running execution that stands at gate, or comes to it, still waits for the signal "gate" and for no other.`,
      "different: 2 changes",
      "",
    ]);
    const json = await swl(["diff", flow, file, "--json"]);
    expect(json.code).toBe(8);
    const document = documentOf(json) as Loose;
    expect(Object.keys(document)).toEqual(["after", "before", "changes", "identity"]);
    expect(document).toMatchObject({
      identity: "different",
      changes: [
        { kind: "limit-changed", pointer: "/limits/maxActivations", before: 100_000, after: 5 },
        { kind: "signal-changed", node: "gate" },
      ],
    });
  });

  it("turns round with its arguments", async () => {
    const file = await edited((definition) => {
      definition.nodes.more = { kind: "complete" };
      definition.nodes.gate.routes.more = "more";
    });
    const kinds = async (...paths: string[]) =>
      (documentOf(await swl(["diff", ...paths, "--json"])) as Loose).changes.map(({ kind }: Loose) => kind);
    expect(await kinds(flow, file)).toEqual(["route-added", "node-added"]);
    expect(await kinds(file, flow)).toEqual(["route-removed", "node-removed"]);
  });
});

describe("a source on standard input", () => {
  const dot = 'digraph flow { start = "a"; a; b [kind=complete]; a -> b; }';

  it("is a graph or a definition, for every verb that looks at sources", async () => {
    const file = join(folder(), "flow.dot");
    writeFileSync(file, dot);
    const json = (await swl(["compile", file])).out;
    for (const verb of ["validate", "compile", "digest", "canonical", "explain"]) {
      const said = (await swl([verb, file])).out.replace(file, "-");
      for (const stdin of [dot, json, `\ufeff${json}`, ` \n${json}`]) {
        expect([verb, await swl([verb, "-"], { stdin })]).toMatchObject([verb, { code: 0, out: said }]);
      }
    }
    expect(await swl(["diff", file, "-"], { stdin: json })).toMatchObject({ code: 0 });
    expect(await swl(["diff", "-", flow], { stdin: json })).toMatchObject({ code: 8 });
  });

  it("is refused with its places, as a file is", async () => {
    const broken: readonly (readonly [string, string])[] = [
      ["digraph flow { a -> }", "standard input:1:21: error dot.syntax"],
      ['{ "swl": "0.1", }', "standard input:1:15: error json.syntax"],
      ['{ "swl": "0.2" }', "standard input:1:3: error definition.release"],
      ["", "standard input:1:1: error dot.empty"],
      ["7", "standard input:1:1: error dot."],
    ];
    for (const verb of ["validate", "canonical", "explain"]) {
      for (const [stdin, said] of broken) {
        const { code, out, err } = await swl([verb, "-"], { stdin });
        expect([verb, stdin, code]).toEqual([verb, stdin, 1]);
        expect(out + err).toContain(said);
      }
    }
  });

  it("is read once", async () => {
    const { code, err } = await swl(["diff", "-", "-"], { stdin: dot });
    expect([code, err]).toEqual([2, expect.stringContaining("cli.usage")]);
  });
});

describe("sources of every kind", () => {
  it("are looked at alike: a folder, its graph alone, its definition", async () => {
    const file = await edited(() => {});
    for (const verb of ["canonical", "explain"]) {
      expect((await swl([verb, file])).out).toBe((await swl([verb, flow])).out);
      expect(await swl([verb, join(flow, "workflow.dot")])).toMatchObject({ code: 0 });
      for (const missing of [join(flow, "nothing.json"), join(flow, "nothing.dot"), join(flow, "nothing")]) {
        expect(await swl([verb, missing])).toMatchObject({ code: 3, out: "" });
      }
    }
  });
});
