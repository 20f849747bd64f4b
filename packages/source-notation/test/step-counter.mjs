// Counts what code does instead of how long it takes. V8 says how often each block of the built package ran, so the
// figures are the same on every machine and at every load; a built-in function counts as one step. Run in a process of
// its own, so that counting begins before the package is loaded: reads [operation, text] pairs as JSON from standard
// input and writes the counts.
import { readFileSync } from "node:fs";
import { Session } from "node:inspector";

const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
const { compileSources, edit, format, parseDot } = await import("../dist/index.js");

/** Blocks of this package that ran since the last time. */
function steps() {
  let sum = 0;
  session.post("Profiler.takePreciseCoverage", (error, coverage) => {
    if (error) throw error;
    for (const { url, functions } of coverage.result) {
      if (!url.includes("/source-notation/dist/")) continue;
      for (const { ranges } of functions) for (const { count } of ranges) sum += count;
    }
  });
  return sum;
}

const file = "workflow.dot";
const done = [
  { op: "remove-attribute", of: { node: "a" }, name: "x_y" },
  { op: "add-node", node: "b" },
];
const operations = {
  parse: (text) => parseDot(text, { file }),
  compile: (text) => compileSources({ files: new Map([[file, text]]) }),
  edit: (text) => edit(text, done, { file }),
  format: (text) => format(text, { file }),
};
const asked = JSON.parse(readFileSync(0, "utf8"));
// What happens once only should be no part of a figure.
for (const operation of Object.values(operations))
  for (const text of ["digraph d { a > b }", "1"]) operation(text);
steps();
const counts = asked.map(([operation, text]) => {
  operations[operation](text);
  return steps();
});
process.stdout.write(JSON.stringify(counts));
