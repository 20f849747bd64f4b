import { hostChecks } from "@swl/conformance";
import { describe, expect, it } from "vitest";
import { hostHarness, inFile } from "./host-harness.js";

// One after another: a file is written while the process waits, and the leases of the checks are short.
describe("the durable host on a file", () => {
  // The mandatory failure tests are in mandatory.test.ts, on every store.
  for (const check of hostChecks.filter(({ mandatory }) => mandatory === undefined)) {
    it(`${check.title} [${check.rule}]`, async () => {
      expect(await check.run(hostHarness("durable-state on SQLite", {}, inFile))).toEqual([]);
    });
  }
});
