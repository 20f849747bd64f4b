import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileSources, parseDot } from "../src/index.js";
import { codes, compiled, dotFiles, expectSound, ordersFolder, parse, projectRoot } from "./support.js";

const full = Boolean(process.env["SWL_FULL"]);
const cases = `${projectRoot}conformance/cases/notation`;

/** The graphs of the examples and of every notation case that is accepted. */
const acceptedGraphs: readonly string[] = [
  ...dotFiles(`${projectRoot}examples`),
  ...readdirSync(cases)
    .filter((id) => JSON.parse(readFileSync(`${cases}/${id}/case.json`, "utf8")).verdict === "accept")
    .flatMap((id) => dotFiles(`${cases}/${id}`)),
];

const orders = readFileSync(`${ordersFolder}/workflow.dot`);
const settings = readFileSync(`${ordersFolder}/settings.json`);

describe("input that is wrong", () => {
  it("is refused with code and place, wherever the graph of an example or an accepted case is cut", () => {
    expect(acceptedGraphs.length).toBeGreaterThan(10);
    for (const file of acceptedGraphs) {
      const bytes = readFileSync(file);
      const whole = parse(bytes);
      const end = whole.ok ? whole.value.tokens.end(whole.value.body.end) : bytes.length;
      for (let length = 0; length < bytes.length; length++) {
        const cut = bytes.subarray(0, length);
        const outcome = parse(cut);
        expectSound(outcome);
        if (outcome.ok) expect(cut.toString().length).toBeGreaterThanOrEqual(end);
        if (!full && length % 7 !== 0) continue;
        expectSound(compileSources({ files: new Map([["workflow.dot", cut]]) }));
      }
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
      { numRuns: full ? 50_000 : 1_500 },
    );
  });

  it("is sound for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        expectSound(parse(bytes));
      }),
      { numRuns: full ? 20_000 : 500 },
    );
  });

  it("does not exhaust the stack, however deep it nests", () => {
    const deep = 100_000;
    const openings = [
      "{",
      "a -> {",
      "subgraph {",
      "<",
      "[",
      "a [",
      "a -> ",
      '"a" + ',
      "a:b ",
      "(",
      "/*",
      "\\",
    ];
    for (const open of openings) {
      expectSound(parse(`digraph d {${open.repeat(deep)}`));
      expectSound(parse(open.repeat(deep)));
    }
    const closed = parse(`digraph d { a [label=${"<".repeat(deep)}${">".repeat(deep)}] }`);
    expect(closed.findings.map(({ code }) => code)).toEqual(["dot.html-string"]);
    const groups = parse(`digraph d { ${"{".repeat(deep)}${"}".repeat(deep)} }`);
    expect(codes(groups)).toEqual(["1:13 dot.subgraph"]);
  });

  it("costs in proportion to its length: no more for errors at the end of long statements", () => {
    const long = `digraph d { ${"a -> ".repeat(100_000)} ; ${"b > ;".repeat(60)} x [${"k=v ".repeat(100_000)} ; ] }`;
    expectSound(parse(long));
  });

  it("is read when it is one word of ten million characters, and refused when that is too large", () => {
    const long = "x".repeat(10_000_000);
    const maxBytes = 20_000_000;
    const words = [`"${long}"`, long, `"${'\\"'.repeat(1_000_000)}"`, `"${"\\\n".repeat(1_000_000)}"`];
    for (const word of words) {
      const outcome = parseDot(`digraph d { a [label=${word}] /*${long}*/ }`, {
        file: "workflow.dot",
        maxBytes: 3e7,
      });
      expect(outcome.ok).toBe(true);
    }
    for (const word of [
      `<${long}>`,
      `1${long}`,
      `"${long}`,
      `/*${long}`,
      `<${long}`,
      "1".repeat(10_000_000),
    ]) {
      const outcome = parseDot(`digraph d { ${word} }`, { file: "workflow.dot", maxBytes });
      expectSound(outcome);
      for (const { message } of outcome.findings) expect(message.length).toBeLessThan(400);
    }
    expect(codes(parse(`digraph d { a [label="${long}"] }`))).toEqual(["1:1 dot.too-large"]);
  });
});

describe("characters that are not what they seem", () => {
  const graph = 'digraph demo {\n  start = done;\n  done [kind=complete, label="né"];\n}\n';

  it("are refused where they stand when they are NUL, lone surrogates, or not UTF-8 at all [DOT-encoding]", () => {
    for (let at = 0; at <= graph.length; at++) {
      for (const odd of ["\0", "\ud800", "\udc00"]) {
        const outcome = parse(graph.slice(0, at) + odd + graph.slice(at));
        expect(outcome.findings.map(({ code }) => code)).toEqual(["dot.encoding"]);
        expectSound(outcome);
      }
    }
    for (const encoding of ["utf16le", "latin1"] as const) {
      const bytes = Buffer.from(graph, encoding);
      expect(parse(bytes).findings.map(({ code }) => code)).toEqual(["dot.encoding"]);
    }
    const bigEndian = Buffer.from(graph, "utf16le").swap16();
    expect(codes(parse(bigEndian))).toEqual(["1:1 dot.encoding"]);
    expect(codes(parse(Buffer.from(graph, "latin1")))).toEqual(["3:32 dot.encoding"]);
    expect(codes(parse(Buffer.from(`\ufeff${graph}`, "utf16le")))).toEqual(["1:1 dot.encoding"]);
  });

  it("are read alike with a byte order mark and with any line ends [DOT-encoding] [DOT-strings]", () => {
    const { definition } = compiled(graph);
    for (const ends of ["\r\n", "\r", "\n\n"]) {
      expect(compiled(graph.replaceAll("\n", ends)).definition).toEqual(definition);
    }
    expect(compiled(`\ufeff${graph}`).definition).toEqual(definition);
    expect(codes(parse(`\ufeff\ufeff${graph}`))).toEqual(["1:1 dot.syntax"]);
    expect(codes(parse(graph.replaceAll("\n", "// c\r")))).toEqual(["1:19 dot.syntax"]);
    expect(codes(parse(graph.replace("start", "\r# c\n start")))).toEqual(["3:1 dot.syntax"]);
  });

  it("stay in labels and steer no message when they turn text around [DOT-labels]", () => {
    const turned = "\u202egnp.exe\u2066\u200f";
    const { definition } = compiled(graph.replace("né", turned));
    expect(definition.meta?.labels?.["done"]).toBe(turned);
    for (const source of [
      graph.replace("kind", `"${turned}"`),
      graph.replace("start", turned),
      `${turned} {}`,
    ]) {
      const outcome = compileSources({ files: new Map([["workflow.dot", source]]) });
      expectSound(outcome);
      expect(outcome.ok).toBe(false);
      for (const { message, hint } of outcome.findings) {
        expect(`${message}${hint}`).not.toMatch(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
      }
    }
  });
});
