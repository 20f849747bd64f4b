import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ratioText } from "../../bench/lib/text.ts";
import { optionsOf, usageOf } from "../lib/test-options.mjs";
import { fits } from "../lib/walk.ts";
import { root } from "../lib/workspace.ts";

const suites = [
  { name: "unit", says: "tests" },
  { name: "docs", says: "pages" },
];

function script(name: string, ...args: readonly string[]) {
  const run = spawnSync(process.execPath, [join(root, "scripts", name), ...args], { encoding: "utf8" });
  return { status: run.status, out: run.stdout, err: run.stderr };
}

describe("optionsOf", () => {
  it("reads what is known", () => {
    expect(optionsOf(["--full", "--only=unit", "--only=docs,unit"], suites)).toEqual({
      help: false,
      full: true,
      only: ["unit", "docs", "unit"],
      unknown: [],
    });
  });

  it("names what is not", () => {
    expect(optionsOf(["--ful", "unit", "--only=unti"], suites).unknown).toEqual([
      "--ful",
      "unit",
      'suite "unti"',
    ]);
    expect(usageOf(suites)).toContain("  unit        tests\n  docs        pages\n");
  });
});

describe("npm test", () => {
  it("refuses an unknown option before it does anything, with the usage", () => {
    const { status, out, err } = script("test.mjs", "--watch");
    expect([status, out]).toEqual([2, ""]);
    expect(err).toMatch(/^npm test: unknown: --watch\nusage: /);
  });

  it("lists its suites", () => {
    const { status, out, err } = script("test.mjs", "--help");
    expect([status, err]).toEqual([0, ""]);
    expect(out).toContain("consumer");
  });
});

describe("npm run pack", () => {
  it("demands a folder", () => {
    expect(script("pack.mjs")).toEqual({ status: 2, out: "", err: "usage: npm run pack -- DIR\n" });
    expect(script("pack.mjs", "--into").status).toBe(2);
  });
});

describe("ratioText", () => {
  it("writes a ratio that two decimals cannot show as 1 : N", () => {
    expect(ratioText({ median: 0.428, min: 0.4, max: 0.5 })).toBe("0.43 (0.40 .. 0.50)");
    expect(ratioText({ median: 0.004, min: 0.002, max: 0.005 })).toBe("1 : 250 (1 : 500 .. 1 : 200)");
  });
});

describe("fits", () => {
  it("takes … for anything in a line, alone for any lines", () => {
    expect(fits("run-12  completed\n{\n}\n", "run-… completed\n…\n")).toBe(true);
    expect(fits("a\nb\nc\n", "…\nb\n…\n")).toBe(true);
    expect(fits("a\nc\n", "…\nb\n…\n")).toBe(false);
    expect(fits("run-12  failed\n", "run-…  completed\n")).toBe(false);
  });
});
