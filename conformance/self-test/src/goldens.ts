/** Writes the goldens of the cases named on the command line, and of no others. Read them before you commit them. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { formatDiagnostic, isSwlError } from "@swl/base";
import { bundledCases, readCases, writeGoldens } from "@swl/conformance/cases";
import { swl } from "./subject.ts";

const ids = process.argv.slice(2);
if (ids.length === 0) {
  console.error("usage: goldens CASE…   (for example execution/start-activity)");
  process.exit(64);
}
// A case without its golden is invalid, also while it is being written: the named ones get an empty one first. Texts
// (of `format` and `edit`) are put there empty by whoever writes the case: their names are the author's.
const made = ids.flatMap((id) => {
  const golden = join(bundledCases, id, "expected.json");
  const metadata = join(dirname(golden), "case.json");
  if (existsSync(golden) || !existsSync(metadata)) return [];
  if (JSON.parse(readFileSync(metadata, "utf8")).expect !== "expected.json") return [];
  writeFileSync(golden, "[]\n");
  return [golden];
});
const cases = readCases(bundledCases);
if (!cases.ok) {
  for (const golden of made) rmSync(golden);
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
