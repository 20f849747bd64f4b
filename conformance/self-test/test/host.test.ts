import { hostChecks } from "@swl/conformance";
import { describe, expect, it } from "vitest";
import { hostHarness } from "./host-harness.js";

describe.concurrent("the durable host", () => {
  // The mandatory failure tests are in mandatory.test.ts, on every store.
  for (const check of hostChecks.filter(({ mandatory }) => mandatory === undefined)) {
    it(`${check.title} [${check.rule}]`, async () => {
      expect(await check.run(hostHarness("durable-state"))).toEqual([]);
    });
  }
});
