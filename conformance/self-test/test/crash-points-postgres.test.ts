/**
 * As crash-points.test.ts, on PostgreSQL and by the machine's clock: every tenth point, all of them in the full run.
 * How many calls there are depends on time here; a point that a play does not reach disturbs nothing.
 */
import { crashPoints, crashProblems, crashScenarios } from "@swl/conformance";
import { afterAll, describe, expect, it } from "vitest";
import { noServer } from "../../../packages/store-postgres/test/scratch.js";
import { dropSchemas, hostHarness, inPostgres, type Sabotage } from "./host-harness.js";

// Looking costs more here than waiting.
const rarely: Sabotage = { options: (options) => ({ ...options, poll: 100 }) };
const schemas: string[] = [];
const harness = hostHarness("durable-state on PostgreSQL", rarely, inPostgres(schemas));
afterAll(() => dropSchemas(schemas));

const every = process.env["SWL_FULL"] ? 1 : 10;
const setting = { lease: 500, atOnce: 6 };

describe.skipIf(noServer)("a host on PostgreSQL that dies before or after a call", async () => {
  for (const [number, scenario] of crashScenarios.entries()) {
    const all = noServer ? [] : await crashPoints(harness, scenario, setting);
    const points = all.filter((_, index) => (index + number) % every === 0);
    it(`leaves ${scenario.title} as it would have been, at ${points.length} of ${all.length} points [DUR-acknowledged-kept] [DUR-takeover]`, async () => {
      const deaths = points.map((point) => [point]);
      expect(await crashProblems(harness, scenario, deaths, setting)).toEqual([]);
    }, 1_200_000);
  }
});
