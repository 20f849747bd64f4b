/**
 * The consumer check: our packages as a user gets them. Packs, installs the tarballs with npm into empty projects (in
 * each only the parts it needs), runs the examples of the READMEs there and compares what they print, runs `swl`.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Checks } from "./lib/checks.ts";
import { blocksOf } from "./lib/markdown.ts";
import { packAll } from "./lib/pack.ts";
import {
  ConsumerFailure,
  createProject,
  installedComplaints,
  type Project,
  plainEnv,
  write,
} from "./lib/projects.ts";
import { node, runExample, runReadme } from "./lib/run-example.ts";
import { walk } from "./lib/walk.ts";
import { root, workspaces } from "./lib/workspace.ts";

const checks = new Checks("consumer");
const packages = workspaces().filter(({ manifest }) => manifest.private !== true);
const readme = (folder: string) => {
  const file = join(root, folder, "README.md");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
};

/** The packages of ours that these need, themselves included. */
function neededBy(wanted: readonly string[]): ReadonlySet<string> {
  const needed = new Set<string>();
  const add = (name: string) => {
    if (!name.startsWith("@swl/") || needed.has(name)) return;
    needed.add(name);
    const found = packages.find(({ manifest }) => manifest.name === name);
    for (const dependency of Object.keys(found?.manifest.dependencies ?? {})) add(dependency);
  };
  for (const name of wanted) add(name);
  return needed;
}

/** Installs the packages into a project of its own and hands it over; failures to install are failures of `name`. */
async function inProject(
  name: string,
  wanted: readonly string[],
  tarballs: ReadonlyMap<string, string>,
  use: (project: Project) => void | Promise<void>,
): Promise<void> {
  try {
    const project = await createProject(name, wanted, tarballs);
    checks.check(
      `${name}: npm installs ${wanted.join(", ")}`,
      installedComplaints(project, neededBy(wanted)),
    );
    try {
      await use(project);
    } finally {
      project.remove();
    }
  } catch (error) {
    if (!(error instanceof ConsumerFailure)) throw error;
    checks.check(`${name}: npm installs ${wanted.join(", ")}`, [error.message]);
  }
}

/** `swl` as npm linked it. */
function swl(
  project: Project,
  args: readonly string[],
): { readonly status: number | null; readonly output: string } {
  const bin = join(project.path, "node_modules", "@swl", "cli", "dist", "bin.js");
  const run = spawnSync(node, [bin, ...args], {
    cwd: project.path,
    env: plainEnv(),
    encoding: "utf8",
    timeout: 60_000,
  });
  return { status: run.status, output: `${run.stdout}${run.stderr}` };
}

function checkCli(project: Project): void {
  const { version } = JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8")) as {
    version: string;
  };
  const linked = existsSync(
    join(project.path, "node_modules", ".bin", process.platform === "win32" ? "swl.cmd" : "swl"),
  );
  checks.check("cli: npm links swl", linked ? [] : ["node_modules/.bin has no swl"]);
  const asked = swl(project, ["--version"]);
  checks.check(
    "cli: swl --version",
    asked.output.trim() === version ? [] : [`it prints ${asked.output.trim()}, not ${version}`],
  );
  for (const part of ["workflow.dot", "settings.json", "schemas"]) {
    cpSync(join(root, "examples", "orders", part), join(project.path, "orders", part), { recursive: true });
  }
  const good = swl(project, ["validate", "orders"]);
  checks.check(
    "cli: swl validate accepts the orders example",
    good.status === 0 ? [] : [`exit ${good.status}`, good.output],
  );
  const bad = swl(project, ["validate", "nowhere"]);
  checks.check(
    "cli: swl validate refuses a missing folder by code",
    bad.status !== 0 && /source\.not-found/.test(bad.output) ? [] : [`exit ${bad.status}`, bad.output],
  );
}

/** The README writes one workflow twice, in TypeScript and as a graph: both are the same. */
function checkGraph(project: Project, text: string): void {
  const block = (language: string) => blocksOf(text).find((one) => one.language === language)?.text ?? "";
  write(project, { "graph/workflow.dot": block("dot"), "graph/settings.json": block("json") });
  const source = `${block("ts").split("const charge")[0]}
import { isDeepStrictEqual } from "node:util";
import { compileFolder } from "@swl/source-notation/folder";
const graph = await compileFolder("graph");
const plain = (definition: object) => JSON.parse(JSON.stringify(definition));
console.log(graph.ok && isDeepStrictEqual(plain(order), plain(graph.value.definition)));
`;
  checks.check(
    "README.md: the graph is the workflow in TypeScript",
    runExample(project, "same", { source, output: "true\n", line: 1 }),
  );
}

/** Of this machine: checks of several clones do not meet on the one that a page names. */
function freePort(): Promise<string> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(String(typeof address === "object" ? address?.port : address)));
    });
  });
}

/** Everything installed from its tarballs, as the README says today: README and guide are followed there. */
async function followPages(project: Project): Promise<void> {
  const text = readme(".");
  checks.check("README.md", runReadme(project, "readme", text));
  checkGraph(project, text);
  for (const name of ["first-workflow.md", "serve.md"]) {
    const page = readFileSync(join(root, "docs", "guide", name), "utf8");
    // A folder of its own within the project, so that each page begins with an empty one.
    const path = join(project.path, name.replace(".md", ""));
    mkdirSync(path);
    const port = await freePort();
    checks.check(`docs/guide/${name}`, await walk({ ...project, path }, page.replaceAll("4777", port)));
  }
}

/** Packages that have no project of their own: their examples run with all of them installed. */
const rest = packages.filter(
  ({ folder }) =>
    !/\/(definition|execution)$/.test(folder) &&
    blocksOf(readme(folder)).some(({ language }) => language === "ts"),
);

async function all(into: string): Promise<void> {
  const tarballs = await packAll(packages, into);
  for (const part of ["definition", "execution"]) {
    await inProject(part, [`@swl/${part}`], tarballs, (project) => {
      checks.check(`${part}: README`, runReadme(project, part, readme(`packages/${part}`)));
    });
  }
  const everything = packages.map(({ manifest }) => manifest.name);
  await inProject("pages", everything, tarballs, followPages);
  await inProject("cli", ["@swl/cli"], tarballs, checkCli);
  await inProject(
    "rest",
    rest.map(({ manifest }) => manifest.name),
    tarballs,
    (project) => {
      for (const { folder } of rest)
        checks.check(`${folder}: README`, runReadme(project, folder, readme(folder)));
    },
  );
}

const into = mkdtempSync(join(tmpdir(), "swl-consumer-tarballs-"));
try {
  await all(into);
} finally {
  rmSync(into, { recursive: true, force: true });
}
checks.finish();
