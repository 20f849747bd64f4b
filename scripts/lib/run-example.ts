/** Runs an example of a README in a project, exactly as it is printed there, and compares what it prints. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { type Example, examplesOf } from "./markdown.ts";
import { type Project, plainEnv, write } from "./projects.ts";

/** The Node that examples run on: SWL_NODE, else the one that runs this. */
export const node: string = process.env["SWL_NODE"] || process.execPath;

/** The first Node that runs TypeScript unasked is 22.18; older ones are asked. */
export const flags: readonly string[] = [
  "--experimental-strip-types",
  "--disable-warning=ExperimentalWarning",
];

/** Complaints about one example: it fails, or prints something else, the first time or the second. */
export function runExample(project: Project, name: string, example: Example): readonly string[] {
  const file = `${name.replaceAll("/", "-")}-line-${example.line}.ts`;
  write(project, { [file]: example.source });
  const first = runOnce(project, file, example.line, example.output);
  if (first.length > 0 || example.again === undefined) return first;
  return runOnce(project, file, example.line, example.again).map((line) => line.replace("it", "again it"));
}

function runOnce(project: Project, file: string, line: number, output: string): readonly string[] {
  const run = spawnSync(node, [...flags, join(project.path, file)], {
    cwd: project.path,
    env: plainEnv(),
    encoding: "utf8",
    timeout: 60_000,
  });
  if (run.status !== 0)
    return [`line ${line}: it ends with ${run.status ?? run.signal}:`, ...indent(run.stderr)];
  if (run.stdout === output) return [];
  return [`line ${line}: it prints`, ...indent(run.stdout), "and the README says", ...indent(output)];
}

/** Runs every example of a README; a README without one is a complaint. */
export function runReadme(project: Project, name: string, text: string): readonly string[] {
  const examples = examplesOf(text);
  if (examples.length === 0) return ["it has no example with its output"];
  return examples.flatMap((example) => runExample(project, name, example));
}

/** Quoted output, for complaints. */
export function indent(text: string): readonly string[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => `  | ${line}`);
}
