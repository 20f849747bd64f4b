/** Runs every case through this implementation and prints the report as JSON lines; exits with 1 when it fails. */
import { formatDiagnostic } from "@swl/base";
import { reportLines, runCases, runRefusals, summaryOf } from "@swl/conformance";
import { bundledCases, readCases } from "@swl/conformance/cases";
import claims from "@swl/conformance/claims.json" with { type: "json" };
import { swl } from "./subject.ts";

const cases = readCases(bundledCases);
if (!cases.ok) {
  for (const finding of cases.findings) console.error(formatDiagnostic(finding));
  process.exit(2);
}
const results = [...(await runCases(cases.value, swl)), ...(await runRefusals(swl))];
process.stdout.write(reportLines(swl, results, { cases: claims.cases }));
process.exitCode = summaryOf(results).ok ? 0 : 1;
