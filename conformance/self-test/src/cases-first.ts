/**
 * Before any test: the cases are read once, and when one of them is none the run ends here with just the findings. Every
 * test that walks the cases would fail otherwise, none of them saying why. Spec: CNF-case-format.
 */
import { fileURLToPath } from "node:url";
import { formatDiagnostic } from "@swl/base";
import { bundledCases, readCases, readRules } from "@swl/conformance/cases";

export default function setup(): void {
  const rules = readRules(fileURLToPath(new URL("../../../docs/spec", import.meta.url)));
  const read = rules.ok
    ? readCases(bundledCases, { rules: rules.value.map(({ id }) => id), name: "conformance/cases" })
    : rules;
  if (read.ok) return;
  for (const finding of read.findings) process.stderr.write(`${formatDiagnostic(finding)}\n`);
  process.exit(1);
}
