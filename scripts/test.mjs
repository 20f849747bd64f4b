// `npm test`: every suite, one after the other, going on after a failure so that all is reported. What did not change
// comes from turbo's cache. Prints seconds and counts per suite; the last line is `N passed, N failed`.
// `--full` (npm run test:full) sets SWL_FULL=1, which adds what is too long for every day. `--only=a,b` picks suites,
// `--help` lists them. SWL_NODE names the Node binary that tests run on.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { caughtOf, failuresOf, lineCounts, reportCounts, skipsOf } from "./lib/counts.mjs";
import { followLines } from "./lib/follow.mjs";
import { optionsOf, usageOf } from "./lib/test-options.mjs";
import {
  explain,
  install,
  localNode,
  note,
  root,
  run,
  step,
  toolEnv,
  turbo,
  workspaceFolders,
} from "./lib/toolchain.mjs";

// Whoever reads may stop reading (`npm test | head`): the suites go on, nobody hears of it.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error) => {
    if (error.code !== "EPIPE") throw error;
  });
}

/** One task of each package: as many passed as there are tasks that succeeded. */
async function tasks(task) {
  const { status, output, succeeded, failed, cached } = await turbo([task]);
  const ours = (list) => list.filter((id) => id.endsWith(`#${task}`)).length;
  // A task that never started because a build failed before it is a failure of that build.
  const broken = failed.length > 0 ? failed.length : status === 0 ? 0 : 1;
  return { passed: ours(succeeded), failed: broken, output, note: `${ours(cached)} from the cache` };
}

/** Vitest in the packages whose folder passes `belongs`. */
async function vitest(belongs) {
  const folders = workspaceFolders().filter(belongs).filter(hasTests);
  for (const folder of folders) rmSync(join(root, folder, "reports"), { recursive: true, force: true });
  if (folders.length === 0) return { passed: 0, failed: 1, output: "there is no package to test\n" };
  const { output, cached } = await turbo(
    ["test"],
    folders.map((folder) => `./${folder}`),
  );
  const total = { passed: 0, failed: 0, output, note: "", failures: [] };
  for (const folder of folders) {
    const { passed, failed } = reportCounts(join(root, folder));
    total.passed += passed;
    total.failed += failed;
    if (failed > 0) {
      total.output += `${folder}: ${failed} failed\n`;
      total.failures.push(...failuresOf(join(root, folder)).map((failure) => `${folder} ${failure}`));
    }
  }
  const hits = cached.filter((id) => id.endsWith("#test")).length;
  const left = folders.flatMap((folder) => [...skipsOf(join(root, folder)), ...caughtOf(join(root, folder))]);
  total.note = [`${hits} of ${folders.length} packages from the cache`, ...left].join("; ");
  return total;
}

function hasTests(folder) {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")).scripts?.test !== undefined;
}

/** A script of this folder, run by the local Node; it ends with a line of counts. */
async function script(name) {
  const hear = (text) => text.match(/^PostgreSQL \d.*$/gm)?.forEach(note);
  const { status, output } = await run(localNode(), [join(root, "scripts", `${name}.ts`)], {
    env: await toolEnv(),
    hear,
  });
  return { ...lineCounts(output, status), output };
}

/** The same through turbo: what it looks at did not change, so neither did the result. */
async function cachedScript(name) {
  const report = join(root, "reports", `${name}.json`);
  rmSync(report, { force: true });
  const { status, output, cached } = await turbo([`//#check:${name}`]);
  const counts = lineCounts(existsSync(report) ? readFileSync(report, "utf8") : "", status);
  return { ...counts, output, note: cached.includes(`//#check:${name}`) ? "from the cache" : "" };
}

/** A command that either passes or fails. */
async function command(program, args) {
  const { status, output } = await run(program, args, { env: await toolEnv() });
  return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, output };
}

async function types() {
  const packages = await tasks("types");
  const scripts = await command("tsc", ["-p", join("scripts", "tsconfig.json")]);
  return {
    passed: packages.passed + scripts.passed,
    failed: packages.failed + scripts.failed,
    output: packages.output + scripts.output,
    note: packages.note,
  };
}

async function scriptTests() {
  const folder = join(root, "scripts");
  // Scripts are tools: they always run on the Node of this workspace.
  const env = { ...(await toolEnv()), SWL_NODE: "" };
  const { output } = await run(localNode(), ["run-vitest.mjs"], { env, cwd: folder });
  return { ...reportCounts(folder), output, failures: failuresOf(folder) };
}

const suites = [
  { name: "build", says: "every package builds", run: () => tasks("build") },
  { name: "lint", says: "format and lint", run: () => command("biome", ["check", "."]) },
  { name: "types", says: "every package and script type-checks", run: types },
  { name: "scripts", says: "tests of the checks themselves", run: scriptTests },
  { name: "boundaries", says: "who may import whom, and pure code is pure", run: () => script("boundaries") },
  { name: "packages", says: "one skeleton, claims, publint, attw", run: () => cachedScript("packages") },
  { name: "docs", says: "codes, rules, links, decision records", run: () => script("docs") },
  {
    name: "unit",
    says: "tests of the packages",
    run: () => vitest((folder) => folder.startsWith("packages/")),
  },
  {
    name: "kit",
    says: "conformance: cases, rules shown",
    run: () => vitest((folder) => folder.startsWith("conformance")),
  },
  {
    name: "examples",
    says: "tests of examples and bench",
    run: () => vitest((folder) => /^(examples\/|bench$)/.test(folder)),
  },
  {
    name: "postgres",
    says: "full run only: store-postgres on PostgreSQL 14 to 17",
    full: true,
    run: () => script("postgres-versions"),
  },
  {
    name: "consumer",
    says: "packed, installed with npm, READMEs and guide run",
    run: () => cachedScript("consumer"),
  },
];

const options = optionsOf(process.argv.slice(2), suites);
if (options.help || options.unknown.length > 0) {
  for (const word of options.unknown) process.stderr.write(`npm test: unknown: ${word}\n`);
  (options.help ? process.stdout : process.stderr).write(usageOf(suites));
  process.exit(options.help ? 0 : 2);
}
if (options.full) process.env.SWL_FULL = "1";
// A full run takes an hour or two: each test file that ends says so.
const progress = join(root, "node_modules", ".swl-progress");
if (options.full) process.env.SWL_PROGRESS = progress;

async function runSuite(suite) {
  const started = Date.now();
  const result = await step(suite.name, suite.run);
  if (result.failed > 0) process.stdout.write(`${result.output.trimEnd()}\n`);
  return { name: suite.name, ...result, seconds: (Date.now() - started) / 1000 };
}

/** What failed, once more and in short: the output above may be thousands of lines long. */
function failures(results) {
  const named = results.flatMap(({ name, failures = [] }) => failures.map((one) => `${name}: ${one}`));
  return named.length === 0 ? "" : `\n${named.join("\n")}\n`;
}

function table(results) {
  const rows = results.map(({ name, passed, failed, seconds, note = "" }) => {
    const figures = [passed, failed].map((figure) => String(figure).padStart(8)).join("");
    return `${name.padEnd(12)}${figures}${seconds.toFixed(1).padStart(10)}  ${note}`.trimEnd();
  });
  const head = `${"suite".padEnd(12)}${"passed".padStart(8)}${"failed".padStart(8)}${"seconds".padStart(10)}`;
  return `\n${head}\n${rows.join("\n")}\n`;
}

let unfollow = () => undefined;
try {
  await install();
  if (options.full) unfollow = followLines(progress, note);
  const chosen = suites.filter(({ name, full }) =>
    options.only.length === 0 ? options.full || full !== true : options.only.includes(name),
  );
  const results = [];
  for (const suite of chosen) results.push(await runSuite(suite));
  const sum = (figure) => results.reduce((total, result) => total + result[figure], 0);
  const failed = sum("failed") + (results.length === 0 ? 1 : 0);
  if (failed > 0) process.exitCode = 1;
  process.stdout.write(`${failures(results)}${table(results)}\n${sum("passed")} passed, ${failed} failed\n`);
} catch (error) {
  explain(error);
  process.stdout.write("0 passed, 1 failed\n");
} finally {
  unfollow();
}
