/** As crash-points.test.ts, on SQLite files. */
import { crashPoints, crashProblems, crashScenarios } from "@swl/conformance";
import { describe, expect, it } from "vitest";
import { hostHarness } from "./host-harness.js";
import { simulatedFile } from "./simulated-storage.js";

const harness = hostHarness("durable-state on SQLite, simulated", {}, simulatedFile);

describe("a host on a file that dies before or after a call", async () => {
  for (const scenario of crashScenarios) {
    const points = await crashPoints(harness, scenario);
    it(`leaves ${scenario.title} as it would have been, at each of ${points.length} points [DUR-acknowledged-kept] [DUR-takeover]`, async () => {
      const deaths = points.map((point) => [point]);
      expect(await crashProblems(harness, scenario, deaths)).toEqual([]);
    }, 240_000);
  }
});
