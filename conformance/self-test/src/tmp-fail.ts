import { runCases } from "@swl/conformance";
import { bundledCases, readCases } from "@swl/conformance/cases";
import { swl } from "./subject.ts";

const read = readCases(bundledCases);
if (!read.ok) {
  console.log(read.findings.slice(0, 10));
  process.exit(1);
}
const only = process.argv.slice(2);
const cases = only.length ? read.value.filter((c) => only.some((o) => c.id.includes(o))) : read.value;
const results = await runCases(cases, swl);
for (const [i, r] of results.entries())
  if (r.result !== "passed") console.log(cases[i]!.id, r.result, JSON.stringify(r.reasons).slice(0, 400));
console.log(results.length);
