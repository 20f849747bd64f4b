import { hostChecks } from "@swl/conformance";
import { describe, expect, it } from "vitest";
import { hostHarness } from "./host-harness.js";

describe.concurrent("the durable host", () => {
  for (const check of hostChecks) {
    it(`${check.title} [${check.rule}]`, async () => {
      expect(await check.run(hostHarness("durable-state"))).toEqual([]);
    });
  }
});
