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
