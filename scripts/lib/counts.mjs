// How many tests passed and failed, read from what a run left behind. What did not start, did not finish or failed
// outside any test counts as one failure: nothing that went wrong can add up to zero.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** Counts of one package from its `reports` folder. */
export function reportCounts(folder) {
  const report = join(folder, "reports", "vitest.json");
  const exit = join(folder, "reports", "run.json");
  if (!existsSync(report) || !existsSync(exit)) return { passed: 0, failed: 1 };
  const data = JSON.parse(readFileSync(report, "utf8"));
  const passed = data.numPassedTests;
  let failed = data.numFailedTests;
  for (const file of data.testResults) {
    const ownFailures = file.assertionResults.filter((test) => test.status === "failed").length;
    if (file.status === "failed" && ownFailures === 0) failed += 1;
  }
  const clean = JSON.parse(readFileSync(exit, "utf8")).exit === 0;
  if (!clean && failed === 0) failed = 1;
  if (clean && passed + failed === 0) failed = 1;
  return { passed, failed };
}

/** The tests of a package that failed: file, title and the first line of what they say. */
export function failuresOf(folder) {
  const report = join(folder, "reports", "vitest.json");
  if (!existsSync(report)) return ["left no report"];
  return JSON.parse(readFileSync(report, "utf8")).testResults.flatMap(
    ({ name, message, assertionResults }) => {
      const tests = assertionResults.filter(({ status }) => status === "failed");
      if (tests.length === 0) return message ? [`${basename(name)}: ${firstLine(message)}`] : [];
      return tests.map(
        ({ fullName, failureMessages }) =>
          `${basename(name)} > ${fullName}: ${firstLine(failureMessages?.[0] ?? "")}`,
      );
    },
  );
}

const firstLine = (text) => text.split("\n", 1)[0].slice(0, 300);

/** Titles of tests that say themselves why they were left out here: `… (skipped: this machine has no python3)`. */
export function skipsOf(folder) {
  const report = join(folder, "reports", "vitest.json");
  if (!existsSync(report)) return [];
  const tests = JSON.parse(readFileSync(report, "utf8")).testResults.flatMap((file) => file.assertionResults);
  const left = tests.filter(({ status, title }) => status !== "passed" && title?.includes("(skipped: "));
  return left.map(({ title }) => title);
}

/** What tests left to be said: `131 of 131 broken stores caught (100%)`. */
export function caughtOf(folder) {
  const reports = join(folder, "reports");
  if (!existsSync(reports)) return [];
  const names = readdirSync(reports).filter((name) => /^caught-.*\.txt$/.test(name));
  return names.sort().map((name) => readFileSync(join(reports, name), "utf8").trim());
}

/** Counts of a script from the JSON line that it ends with: `{"suite":"boundaries","passed":n,"failed":m}`. */
export function lineCounts(output, status) {
  const last = output.trimEnd().split("\n").at(-1) ?? "";
  try {
    const { passed, failed } = JSON.parse(last);
    if (Number.isInteger(passed) && Number.isInteger(failed)) {
      return { passed, failed: status !== 0 && failed === 0 ? 1 : failed };
    }
  } catch {
    // no counts: it broke off before it could say
  }
  return { passed: 0, failed: 1 };
}
