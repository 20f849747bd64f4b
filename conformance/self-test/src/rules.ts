/** Prints every rule of the specification with what shows it; exits with 1 when something is not shown. */
import { fileURLToPath } from "node:url";
import { formatDiagnostic } from "@swl/base";
import { rulesOfProject } from "@swl/conformance/cases";

const shown = rulesOfProject(fileURLToPath(new URL("../../..", import.meta.url)));
if (!shown.ok) {
  for (const finding of shown.findings) console.error(formatDiagnostic(finding));
  process.exit(2);
}
const unshown = shown.value.filter((rule) => rule.lacking.length > 0);
for (const { rule, by, lacking } of shown.value) {
  console.log(rule);
  for (const what of by) console.log(`  ${what}`);
  for (const lack of lacking) console.log(`  LACKING ${lack}`);
}
console.log(`${shown.value.length} rules, ${unshown.length} not shown`);
process.exit(unshown.length === 0 ? 0 : 1);
