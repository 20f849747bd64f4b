import { describe, expect, it } from "vitest";
import {
  codes,
  formatDiagnostic,
  isCode,
  isSwlError,
  own,
  pointerSegments,
  pointerTo,
  raise,
  SwlError,
  setOwn,
} from "../src/index.js";

describe("SwlError", () => {
  it("is known by its brand, also when another copy made it [CNF-error-shape]", () => {
    const error = new SwlError("json.syntax", "no", { pointer: "/a", hint: "h", details: { n: 1 } });
    expect(isSwlError(error)).toBe(true);
    const foreign = Object.assign(new Error("x"), { code: "json.syntax", [Symbol.for("@swl/error")]: true });
    expect(isSwlError(foreign)).toBe(true);
    expect(isSwlError(new Error("x"))).toBe(false);
    expect(isSwlError(null)).toBe(false);
    expect(error.toJSON()).toEqual({
      code: "json.syntax",
      message: "no",
      pointer: "/a",
      details: { n: 1 },
      hint: "h",
      docs: "docs/errors/json.syntax.md",
    });
  });

  it("carries all findings and the place of the first error", () => {
    const place = { file: "f", line: 2, column: 3 };
    const warning = { code: "mapping.data-flow", severity: "warning", message: "w", pointer: "/w" } as const;
    const finding = { code: "json.syntax", severity: "error", message: "m", pointer: "", place } as const;
    try {
      raise("definition.invalid", "bad", [warning, finding]);
    } catch (error) {
      if (!isSwlError(error)) throw error;
      expect(error.message).toBe("bad: f:2:3: error json.syntax: m (and 1 more)");
      expect(error.place).toEqual(place);
      expect(error.findings).toHaveLength(2);
      return;
    }
    throw new Error("raise returned");
  });
});

describe("codes", () => {
  it("are words joined by a dot, each once", () => {
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(code).toMatch(/^[a-z]+(\.[a-z0-9]+(-[a-z0-9]+)*)$/);
    expect(isCode("json.syntax")).toBe(true);
    expect(isCode("toString")).toBe(false);
  });
});

describe("pointers", () => {
  it("escape and unescape", () => {
    expect(pointerTo("", "a/b", "~", 0)).toBe("/a~1b/~0/0");
    expect(pointerSegments("/a~1b/~0/0")).toEqual(["a/b", "~", "0"]);
    expect(pointerSegments("")).toEqual([]);
    expect(pointerSegments("a")).toBeUndefined();
    expect(pointerSegments("/~2")).toBeUndefined();
  });
});

describe("formatDiagnostic", () => {
  it("says where, what and what to do", () => {
    const finding = {
      code: "json.syntax",
      severity: "error",
      message: "m",
      pointer: "/a",
      hint: "h",
    } as const;
    expect(formatDiagnostic(finding)).toBe("/a: error json.syntax: m\n  hint: h");
    expect(formatDiagnostic({ ...finding, place: { file: "f", line: 1, column: 2 } })).toBe(
      "f:1:2: error json.syntax: m\n  hint: h",
    );
  });
});

describe("own and setOwn", () => {
  it("treat hostile keys as data", () => {
    const object: { [key: string]: number } = {};
    expect(own(object, "toString")).toBeUndefined();
    setOwn(object, "__proto__", 1);
    expect(own(object, "__proto__")).toBe(1);
    expect(Object.keys(object)).toEqual(["__proto__"]);
  });
});
