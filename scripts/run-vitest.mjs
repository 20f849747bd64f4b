// Runs vitest in the current package on the binary that SWL_NODE names (default: the Node that runs this), and
// leaves counts in reports/vitest.json for the summary of `npm test`.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);
const vitest = join(dirname(require.resolve("vitest/package.json")), "vitest.mjs");
mkdirSync("reports", { recursive: true });
const run = spawnSync(
  process.env.SWL_NODE || process.execPath,
  [
    vitest,
    "run",
    "--reporter=default",
    "--reporter=json",
    "--outputFile.json=reports/vitest.json",
    ...process.argv.slice(2),
  ],
  { stdio: "inherit" },
);
process.exit(run.status ?? 1);
