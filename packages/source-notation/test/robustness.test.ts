import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileSources } from "../src/index.js";
import { expectSound, ordersFolder, parse } from "./support.js";

const orders = readFileSync(`${ordersFolder}/workflow.dot`);
const settings = readFileSync(`${ordersFolder}/settings.json`);

describe("input that is wrong", () => {
  it("is refused with code and place, wherever the orders graph is cut", () => {
    for (let length = 0; length < orders.length; length++) {
      const outcome = parse(orders.subarray(0, length));
      expectSound(outcome);
      if (outcome.ok) expect(orders.subarray(length).toString().trim()).toBe("");
    }
  });

  it("is refused with code and place, wherever the orders settings are cut", () => {
    for (let length = 0; length < settings.length - 1; length += 97) {
      const files = new Map([
        ["workflow.dot", orders],
        ["settings.json", settings.subarray(0, length)],
      ]);
      const outcome = compileSources({ files });
      expectSound(outcome);
      expect(outcome.ok).toBe(false);
    }
  });

  it("is sound for any soup of tokens", () => {
    const token = fc.constantFrom(
      ...'digraph|graph|strict|subgraph|node|edge|{|}|[|]|=|;|,|:|->|--|+|<|>|"|\\|/*|*/|//|#|\n| |a|b|start|kind|on|ok|complete|1|-.5|ü|"s"|<h>|\'|\r|\t|\u00a0|-'.split(
        "|",
      ),
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 60 }), fc.boolean(), (tokens, inside) => {
        const text = inside ? `digraph d { ${tokens.join("")} }` : tokens.join(" ");
        expectSound(parse(text));
        expectSound(compileSources({ files: new Map([["workflow.dot", text]]) }));
      }),
      { numRuns: 1500 },
    );
  });

  it("is sound for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        expectSound(parse(bytes));
      }),
      { numRuns: 500 },
    );
  });

  it("does not exhaust the stack, however deep it nests", () => {
    const deep = 30_000;
    for (const open of ["{", "subgraph {", "<", "[", "a [", "a -> ", '"a" + ', "a:b ", "(", "/*", "\\"]) {
      expectSound(parse(`digraph d {${open.repeat(deep)}`));
      expectSound(parse(open.repeat(deep)));
    }
    const closed = parse(`digraph d { a [label=${"<".repeat(deep)}${">".repeat(deep)}] }`);
    expect(closed.findings.map(({ code }) => code)).toEqual(["dot.html-string"]);
  });

  it("costs in proportion to its length: no more for errors at the end of long statements", () => {
    const long = `digraph d { ${"a -> ".repeat(100_000)} ; ${"b > ;".repeat(60)} x [${"k=v ".repeat(100_000)} ; ] }`;
    expectSound(parse(long));
  });
});
