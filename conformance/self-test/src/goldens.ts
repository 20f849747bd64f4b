/** Writes the goldens of the cases named on the command line, and of no others. Read them before you commit them. */
import { formatDiagnostic, isSwlError } from "@swl/base";
import { bundledCases, readCases, writeGoldens } from "@swl/conformance/cases";
import { swl } from "./subject.ts";

const ids = process.argv.slice(2);
if (ids.length === 0) {
  console.error("usage: goldens CASE…   (for example execution/start-activity)");
  process.exit(64);
}
const cases = readCases(bundledCases);
if (!cases.ok) {
  for (const finding of cases.findings) console.error(formatDiagnostic(finding));
  process.exit(2);
}
try {
  for (const file of await writeGoldens(cases.value, swl, ids)) console.log(file);
} catch (error) {
  if (!isSwlError(error)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
