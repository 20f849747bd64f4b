/**
 * The store suite catches every broken store by the tests named for what is broken. At the end it says how many of them
 * it caught; a test that catches none proves nothing and fails here too.
 */
import { storeTests } from "@swl/conformance/store";
import { afterAll, describe, expect, it } from "vitest";
import { storeFaults } from "../src/broken-stores/all.ts";
import { runFault } from "../src/broken-stores/store-faults.ts";
import { sayCaught } from "./caught.js";

const caught = new Set<string>();
/** Tests by what failed of them at least once. */
const catching = new Set<string>();

afterAll(() => {
  sayCaught(caught.size, storeFaults.length, "broken stores caught");
});

describe("the store suite", () => {
  describe.concurrent("against a broken store", () => {
    for (const fault of storeFaults) {
      it(`catches one that ${fault.name}`, async () => {
        const failing = (await runFault(fault)).map(({ test }) => test);
        for (const test of failing) catching.add(test);
        if (fault.caughtBy.every((test) => failing.includes(test))) caught.add(fault.name);
        expect(failing).toEqual(expect.arrayContaining([...fault.caughtBy]));
      });
    }
  });

  it("passes the honest store that the broken ones are made of", async () => {
    expect(await runFault({ name: "honest", falsify: () => ({}), caughtBy: [] })).toEqual([]);
  });

  it("has a broken store for every test", () => {
    expect(storeTests.map(({ name }) => name).filter((name) => !catching.has(name))).toEqual([]);
  });

  it("has broken stores of different names", () => {
    expect(new Set(storeFaults.map(({ name }) => name)).size).toBe(storeFaults.length);
  });
});
