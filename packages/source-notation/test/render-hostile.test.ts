import type { Definition } from "@swl/definition";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Overlay, renderMermaid, renderSvg } from "../src/render.js";
import { readMermaid } from "./mermaid.js";
import { compiled } from "./support.js";
import { ATTRIBUTES, ELEMENTS, readXml } from "./xml.js";

/** Pieces of what somebody would write who wants out of a label. */
const pieces = [
  ...[
    "<",
    ">",
    "&",
    '"',
    "'",
    "`",
    "\\",
    "]",
    "[",
    "}",
    "{",
    ")",
    "(",
    "|",
    "#",
    ";",
    ":",
    "%",
    "$",
    "*",
    "_",
    "~",
  ],
  ...[
    "<script>alert(1)</script>",
    "</text>",
    "</title>",
    "<image href='x' onerror='y'/>",
    "<!--",
    "-->",
    "]]>",
  ],
  ...[
    "&lt;",
    "&#60;",
    "&#x3c;",
    "#lt;",
    "#60;",
    "#quot;",
    "\\N",
    "\\G",
    "\\n",
    "\\l",
    '\\"',
    "<BR/>",
    "<B>",
    "]];",
  ],
  ...['"]:::x', "-->", "-.->|", "==>", "---", "end", "subgraph a", "click n_a href", "style n_a fill:#f00;"],
  ...[
    "%%{init: {}}%%",
    "%% ",
    "classDef x fill:#000",
    "graph TB",
    "fa:fa-car",
    "$$x$$",
    "1. ",
    "- ",
    "# ",
    "www.a.b",
  ],
  ...[
    "javascript:alert(1)",
    "\n",
    "\r\n",
    "\t",
    "\u2028",
    "\u0000",
    "\u001b[2J",
    "\ud800",
    "\uffff",
    "\u202e",
  ],
  ...["ﬂ°°60¶ß", "é", "e\u0301", "書", "עב", "👩‍👩‍👧", " ", "  ", "word", "__proto__"],
];
const label = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary", maxLength: 5 })), { maxLength: 8 })
  .map((parts) => parts.join(""));

const { definition: plain } = compiled(`digraph d {
  start=a; a; s [kind="await-signal"]; b [kind=complete]; c [kind=fail];
  a -> s -> b; a -> c [on=no]; a -> c [on=failed];
}`);

/** A workflow with strings of a stranger wherever one can stand, also where a validator would refuse them. */
const workflows = fc
  .record({
    title: label,
    name: label,
    action: label,
    signal: label,
    code: label,
    outcome: label,
    time: label,
  })
  .map(({ title, name, action, signal, code, outcome, time }): Definition => {
    const nodes = {
      a: { kind: "activity", action, input: null, parameters: null, routes: { [outcome]: "s", failed: "c" } },
      s: { kind: "await-signal", signal, deadline: { after: time, outcome }, routes: { [outcome]: "b" } },
      b: { kind: "complete", output: null },
      c: { kind: "fail", error: { code, message: title } },
    } as const;
    return {
      ...plain,
      meta: { title, labels: { a: name, s: title, b: action, c: name } },
      nodes: nodes as unknown as Definition["nodes"],
    };
  });

const overlays = fc.option(
  fc
    .record({
      path: fc.array(fc.record({ node: label, route: label })),
      counts: fc.dictionary(label, fc.nat()),
    })
    .map(
      ({ path, counts }): Overlay => ({
        path: [{ node: "a", route: "failed" }, ...path],
        current: path.map(({ node }) => node),
        parked: ["a"],
        failed: ["__proto__"],
        counts,
      }),
    ),
  { nil: undefined },
);

describe("strings of strangers", () => {
  it("never become markup of an SVG", { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(workflows, overlays, async (definition, overlay) => {
        const xml = readXml(await renderSvg(definition, overlay ? { overlay } : {}));
        expect(xml.elements.filter((name) => !ELEMENTS.includes(name))).toEqual([]);
        expect(xml.attributes.filter((name) => !ATTRIBUTES.includes(name))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it("never become syntax of Mermaid text", () => {
    fc.assert(
      fc.property(workflows, overlays, (definition, overlay) => {
        const { nodes, edges } = readMermaid(renderMermaid(definition, overlay ? { overlay } : {}));
        expect(nodes.map(({ name }) => name)).toEqual(["n_a", "n_s", "n_b", "n_c"]);
        const routes = Object.values(definition.nodes).flatMap((node) =>
          "routes" in node ? Object.values(node.routes) : [],
        );
        expect(edges.map(({ to }) => to)).toEqual(["n_a", ...routes.map((id) => `n_${id}`)]);
      }),
      { numRuns: 500 },
    );
  });

  it("are shown as they are", async () => {
    const shown = '<b> &amp; \\N #60; `x` "y" 1. fa:fa-car $$z$$ %%{init}%% end';
    const definition: Definition = { ...plain, meta: { labels: { a: shown } } };
    const { texts } = readXml(await renderSvg(definition));
    const flat = (lines: readonly string[]) => lines.join(" ");
    expect(flat(texts)).toContain(shown);
    const [node] = readMermaid(renderMermaid(definition)).nodes;
    expect(flat(node?.lines ?? []).replaceAll("\u2060", "")).toContain(shown);
  });

  it("hold nothing on which Mermaid acts after it has decoded them", () => {
    const acted: Definition = { ...plain, meta: { labels: { a: "$$x$$ $$$ ﬂ°°60¶ß fa:fa-car" } } };
    const [node] = readMermaid(renderMermaid(acted)).nodes;
    expect(node?.lines.join(" ")).toMatch(/^(?!.*(?:\$\$|ﬂ°|¶ß|:fa-))\$\u2060\$x/);
  });
});
