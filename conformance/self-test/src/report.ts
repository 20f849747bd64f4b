/**
 * Runs every case through this implementation, or through the command that follows (a subject behind stdio), and prints
 * the report as JSON lines; exits with 1 when it fails.
 */
import { formatDiagnostic } from "@swl/base";
import { reportLines, runCases, runRefusals, summaryOf } from "@swl/conformance";
import { bundledCases, readCases } from "@swl/conformance/cases";
import claims from "@swl/conformance/claims.json" with { type: "json" };
import { stdioSubject } from "@swl/conformance/stdio";
import { swl } from "./subject.ts";

const cases = readCases(bundledCases);
if (!cases.ok) {
  for (const finding of cases.findings) console.error(formatDiagnostic(finding));
  process.exit(2);
}
const [command, ...args] = process.argv.slice(2);
const stdio = command === undefined ? undefined : await stdioSubject({ command, args, timeoutMs: 120_000 });
const subject = stdio ?? swl;
const results = [...(await runCases(cases.value, subject)), ...(await runRefusals(subject))];
process.stdout.write(reportLines(subject, results, { cases: claims.cases }));
await stdio?.close();
process.exitCode = summaryOf(results).ok ? 0 : 1;
