/** Runs the suite without a test framework and says what became of each test: how broken stores are shown to be caught. */
import { strictly } from "./equal.js";
import type { Runner, StoreHarness } from "./harness.js";
import { type SuiteOptions, storeSuite } from "./suite.js";

export interface SuiteResult {
  readonly test: string;
  readonly result: "passed" | "failed" | "skipped";
  /** What was not as it must be, or why the test does not apply. */
  readonly why?: string;
}

export interface SuiteFailure {
  readonly test: string;
  readonly why: string;
}

/** One test after another; the results in their order. */
export async function storeResults(
  harness: StoreHarness,
  options: SuiteOptions = {},
): Promise<readonly SuiteResult[]> {
  const tests: (readonly [string, (context: unknown) => Promise<void>])[] = [];
  const runner: Runner = {
    describe: (_name, body) => body(),
    it: (name, body) => tests.push([name, body]),
    expect: strictly,
  };
  storeSuite(runner, harness, options);
  const results: SuiteResult[] = [];
  for (const [test, body] of tests) {
    let skipped: string | undefined;
    const skip = (reason: string) => {
      skipped = reason;
    };
    try {
      await body({ skip });
      results.push(
        skipped === undefined ? { test, result: "passed" } : { test, result: "skipped", why: skipped },
      );
    } catch (error) {
      results.push({ test, result: "failed", why: error instanceof Error ? error.message : String(error) });
    }
  }
  return results;
}

/** The failures alone. */
export async function failingStoreTests(
  harness: StoreHarness,
  options: SuiteOptions = {},
): Promise<readonly SuiteFailure[]> {
  const results = await storeResults(harness, options);
  return results.flatMap(({ test, result, why = "" }) => (result === "failed" ? [{ test, why }] : []));
}
