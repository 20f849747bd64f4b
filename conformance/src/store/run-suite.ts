/** Runs the suite without a test framework and says which tests fail: how broken stores are shown to be caught. */
import { isDeepEqual } from "./equal.js";
import type { Runner, StoreHarness } from "./harness.js";
import { storeSuite } from "./suite.js";

export interface SuiteFailure {
  readonly test: string;
  readonly why: string;
}

/** One test after another; the failures in their order. */
export async function failingStoreTests(harness: StoreHarness): Promise<readonly SuiteFailure[]> {
  const tests: (readonly [string, () => Promise<void>])[] = [];
  let mismatches: string[] = [];
  const runner: Runner = {
    describe: (_name, body) => body(),
    it: (name, body) => void tests.push([name, body]),
    expect: (value) => ({
      toEqual(expected) {
        if (isDeepEqual(value, expected)) return;
        mismatches.push(`${JSON.stringify(value)} is not ${JSON.stringify(expected)}`);
      },
    }),
  };
  storeSuite(runner, harness);
  const failures: SuiteFailure[] = [];
  for (const [test, body] of tests) {
    mismatches = [];
    try {
      await body();
    } catch (error) {
      mismatches.push(error instanceof Error ? error.message : String(error));
    }
    const [why] = mismatches;
    if (why !== undefined) failures.push({ test, why });
  }
  return failures;
}
