/** The eight mandatory failure tests, on every store. */
import { mandatoryChecks } from "@swl/conformance";
import { afterAll, describe, expect, it } from "vitest";
import { noServer } from "../../../packages/store-postgres/test/scratch.js";
import { dropSchemas, hostHarness, inFile, inPostgres } from "./host-harness.js";

const schemas: string[] = [];
afterAll(() => dropSchemas(schemas));

const harnesses = [
  hostHarness("the memory store"),
  hostHarness("a SQLite file", {}, inFile),
  hostHarness("PostgreSQL", {}, inPostgres(schemas)),
];

for (const harness of harnesses) {
  describe.skipIf(noServer && harness.name === "PostgreSQL")(`on ${harness.name}`, () => {
    it("every mandatory failure has its test", () => expect(mandatoryChecks).toHaveLength(8));

    for (const check of mandatoryChecks) {
      it(`${check.title} [${check.rule}]`, async () => {
        expect(await check.run(harness)).toEqual([]);
      }, 300_000);
    }
  });
}
