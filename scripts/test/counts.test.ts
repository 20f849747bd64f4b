import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { caughtOf, failuresOf, lineCounts, reportCounts, skipsOf } from "../lib/counts.mjs";

const made: string[] = [];
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

interface TestFile {
  readonly name?: string;
  readonly message?: string;
  readonly status: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly title?: string;
    readonly fullName?: string;
    readonly failureMessages?: readonly string[];
  }[];
}

function left(
  exit: number | undefined,
  passed: number,
  failed: number,
  files: readonly TestFile[] = [],
): string {
  const folder = mkdtempSync(join(tmpdir(), "swl-counts-"));
  made.push(folder);
  mkdirSync(join(folder, "reports"));
  const report = { numPassedTests: passed, numFailedTests: failed, testResults: files };
  writeFileSync(join(folder, "reports", "vitest.json"), JSON.stringify(report));
  if (exit !== undefined) writeFileSync(join(folder, "reports", "run.json"), JSON.stringify({ exit }));
  return folder;
}

describe("reportCounts", () => {
  it("reads what passed and failed", () => {
    expect(reportCounts(left(0, 5, 0))).toEqual({ passed: 5, failed: 0 });
    expect(reportCounts(left(1, 5, 2))).toEqual({ passed: 5, failed: 2 });
  });

  it("counts a file that does not start as one failure", () => {
    const broken = { status: "failed", assertionResults: [] };
    const failing = { status: "failed", assertionResults: [{ status: "failed" }] };
    expect(reportCounts(left(1, 5, 1, [broken, failing]))).toEqual({ passed: 5, failed: 2 });
  });

  it("counts one failure when nothing was left, nothing ran, or the run failed outside any test", () => {
    expect(reportCounts(join(tmpdir(), "swl-nothing-here"))).toEqual({ passed: 0, failed: 1 });
    expect(reportCounts(left(undefined, 5, 0))).toEqual({ passed: 0, failed: 1 });
    expect(reportCounts(left(0, 0, 0))).toEqual({ passed: 0, failed: 1 });
    expect(reportCounts(left(1, 5, 0))).toEqual({ passed: 5, failed: 1 });
  });
});

describe("failuresOf", () => {
  it("names each test that failed with what it says first, and a file that did not start", () => {
    const failing = {
      name: "/here/test/a.test.ts",
      status: "failed",
      assertionResults: [
        { status: "passed", fullName: "adds" },
        { status: "failed", fullName: "takes away", failureMessages: ["expected 1 to be 2\n    at a.ts:3"] },
      ],
    };
    const broken = {
      name: "/here/test/b.test.ts",
      status: "failed",
      message: "no such file",
      assertionResults: [],
    };
    expect(failuresOf(left(1, 1, 1, [failing, broken]))).toEqual([
      "a.test.ts > takes away: expected 1 to be 2",
      "b.test.ts: no such file",
    ]);
    expect(failuresOf(left(0, 1, 0))).toEqual([]);
    expect(failuresOf(join(tmpdir(), "swl-nothing-here"))).toEqual(["left no report"]);
  });
});

describe("caughtOf", () => {
  it("reads what tests left to be said, in the order of their files", () => {
    const folder = left(0, 1, 0);
    for (const what of ["stores", "hosts"]) {
      writeFileSync(join(folder, "reports", `caught-${what}.txt`), `2 of 2 broken ${what} caught (100%)\n`);
    }
    expect(caughtOf(folder)).toEqual([
      "2 of 2 broken hosts caught (100%)",
      "2 of 2 broken stores caught (100%)",
    ]);
    expect(caughtOf(join(tmpdir(), "swl-nothing-here"))).toEqual([]);
  });
});

describe("skipsOf", () => {
  it("names the tests that say why they were left out, and no others", () => {
    const tests = [
      { status: "skipped", title: "agrees (skipped: this machine has no python3)" },
      { status: "skipped", title: "takes an hour" },
      { status: "passed", title: "says (skipped: nothing)" },
    ];
    const folder = left(0, 1, 0, [{ status: "passed", assertionResults: tests }]);
    expect(skipsOf(folder)).toEqual(["agrees (skipped: this machine has no python3)"]);
    expect(skipsOf(join(tmpdir(), "swl-nothing-here"))).toEqual([]);
  });
});

describe("lineCounts", () => {
  it("reads the last line", () => {
    expect(lineCounts('x\n{"suite":"a","passed":3,"failed":1}\n', 1)).toEqual({ passed: 3, failed: 1 });
  });

  it("counts one failure when the line is missing or the script failed after it", () => {
    expect(lineCounts("x\n", 0)).toEqual({ passed: 0, failed: 1 });
    expect(lineCounts('{"suite":"a","passed":3,"failed":0}\n', 1)).toEqual({ passed: 3, failed: 1 });
  });
});
