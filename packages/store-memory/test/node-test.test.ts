/** The suite needs no vitest: the runner that comes with Node will do. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { storeTests } from "@swl/conformance/store";
import { describe, expect, it } from "vitest";

function underNodeTest(...words: readonly string[]) {
  const file = fileURLToPath(new URL("under-node-test.mjs", import.meta.url));
  const command = ["--test-reporter=tap", file, ...words];
  const { status, stdout } = spawnSync(process.execPath, command, { encoding: "utf8" });
  const count = (what: string) => Number(new RegExp(`^# ${what} (\\d+)$`, "m").exec(stdout)?.[1]);
  return { status, stdout, tests: count("tests"), passed: count("pass"), skipped: count("skipped") };
}

describe("the store suite under node:test", () => {
  it("passes on this store, and says what it left out and why [CNF-store-suite]", () => {
    const { status, stdout, tests, passed, skipped } = underNodeTest();
    expect([status, tests, passed + skipped]).toEqual([0, storeTests.length, storeTests.length]);
    expect(passed).toBeGreaterThan(80);
    expect(stdout).toMatch(/^ +ok .* # SKIP the store does not claim to be durable$/m);
  });

  it("fails on a store that is wrong [CNF-store-suite]", () => {
    const { status, stdout } = underNodeTest("broken");
    expect(status).toBe(1);
    expect(stdout).toMatch(/^ +not ok .*\[STO-append-position\]$/m);
  });
});
