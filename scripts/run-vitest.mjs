// Runs vitest in the current package on the binary that SWL_NODE names (default: the Node that runs this), and
// leaves counts in reports/vitest.json and the exit code in reports/run.json for the summary of `npm test`. Each file
// that ends is a line in the file that SWL_PROGRESS names, if it does.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const vitest = join(dirname(require.resolve("vitest/package.json")), "vitest.mjs");
rmSync("reports", { recursive: true, force: true });
mkdirSync("reports", { recursive: true });
const progress = process.env.SWL_PROGRESS
  ? [`--reporter=${fileURLToPath(new URL("lib/progress-reporter.mjs", import.meta.url))}`]
  : [];
const run = spawnSync(
  process.env.SWL_NODE || process.execPath,
  [
    vitest,
    "run",
    "--reporter=default",
    "--reporter=json",
    ...progress,
    "--outputFile.json=reports/vitest.json",
    ...process.argv.slice(2),
  ],
  { stdio: "inherit" },
);
writeFileSync("reports/run.json", `${JSON.stringify({ exit: run.status ?? 1 })}\n`);
process.exit(run.status ?? 1);
