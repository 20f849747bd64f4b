import { describe, expect, it } from "vitest";
import { excerpt, formatDiagnostic, nearest, quoted } from "../src/index.js";

describe("excerpt", () => {
  it("cuts between characters, never inside one", () => {
    for (let before = 0; before < 12; before++) {
      const cut = excerpt(`${"a".repeat(before)}${"😀".repeat(8)}`, 10);
      expect(cut).not.toMatch(/\p{Surrogate}/u);
      expect(cut.length).toBeLessThanOrEqual(10);
      expect(cut).toMatch(/…$/);
    }
    expect(excerpt("0123456789", 10)).toBe("0123456789");
  });

  it("shows what steers instead of letting it act", () => {
    expect(excerpt("a\u001b[2Jb\u0000\u0085\u202e\u2066\u2028\ud800")).toBe(
      "a\\u001b[2Jb\\u0000\\u0085\\u202e\\u2066\\u2028\\ud800",
    );
  });
});

describe("formatDiagnostic", () => {
  it("shows what steers in pointers and file names", () => {
    const finding = { code: "json.syntax", severity: "error", message: "m" } as const;
    expect(formatDiagnostic({ ...finding, pointer: "/\u001b[2J" })).toBe("/\\u001b[2J: error json.syntax: m");
    const place = { file: "a\u202e.json", line: 1, column: 2 };
    expect(formatDiagnostic({ ...finding, pointer: "", place })).toBe(
      "a\\u202e.json:1:2: error json.syntax: m",
    );
  });
});

describe("quoted", () => {
  it("is JSON of the excerpt", () => {
    expect(quoted('say "x"\n\u009b\u202e')).toBe('"say \\"x\\"\\n\\u009b\\u202e"');
    expect(JSON.parse(quoted("😀".repeat(50), 20))).toBe(`${"😀".repeat(9)}…`);
  });
});

describe("nearest", () => {
  it("finds a short name by its case alone", () => {
    expect(nearest("b", ["a", "c"])).toBeUndefined();
    expect(nearest("ab", ["ac", "AB"])).toBe("AB");
    expect(nearest("fech", ["other", "fetch"])).toBe("fetch");
  });

  it("has nothing to say of a name that is known", () => {
    expect(nearest("exhausted", ["exhauste", "exhausted"])).toBeUndefined();
  });
});
