import { describe, expect, it } from "vitest";
import { importsOf, tokenize } from "../lib/tokens.ts";

const words = (source: string) =>
  tokenize(source)
    .filter((token) => token.kind === "word")
    .map((token) => token.text);

describe("tokenize", () => {
  it("leaves out comments of both kinds and a shebang line", () => {
    expect(words("#!/usr/bin/env node\na // b\n/* c\n d */ e")).toEqual(["a", "e"]);
  });

  it("keeps a string with quotes and escapes in one piece", () => {
    expect(tokenize(String.raw`x = "a\"b'c" + 'd"e'`).filter((token) => token.kind === "string")).toEqual([
      { kind: "string", text: String.raw`a\"b'c`, line: 1 },
      { kind: "string", text: 'd"e', line: 1 },
    ]);
  });

  it("sees code in the holes of templates, also of nested ones with braces", () => {
    expect(words("`no ${yes({ a: `no ${deep} no` })} no` + after")).toEqual(["yes", "a", "deep", "after"]);
  });

  it("tells a regular expression from a division", () => {
    const kinds = (source: string) => tokenize(source).map((token) => token.kind);
    expect(kinds("a / b / c")).not.toContain("regex");
    expect(kinds("(a) / b / c[1] / 2")).not.toContain("regex");
    expect(tokenize(String.raw`f(/[/"]\/x/gu, 1)`)[2]).toMatchObject({
      kind: "regex",
      text: String.raw`/[/"]\/x/gu`,
    });
    expect(words("return /await/.test(x)")).toEqual(["return", "test", "x"]);
  });

  it("counts lines through comments, templates and strings", () => {
    expect(tokenize("/*\n\n*/ a\n`\n` b").map((token) => [token.text.trim(), token.line])).toEqual([
      ["a", 3],
      ["", 4],
      ["b", 5],
    ]);
  });

  it("survives what does not end", () => {
    for (const source of ["'a", "`a ${b", "/* a", "/a", '"\\']) expect(() => tokenize(source)).not.toThrow();
  });
});

describe("importsOf", () => {
  const found = (source: string) =>
    importsOf(tokenize(source)).map((item) => [item.specifier, item.typeOnly]);

  it("finds every form in which a module can be named", () => {
    expect(
      found(`
        import "a";
        import b from "b";
        import * as c from "c";
        import d, { type D, default as e } from "d";
        import type { F } from "f";
        export * from "g";
        export * as h from "h";
        export { i } from "i";
        export type { J } from "j";
        type K = import("k").K;
        const l = await import(\`l\`);
        const m = require("m");
        import data from "./n.json" with { type: "json" };
        import type from "o";
        const p = import.meta.resolve("p");
      `),
    ).toEqual([
      ["a", false],
      ["b", false],
      ["c", false],
      ["d", false],
      ["f", true],
      ["g", false],
      ["h", false],
      ["i", false],
      ["j", true],
      ["k", false],
      ["l", false],
      ["m", false],
      ["./n.json", false],
      ["o", false],
      ["p", false],
    ]);
  });

  it("is not fooled by exports without a source, members, prose or import.meta", () => {
    expect(
      found(`
        export const from = "a";
        export type A = "b";
        export { c };
        x.import("d"); x.require("e");
        // import "f"
        const text = 'import "g"';
        const url = import.meta.url;
        export default function from() { return "h"; }
      `),
    ).toEqual([]);
  });
});
