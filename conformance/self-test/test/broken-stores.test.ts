/** The store suite catches every broken store by the tests named for what is broken, and by no others. */
import { storeTests } from "@swl/conformance/store";
import { describe, expect, it } from "vitest";
import { appendFaults } from "../src/broken-stores/append-faults.ts";
import { stateFaults } from "../src/broken-stores/state-faults.ts";
import { runFault, type StoreFault } from "../src/broken-stores/store-faults.ts";

const faults: readonly StoreFault[] = [...appendFaults, ...stateFaults];

describe("the store suite against a broken store", () => {
  for (const fault of faults) {
    it(`catches one that ${fault.name}`, async () => {
      const failures = await runFault(fault);
      expect(failures.map(({ test }) => test)).toEqual(fault.caughtBy);
    });
  }

  it("passes the honest store that the broken ones are made of", async () => {
    expect(await runFault({ name: "honest", falsify: () => ({}), caughtBy: [] })).toEqual([]);
  });

  it("has a broken store for every test", () => {
    const caught = new Set(faults.flatMap(({ caughtBy }) => caughtBy));
    expect(storeTests.filter((name) => !caught.has(name))).toEqual([]);
  });
});
