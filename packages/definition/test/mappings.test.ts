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

  it("quotes with $literal wherever it stands [DEF-mapping-operators]", () => {
    const quoted = { $get: ["input"] };
    expect(value({ a: { $literal: quoted }, b: 1 })).toEqual({ a: quoted, b: 1 });
    expect(value([{ a: { $literal: { $literal: 1 } } }])).toEqual([{ a: { $literal: 1 } }]);
    expect(value({ a: { $literal: quoted }, b: { $get: ["input", "task"] } })).toEqual({ a: quoted, b: "a" });
    const hostile = JSON.parse('{"__proto__": {"$literal": 1}}') as Json;
    expect(JSON.stringify(value(hostile))).toBe('{"__proto__":1}');
  });

  it("builds results of 1,000 levels and none deeper, whoever made the levels [DEF-mapping-paths]", () => {
    const nested = (levels: number, inner: Json): Json => {
      let value = inner;
      for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
      return value;
    };
    const tooDeep = { ok: false, code: "mapping.too-deep", path: [] };
    const leaf = { $get: ["input", "task"] };
    expect(evaluate(nested(1_000, leaf)).ok).toBe(true);
    expect(evaluate(nested(1_001, leaf))).toMatchObject(tooDeep);
    expect(evaluate(nested(100_000, leaf))).toMatchObject(tooDeep);
    expect(evaluate(nested(400, { $get: ["input"] }), { input: nested(600, 1) }).ok).toBe(true);
    expect(evaluate(nested(400, { $get: ["input"] }), { input: nested(601, 1) })).toMatchObject(tooDeep);
    expect(evaluate({ $get: ["input"] }, { input: nested(1_000, 1) }).ok).toBe(true);
    expect(evaluate({ $get: ["input"] }, { input: nested(50_000, 1) })).toMatchObject(tooDeep);
    expect(evaluate(nested(999, { $literal: [] })).ok).toBe(true);
    expect(evaluate(nested(1_000, { $literal: [] }))).toMatchObject(tooDeep);
  });

  it("counts what it builds and stops at the number it was given [DEF-mapping-paths]", () => {
    const nodes = (mapping: Json, over: Partial<MappingContext> = {}) => {
      const result = evaluate(mapping, over);
      return result.ok ? result.nodes : result.code;
    };
    expect(nodes(null)).toBe(1);
    expect(nodes([{ $get: ["input", "task"] }, 1, {}])).toBe(4);
    expect(nodes({ a: { $get: ["nodes", "check", "output"] }, b: { $literal: [1] } })).toBe(9);
    expect(nodes({ $get: ["input"] }, { input: "x".repeat(6_400) })).toBe(101);
    expect(nodes({ $get: ["input"] }, { input: { ["x".repeat(6_400)]: 1 } })).toBe(102);
    expect(nodes({ ["x".repeat(6_400)]: { $get: ["run", "id"] } })).toBe(102);
    const input = Array.from({ length: 99 }, () => 1);
    const ten = compileMapping(Array.from({ length: 10 }, () => ({ $get: ["input"] })));
    expect(evaluateMapping(ten, { ...context, input }, { maxNodes: 1_001 })).toMatchObject({ nodes: 1_001 });
    expect(evaluateMapping(ten, { ...context, input }, { maxNodes: 1_000 })).toMatchObject({
      ok: false,
      code: "mapping.too-large",
      path: [],
    });
    const large: Json = Array.from({ length: 100_000 }, () => 1);
    expect(
      nodes(
        Array.from({ length: 100 }, () => ({ $get: ["input"] })),
        { input: large },
      ),
    ).toBe("mapping.too-large");
  });

  it("counts each node as its result has it [DEF-mapping-paths]", () => {
    const count = (value: unknown): number =>
      typeof value === "object" && value !== null
        ? Object.values(value).reduce((sum: number, inner) => sum + count(inner), 1)
        : 1;
    const path = fc.constantFrom<Json>(
      { $get: ["input"] },
      { $get: ["nodes"] },
      { $get: ["run", "id"] },
      [],
      1,
    );
    const { mapping } = fc.letrec<{ mapping: Json }>((tie) => ({
      mapping: fc.oneof(
        { maxDepth: 4 },
        path,
        fc.array(tie("mapping"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom("a", "b", "__proto__"), tie("mapping"), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(mapping, (made) => {
        const result = evaluate(made);
        expect(result.ok && result.nodes).toBe(result.ok && count(result.value));
      }),
    );
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

  it("counts what shares its parts, and stops [DEF-mapping-paths]", () => {
    let shared: Json = [1];
    for (let level = 0; level < 60; level++) shared = [shared, shared];
    for (const mapping of [{ $get: ["input"] }, { $literal: shared }, [{ $literal: [shared] }]] as Json[]) {
      expect(evaluate(mapping, { input: shared })).toMatchObject({ ok: false, code: "mapping.too-large" });
    }
  });

  it("has a failure for a context without a root", () => {
    const none = undefined as unknown as Json;
    expect(evaluate({ $get: ["input"] }, { input: none })).toMatchObject({ code: "mapping.missing-path" });
  });
});
