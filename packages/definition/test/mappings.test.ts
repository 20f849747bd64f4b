import { isSwlError, type Json } from "@swl/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileMapping, evaluateMapping, type MappingContext } from "../src/mappings.js";

const output = { items: [10, { price: 5 }], none: null };
const context: MappingContext = {
  input: { task: "a", "": { "a/b": 1 }, n: null },
  node: (id) => (id === "check" ? { outcome: "ok", output, visit: 2 } : undefined),
  nodeIds: () => ["check"],
  from: null,
  run: { id: "run-1", definition: "sha256:0" },
};

function evaluate(mapping: Json, over: Partial<MappingContext> = {}) {
  return evaluateMapping(compileMapping(mapping), { ...context, ...over });
}

function value(mapping: Json): Json {
  const result = evaluate(mapping);
  if (!result.ok) throw new Error(result.message);
  return result.value;
}

function missing(mapping: Json) {
  const result = evaluate(mapping);
  if (result.ok) throw new Error(`found ${JSON.stringify(result.value)}`);
  expect(result.code).toBe("mapping.missing-path");
  return result.path;
}

describe("evaluateMapping", () => {
  it("copies values at paths and leaves literals alone [DEF-mapping-operators]", () => {
    expect(value({ a: { $get: ["input", "task"] }, b: [{ $get: ["run", "id"] }, 1], c: null })).toEqual({
      a: "a",
      b: ["run-1", 1],
      c: null,
    });
    expect(value({ $literal: { $get: ["input", "task"] } })).toEqual({ $get: ["input", "task"] });
    expect(value({ $get: ["input", "", "a/b"] })).toBe(1);
    expect(value({ $get: ["from"] })).toBeNull();
    expect(value({ $get: ["nodes", "check"] })).toEqual({ outcome: "ok", output, visit: 2 });
    expect(value({ $get: ["nodes", "check", "output", "items", 1, "price"] })).toBe(5);
    expect(value({ $get: ["nodes"] })).toEqual({ check: { outcome: "ok", output, visit: 2 } });
  });

  it("copies nothing that $get points at, and no constant part [DEF-mapping-paths]", () => {
    expect(value({ $get: ["nodes", "check", "output"] })).toBe(output);
    const constant = { a: [1, 2] };
    expect((value({ constant, x: { $get: ["input"] } }) as { constant: Json }).constant).toBe(constant);
  });

  it("reports a missing path as an error with the segment that is missing [DEF-mapping-paths]", () => {
    expect(missing({ $get: ["input", "other"] })).toEqual(["input", "other"]);
    expect(missing({ $get: ["input", "n", "x"] })).toEqual(["input", "n", "x"]);
    expect(missing({ $get: ["input", "task", 0] })).toEqual(["input", "task", 0]);
    expect(missing({ $get: ["input", "task", "length"] })).toEqual(["input", "task", "length"]);
    expect(missing({ $get: ["from", "output"] })).toEqual(["from", "output"]);
    expect(missing({ $get: ["nodes", "other", "output"] })).toEqual(["nodes", "other"]);
    expect(missing({ $get: ["nodes", "check", "output", "items", 2] })).toEqual([
      "nodes",
      "check",
      "output",
      "items",
      2,
    ]);
    expect(missing({ $get: ["nodes", "check", "output", "items", "0"] })).toEqual([
      "nodes",
      "check",
      "output",
      "items",
      "0",
    ]);
    expect(missing({ $get: ["nodes", "check", "output", 0] })).toEqual(["nodes", "check", "output", 0]);
    expect(missing({ $get: ["nodes", 0] })).toEqual(["nodes", 0]);
  });

  it("never reaches a prototype [DEF-mapping-paths]", () => {
    for (const key of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      expect(missing({ $get: ["input", key] })).toEqual(["input", key]);
      expect(missing({ $get: ["nodes", "check", key] })).toEqual(["nodes", "check", key]);
    }
    const hostile = JSON.parse('{"__proto__": {"$get": ["input", "task"]}}') as Json;
    const result = value(hostile) as object;
    expect(Object.keys(result)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });

  it("visits keys in UTF-16 order, so that the first missing path is always the same [DEF-mapping-paths]", () => {
    const first = { $get: ["input", "first"] };
    const second = { $get: ["input", "second"] };
    expect(missing({ b: second, a: first })).toEqual(["input", "first"]);
    expect(missing({ a: first, b: second })).toEqual(["input", "first"]);
    expect(missing({ "\uFB33": second, "\u{1F600}": first })).toEqual(["input", "first"]);
  });

  it("stops at 1,000 levels of its own [DEF-mapping-paths]", () => {
    let deep: Json = { $get: ["input", "task"] };
    for (let level = 0; level < 999; level++) deep = [deep];
    expect(evaluate(deep).ok).toBe(true);
    for (let level = 0; level < 100_000; level++) deep = { a: deep };
    expect(evaluate(deep)).toMatchObject({ ok: false, code: "mapping.too-deep", path: [] });
  });

  it("gives back any JSON that holds no operator, unchanged", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (json) => {
        if (JSON.stringify(json).includes("$")) return;
        expect(value(json as Json)).toBe(json);
        expect(value({ $literal: json as Json })).toBe(json);
      }),
    );
  });
});

describe("compileMapping", () => {
  it("throws for what validation refuses, with the pointer", () => {
    for (const [mapping, code, pointer] of [
      [{ a: [{ $got: 1 }] }, "mapping.operator", "/a/0"],
      [{ $get: ["input"], x: 1 }, "mapping.operator", ""],
      [{ "a/b": { $get: [] } }, "mapping.path", "/a~1b"],
    ] as [Json, string, string][]) {
      try {
        compileMapping(mapping);
      } catch (error) {
        if (!isSwlError(error)) throw error;
        expect([error.code, error.pointer]).toEqual([code, pointer]);
        continue;
      }
      throw new Error("compiled");
    }
  });
});
