import { join } from "node:path";
import { isSwlError } from "@swl/base";
import type { Definition } from "@swl/definition";
import { describe, expect, it } from "vitest";
import { compileFolder } from "../src/folder.js";
import { type Overlay, renderMermaid } from "../src/render.js";
import { readMermaid } from "./mermaid.js";
import { compiled, ordersFolder, projectRoot } from "./support.js";

async function definitionOf(folder: string): Promise<Definition> {
  const outcome = await compileFolder(folder);
  if (!outcome.ok) throw new TypeError("refused");
  return outcome.value.definition;
}

describe("renderMermaid", () => {
  it("writes every node and route, and the same text each time", async () => {
    const orders = await definitionOf(ordersFolder);
    const text = renderMermaid(orders);
    const { nodes, edges } = readMermaid(text);
    expect(nodes.map(({ name }) => name)).toEqual(Object.keys(orders.nodes).map((id) => `n_${id}`));
    const routes = Object.entries(orders.nodes).flatMap(([id, node]) =>
      "routes" in node ? Object.entries(node.routes).map(([outcome, to]) => [id, outcome, to]) : [],
    );
    const written = edges
      .slice(1)
      .map(({ from, text: label, to }) => [
        from.slice("n_".length),
        label.replace(" (at most 2)", ""),
        to.slice("n_".length),
      ]);
    expect(written).toEqual(routes);
    expect(edges[0]).toMatchObject({ from: "start((start))", to: "n_check_credit" });
    expect(renderMermaid(orders)).toBe(text);
  });

  it("tells kinds apart by shape, and failed and exhausted routes by arrow and dashes", async () => {
    const kinds = await definitionOf(join(projectRoot, "conformance/cases/notation/profile-kinds/source"));
    const shapes = new Map(
      readMermaid(renderMermaid(kinds)).nodes.map(({ className, open }) => [className, open]),
    );
    const orders = readMermaid(renderMermaid(await definitionOf(ordersFolder)));
    for (const { className, open } of orders.nodes) shapes.set(className, open);
    expect(Object.fromEntries(shapes)).toEqual({
      activity: "(",
      "await-signal": "{{",
      "await-timer": "[/",
      choice: "{",
      complete: "([",
      fail: "[[",
    });
    const special = orders.edges.filter(({ arrow }) => arrow !== "-->");
    expect(special.map(({ text, arrow }) => [text, arrow])).toEqual([
      ["exhausted", "-.->"],
      ["failed", "-.->"],
    ]);
    expect(special.map(({ style }) => /dasharray:\d \d/.exec(style ?? "")?.[0])).toEqual([
      "dasharray:2 4",
      "dasharray:6 3",
    ]);
  });

  it("lays one run over it", async () => {
    const overlay: Overlay = {
      path: [
        { node: "check_credit", route: "ok" },
        { node: "reserve_stock", route: "short" },
        { node: "adjust_order", route: "ok" },
        { node: "reserve_stock", route: "short" },
        { node: "adjust_order", route: "ok" },
        { node: "reserve_stock", route: "exhausted" },
      ],
      current: [],
      parked: [],
      failed: ["out_of_stock"],
      counts: { check_credit: 1, reserve_stock: 3, adjust_order: 2, out_of_stock: 1 },
    };
    const { nodes, edges } = readMermaid(renderMermaid(await definitionOf(ordersFolder), { overlay }));
    const node = (name: string) => nodes.find((one) => one.name === name);
    expect(node("n_reserve_stock")).toMatchObject({
      className: "activity-visited",
      lines: ["Reserve stock", "idempotent · 3 visits"],
    });
    expect(node("n_out_of_stock")).toMatchObject({ className: "fail-failed" });
    expect(node("n_out_of_stock")?.lines.at(-1)).toBe("fails: stock.short · 1 visit · failed here");
    expect(node("n_ship")?.className).toBe("activity-untouched");
    const taken = edges.filter(({ style }) => style?.includes("stroke-width:4px"));
    expect(taken.map(({ text, arrow }) => `${arrow} ${text}`)).toEqual([
      "==> ok",
      "==> short (at most 2) × 2",
      "-.-> exhausted",
      "==> ok × 2",
    ]);
  });

  it("gives each node a name of its own that is no word of Mermaid", () => {
    const ids = ["end", "a-b", "a_b", "a--b", "a-_b", "a-", "_", "default", "constructor"];
    const names = ids.map((id) => `"${id}"`);
    const source = `digraph d { start="end"; ${names.join("; ")}; z [kind=complete]; ${names.join(" -> ")} -> z }`;
    const { nodes } = readMermaid(renderMermaid(compiled(source).definition));
    expect(nodes.map(({ name }) => name).slice(0, -1)).toEqual([
      "n_end",
      "n_a.b",
      "n_a_b",
      "n_a..b",
      "n_a._b",
      "n_a.",
      "n__",
      "n_default",
      "n_constructor",
    ]);
  });

  it("is refused beyond the limit", () => {
    const { definition } = compiled("digraph d { start=b; b [kind=complete] }");
    const nodes = Object.fromEntries(
      Array.from({ length: 10_001 }, (_, at) => [`n${at}`, { kind: "complete", output: null } as const]),
    );
    let thrown: unknown;
    try {
      renderMermaid({ ...definition, start: "n0", nodes });
    } catch (error) {
      thrown = error;
    }
    expect(isSwlError(thrown) && thrown.code).toBe("render.unavailable");
  });
});
