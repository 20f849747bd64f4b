import { join } from "node:path";
import { isSwlError } from "@swl/base";
import type { Definition } from "@swl/definition";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { compileFolder } from "../src/folder.js";
import { type Overlay, renderSvg } from "../src/render.js";
import { compiled, ordersFolder, projectRoot } from "./support.js";
import { ATTRIBUTES, ELEMENTS, readXml } from "./xml.js";

async function orders(): Promise<Definition> {
  const outcome = await compileFolder(ordersFolder);
  if (!outcome.ok) throw new TypeError("refused");
  return outcome.value.definition;
}

/** The group that Graphviz drew for a node or an edge, by its title. */
function group(svg: string, title: string): string {
  const groups = svg.split("<g ").filter((part) => part.includes(`<title>${title}</title>`));
  expect(groups, title).toHaveLength(1);
  return groups[0] ?? "";
}

/** The picture as XML, which it must be: names of elements and attributes, and all text. */
function read(svg: string): ReturnType<typeof readXml> {
  const xml = readXml(svg);
  expect(xml.elements.filter((name) => !ELEMENTS.includes(name))).toEqual([]);
  expect(xml.attributes.filter((name) => !ATTRIBUTES.includes(name))).toEqual([]);
  return xml;
}

const overlay: Overlay = {
  path: [
    { node: "check_credit", route: "ok" },
    { node: "reserve_stock", route: "short" },
    { node: "adjust_order", route: "ok" },
    { node: "reserve_stock", route: "short" },
    { node: "adjust_order", route: "ok" },
    { node: "reserve_stock", route: "ok" },
    { node: "needs_approval", route: "ok" },
  ],
  current: [],
  parked: ["charge_card"],
  failed: [],
  counts: { check_credit: 1, reserve_stock: 3, adjust_order: 2, needs_approval: 1, charge_card: 1 },
};

describe("renderSvg", () => {
  it("gives one svg element without prolog, comments, scripts or links", async () => {
    const svg = await renderSvg(await orders());
    expect(svg).toMatch(/^<svg [^>]*role="img" aria-label="Order fulfilment">/);
    expect(svg.trim()).toMatch(/<\/svg>$/);
    expect(svg).not.toMatch(/<!--|<!DOCTYPE|<\?xml|href|url\(|@import| id=/);
    expect(read(svg).texts).toContain("Manager approval");
  });

  it("says what a node waits for or that it chooses", async () => {
    const outcome = await compileFolder(join(projectRoot, "conformance/cases/notation/profile-kinds/source"));
    if (!outcome.ok) throw new TypeError("refused");
    const svg = await renderSvg(outcome.value.definition);
    expect(group(svg, "rest")).toContain(">after PT8H<");
    expect(group(svg, "ask")).toContain(">signal ask · until a time from data<");
    expect(group(svg, "size")).toContain(">choice<");
    const corners = (id: string) =>
      /<polygon [^>]*points="([^"]*)"/.exec(group(svg, id))?.[1]?.split(" ").length;
    expect([corners("rest"), corners("size"), corners("ask")]).toEqual([5, 5, 7]);
  });

  it("tells kinds apart by shape, and failed and exhausted routes by their line", async () => {
    const svg = await renderSvg(await orders(), { theme: "light" });
    expect(group(svg, "check_credit")).toContain("<path");
    expect(group(svg, "shipped").match(/<ellipse/g)).toHaveLength(2);
    expect(
      group(svg, "approval")
        .match(/points="([^"]*)"/)?.[1]
        ?.split(" "),
    ).toHaveLength(7);
    expect(
      group(svg, "rejected")
        .match(/points="([^"]*)"/)?.[1]
        ?.split(" "),
    ).toHaveLength(9);
    expect(group(svg, "reserve_stock&#45;&gt;out_of_stock")).toMatch(/stroke-dasharray="1,5"/);
    expect(group(svg, "approval&#45;&gt;rejected")).not.toContain("dasharray");
    expect(svg.split("<g ").filter((part) => part.includes('stroke-dasharray="5,2"'))).toHaveLength(1);
    expect(svg).toContain(">Manager approval</text>");
    expect(svg).toContain("short (at most 2)");
  });

  it("lays one run over it: path, counts, and where it stands", async () => {
    const svg = await renderSvg(await orders(), { overlay, theme: "light" });
    expect(group(svg, "reserve_stock&#45;&gt;needs_approval")).toContain('stroke-width="3"');
    expect(read(svg).texts).toContain("short (at most 2) × 2");
    expect(group(svg, "approval&#45;&gt;rejected")).toContain('stroke-width="1.3"');
    expect(group(svg, "reserve_stock")).toContain("3 visits");
    expect(group(svg, "check_credit")).toContain("1 visit<");
    expect(group(svg, "charge_card")).toContain("needs intervention");
    expect(group(svg, "charge_card")).toContain("#c2410c");
    expect(group(svg, "ship")).toContain("#f8fafc");
    expect(
      await renderSvg(await orders(), { overlay: { ...overlay, parked: [], failed: ["charge_card"] } }),
    ).toContain("failed here");
    const strange = {
      path: [{ node: "toString", route: "x" }],
      current: ["nope"],
      parked: [],
      failed: [],
      counts: { nope: 3 },
    };
    expect(await renderSvg(await orders(), { overlay: strange })).toContain("<svg");
  });

  it("leaves routes plain when nobody knows which were taken", async () => {
    const svg = await renderSvg(await orders(), {
      overlay: {
        current: [],
        parked: [],
        failed: [],
        completed: ["shipped"],
        counts: { ship: 1, shipped: 1 },
      },
      theme: "light",
    });
    expect(group(svg, "ship&#45;&gt;shipped")).toContain('class="edge swl&#45;edge&#45;business&#45;plain"');
    expect(read(svg).texts).toContain("complete · 1 visit · ended here");
    expect(read(svg).texts).toContain("idempotent · 1 visit");
  });

  it("breaks long names, counts wide characters double, and cuts what is far too long", async () => {
    const labels = {
      check_credit: "Donaudampfschifffahrtsgesellschaft",
      ship: "翌営業日の朝まで待ってから書類を確認",
      approval: "line\n".repeat(30),
    };
    const { texts } = read(await renderSvg({ ...(await orders()), meta: { title: "  ", labels } }));
    expect(texts).toEqual(expect.arrayContaining(["orders", "Donaudampfschifffahrtsgese", "llschaft"]));
    expect(texts).toEqual(expect.arrayContaining(["翌営業日の朝まで待ってから", "書類を確認"]));
    expect(texts.filter((text) => text === "line")).toHaveLength(7);
    expect(texts).toContain("…");
  });

  it("puts texts of nodes in the middle, and those of routes above all lines", async () => {
    const svg = await renderSvg(await orders(), { theme: "light" });
    const [, middle] = / cx="([^"]*)"/.exec(group(svg, "shipped")) ?? [];
    expect(group(svg, "shipped")).toContain(`text-anchor="middle" x="${middle}"`);
    const [, ...labels] = svg.split('<g class="swl-label ');
    expect(labels).toHaveLength(14);
    expect(labels.join("")).not.toMatch(/<path|<polygon|<ellipse/);
  });

  it("follows the reader's colours unless told", async () => {
    const [auto, light, dark] = await Promise.all(
      (["auto", "light", "dark"] as const).map(async (theme) => renderSvg(await orders(), { theme })),
    );
    expect(auto).toContain("@media (prefers-color-scheme: dark)");
    expect(auto?.match(/^\.(?!swl-auto ).*/gm)).toBeNull();
    expect(light).not.toContain("<style>");
    expect(dark).not.toContain("<style>");
    expect(light).toContain('fill="#ffffff"');
    expect(dark).toContain('fill="#0f172a"');
    expect(await renderSvg(await orders(), { theme: "light" })).toBe(light);
  });

  it("shows hostile labels as text and nothing else", async () => {
    const hostile = [
      "<script>alert(1)</script>",
      "</text><image href='x' onerror='alert(1)'/>",
      '"]; evil [label="x"]; a -> b [URL="javascript:alert(1)"',
      "<B>bold</B><BR/><IMG SRC='x'/>",
      "&lt;script&gt; &amp; &#60;x&#62;",
      "--><script>x</script><!--",
      "]]> <![CDATA[ x",
      '\\N \\G \\E \\" \\',
      "\u0000\u0007\ud800\uffff",
      "a\u2028b\nc\r\nd\te",
      "x".repeat(5000),
      "",
      " ",
    ];
    const plain = compiled(
      "digraph d { start=a; a; b [kind=complete]; c [kind=fail]; a -> b; a -> c [on=no] }",
    ).definition;
    for (const label of hostile) {
      const definition: Definition = {
        ...plain,
        meta: { title: label, labels: { a: label, b: label, c: label } },
        nodes: { ...plain.nodes, c: { kind: "fail", error: { code: "x", message: label } } },
      };
      read(await renderSvg(definition));
    }
    const svg = await renderSvg({ ...plain, meta: { labels: { a: "<b> &amp; \\N" } } });
    expect(svg).toContain(">&lt;b&gt; &amp;amp; \\N</text>");
  });
});

/** A workflow of `size` activities, each with a route onwards, one to failure, and some that lead anywhere. */
function large(size: number, anywhere: number): Definition {
  const nodes: { [id: string]: unknown } = {
    end: { kind: "complete", output: null },
    bad: { kind: "fail", error: { code: "x", message: "m" } },
  };
  for (let index = 0; index < size; index++) {
    const routes: { [outcome: string]: string } = {
      ok: index + 1 < size ? `n${index + 1}` : "end",
      failed: "bad",
    };
    for (let more = 0; more < anywhere; more++) {
      routes[`o${more}`] = `n${(index * 7919 + more * 104729 + 13) % size}`;
    }
    nodes[`n${index}`] = { kind: "activity", action: "a", input: null, parameters: null, routes };
  }
  const { definition } = compiled("digraph d { start=a; a; b [kind=complete]; a -> b }");
  return { ...definition, start: "n0", nodes: nodes as unknown as Definition["nodes"] };
}

describe("renderSvg of a large workflow", () => {
  it("draws every node and route, in time", { timeout: 60_000 }, async () => {
    for (const [size, anywhere] of [
      [70, 2],
      [1_000, 1],
    ] as const) {
      const svg = await renderSvg(large(size, anywhere));
      expect(svg.match(/class="node /g)).toHaveLength(size + 3);
      expect(svg.match(/class="edge /g)).toHaveLength(size * (2 + anywhere) + 1);
    }
  });

  it("is refused beyond the limit, before any layout", async () => {
    const thrown: unknown = await renderSvg(large(3_000, 2)).catch((error: unknown) => error);
    expect(isSwlError(thrown) && [thrown.code, thrown.details]).toEqual([
      "render.unavailable",
      { size: 15_002, limit: 10_000 },
    ]);
  });
});

describe("with a layout engine that fails", () => {
  it("says so, and draws again with another instance", async () => {
    vi.resetModules();
    let loads = 0;
    vi.doMock("@hpcc-js/wasm-graphviz", () => ({
      Graphviz: {
        load: async () => {
          const broken = ++loads === 1;
          return {
            layout: () => {
              if (broken) throw new RangeError("memory access out of bounds");
              return '<svg><g id="graph0" class="graph"></g></svg>';
            },
          };
        },
        unload: () => undefined,
      },
    }));
    const { renderSvg: renderBroken } = await import("../src/render.js");
    const { definition } = compiled("digraph d { start=b; b [kind=complete] }");
    const outcomes = await Promise.allSettled([
      renderBroken(definition),
      renderBroken(definition),
      renderBroken(definition),
    ]);
    vi.doUnmock("@hpcc-js/wasm-graphviz");
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
    const [first] = outcomes;
    const reason: unknown = first?.status === "rejected" ? first.reason : undefined;
    expect(isSwlError(reason) && reason.code).toBe("render.unavailable");
    expect(loads).toBe(2);
  });
});

describe("without the layout engine", () => {
  beforeEach(() => {
    vi.resetModules();
  });

  it("says which package is missing", async () => {
    vi.doMock("@hpcc-js/wasm-graphviz", () => {
      throw new TypeError("Cannot find package");
    });
    const { renderSvg: renderWithout } = await import("../src/render.js");
    const definition = compiled("digraph d { start=b; b [kind=complete] }").definition;
    const thrown: unknown = await renderWithout(definition).catch((error: unknown) => error);
    vi.doUnmock("@hpcc-js/wasm-graphviz");
    expect(isSwlError(thrown) && thrown.code).toBe("render.unavailable");
    expect(isSwlError(thrown) && thrown.hint).toContain("npm install");
  });
});
