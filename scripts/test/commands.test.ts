import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { optionsOf, usageOf } from "../lib/test-options.mjs";
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
