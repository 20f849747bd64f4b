/**
 * The store suite: the same tests for every store, each named after the rule that it shows. It uses the contract only;
 * the caller passes its test runner. Every test has a store of its own.
 */
import { appending } from "./appending.js";
import { Bench, type OpenOptions, type Runner, type StoreArea, type StoreHarness, start } from "./harness.js";
import { holders } from "./holders.js";
import { items } from "./items.js";
import { places } from "./places.js";
import { streams } from "./streams.js";

const areas: readonly StoreArea[] = [items, appending, streams, holders, places];

/** Small enough that the tests reach them. */
const limits: NonNullable<OpenOptions["limits"]> = { documentBytes: 2_000, recordsPerItem: 8 };

/** Names of all tests, in order. */
export const storeTests: readonly string[] = areas.flatMap(({ tests }) => tests.map(([name]) => name));

/** Registers one group an area with the runner. */
export function storeSuite(runner: Runner, harness: StoreHarness): void {
  for (const { title, tests } of areas) {
    runner.describe(`${harness.name}: ${title}`, () => {
      for (const [name, run] of tests) {
        runner.it(name, async () => {
          const time = { now: start };
          const opened = await harness.open({ clock: () => time.now, limits });
          try {
            await run(new Bench(opened, time), runner.expect);
          } finally {
            await opened.dispose();
          }
        });
      }
    });
  }
}
