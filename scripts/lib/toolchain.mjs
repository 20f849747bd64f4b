// What setup, test and start share. Plain JavaScript for Node >= 20 with nothing installed: it finds the tools, runs
// them quietly with progress and seconds, and shows their output only when they fail. Never prompts, never needs a
// global install, works the same when it was interrupted before.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const windows = process.platform === "win32";
const oldestNode = 20;
const stamp = join(root, "node_modules", ".swl-installed");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const pnpm = manifest.packageManager.split("+")[0];

/** A stop with a code, one sentence and a remedy; printed without a stack. */
export class Stop extends Error {
  constructor(code, message, remedy) {
    super(message);
    this.code = code;
    this.remedy = remedy;
  }
}

/** Prints a Stop (or whatever else was thrown) the one way, and leaves exit code 1 behind. */
export function explain(error) {
  if (error instanceof Stop) {
    process.stderr.write(`\nerror ${error.code}: ${error.message}\n  remedy: ${error.remedy}\n`);
  } else {
    process.stderr.write(`\n${error?.stack ?? error}\n`);
  }
  process.exitCode = 1;
}

/** Folders that have a package.json in this workspace, relative to the root, `/` separated. */
export function workspaceFolders() {
  const among = (parent) =>
    existsSync(join(root, parent))
      ? readdirSync(join(root, parent), { withFileTypes: true })
          .filter((entry) => entry.isDirectory())
          .map((entry) => `${parent}/${entry.name}`)
      : [];
  return [...among("packages"), "conformance", "conformance/self-test", ...among("examples"), "bench"]
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .sort();
}

/**
 * Runs a command to its end with its output kept. Resolves with the exit code (1 when it could not start) and the
 * text of stdout and stderr together; never rejects. `hear` is given what comes, as it comes.
 */
export function run(command, args, { env = process.env, cwd = root, show = false, hear } = {}) {
  return new Promise((settle) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ["ignore", show ? "inherit" : "pipe", show ? "inherit" : "pipe"],
      shell: windows && !command.endsWith(".exe"),
    });
    const chunks = [];
    child.stdout?.on("data", (chunk) => chunks.push(chunk));
    child.stderr?.on("data", (chunk) => chunks.push(chunk));
    if (hear) child.stdout?.on("data", (chunk) => hear(chunk.toString()));
    child.on("error", (error) => settle({ status: 1, output: `${command}: ${error.message}\n` }));
    child.on("close", (status) => settle({ status: status ?? 1, output: Buffer.concat(chunks).toString() }));
  });
}

/** A line about what is under way, above the line of the step on a terminal. */
export function note(text) {
  process.stdout.write(`${process.stdout.isTTY ? "\r\x1b[K" : ""}    ${text}\n`);
}

/** Runs `work`, shows that it is under way (each minute in a log), and ends the line with its seconds. */
export async function step(title, work) {
  const started = Date.now();
  const seconds = () => `${((Date.now() - started) / 1000).toFixed(1)} s`;
  const live = process.stdout.isTTY;
  const ticking = live
    ? setInterval(() => process.stdout.write(`\r  ${title} … ${seconds()} `), 500)
    : setInterval(() => note(`${title} … ${seconds()}`), 60_000);
  process.stdout.write(`  ${title} …${live ? "" : "\n"}`);
  try {
    return await work();
  } finally {
    clearInterval(ticking);
    process.stdout.write(`${live ? "\r" : ""}  ${title}: ${seconds()}${live ? "     " : ""}\n`);
  }
}

function quietEnv() {
  return {
    ...process.env,
    CI: process.env.CI || "true",
    NO_COLOR: "1",
    TURBO_TELEMETRY_DISABLED: "1",
    DO_NOT_TRACK: "1",
    npm_config_update_notifier: "false",
  };
}

function installKey() {
  const hash = createHash("sha256").update(`${process.platform}-${process.arch} ${pnpm}\n`);
  const files = ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json"];
  files.push(...workspaceFolders().map((folder) => `${folder}/package.json`));
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

function isInstalled() {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === installKey() && existsSync(localNode() ?? "");
}

function unreachable(output) {
  return /ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ERR_PNPM_META_FETCH_FAIL|network/i.test(
    output,
  );
}

/** Installs exactly what the lockfile says; does nothing when that was done before. */
export async function install() {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < oldestNode) {
    throw new Stop(
      "setup.node-too-old",
      `this is Node ${process.versions.node}, and Node ${oldestNode} or newer is needed`,
      "install a current Node from https://nodejs.org and try again",
    );
  }
  if (isInstalled()) return;
  await step("install packages", async () => {
    rmSync(stamp, { force: true });
    const args = ["--yes", pnpm, "install", "--frozen-lockfile", "--config.confirmModulesPurge=false"];
    const { status, output } = await run("npx", args, { env: quietEnv() });
    if (status !== 0) {
      process.stderr.write(`\n${output}\n`);
      throw unreachable(output)
        ? new Stop(
            "setup.registry-unreachable",
            "the npm registry did not answer",
            "check the network or npm's proxy settings, then run the same command again",
          )
        : new Stop(
            "setup.install-failed",
            "pnpm could not install (its output is above)",
            "fix what it says, then run the same command again",
          );
    }
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, installKey());
  });
}

/** The Node that this workspace installed for itself, or undefined before the install. */
export function localNode() {
  return ["node", "node.exe"]
    .map((name) => join(root, "node_modules", "node", "bin", name))
    .find((file) => existsSync(file));
}

let known;

/** The environment in which `turbo`, `pnpm` and the local Node are found first. Needs the install. */
export async function toolEnv() {
  if (known !== undefined) return known;
  const env = quietEnv();
  const print = "console.log(JSON.stringify(process.env.PATH ?? process.env.Path))";
  const file = join(root, "node_modules", ".swl-path.cjs");
  writeFileSync(file, print);
  const { status, output } = await run("npx", ["--yes", pnpm, "exec", "node", file], { env });
  const line = output.split("\n").find((text) => text.startsWith('"'));
  if (status !== 0 || line === undefined) {
    process.stderr.write(`\n${output}\n`);
    throw new Stop("setup.tools-missing", `${pnpm} did not start`, "run `npm run setup` again");
  }
  for (const key of Object.keys(env)) if (key.toUpperCase() === "PATH") delete env[key];
  env.PATH = JSON.parse(line);
  known = env;
  return env;
}

/**
 * Runs turbo tasks. Resolves with the exit code, the output, and the names of the tasks that succeeded, failed or
 * came from the cache (as `@swl/base#test`).
 */
export async function turbo(tasks, filters = []) {
  const env = await toolEnv();
  const summaries = join(root, ".turbo", "runs");
  rmSync(summaries, { recursive: true, force: true });
  const args = [
    "run",
    ...tasks,
    "--output-logs=errors-only",
    "--continue=dependencies-successful",
    "--summarize",
  ];
  args.push(`--concurrency=${Math.max(2, availableParallelism())}`);
  args.push(...filters.map((filter) => `--filter=${filter}`));
  const { status, output } = await run("turbo", args, { env });
  const done = { status, output, succeeded: [], failed: [], cached: [] };
  if (!existsSync(summaries)) return done;
  for (const name of readdirSync(summaries)) {
    for (const task of JSON.parse(readFileSync(join(summaries, name), "utf8")).tasks) {
      const hit = task.cache?.status === "HIT";
      if (hit) done.cached.push(task.taskId);
      const list = hit || task.execution?.exitCode === 0 ? done.succeeded : done.failed;
      if (hit || task.execution !== undefined) list.push(task.taskId);
    }
  }
  return done;
}

/** Builds packages in dependency order; what did not change comes from the cache. Throws when one does not build. */
export async function build(filters = []) {
  const { status, output, failed } = await step("build packages", () => turbo(["build"], filters));
  if (status !== 0) {
    process.stderr.write(`\n${output}\n`);
    throw new Stop(
      "setup.build-failed",
      `did not build: ${failed.join(", ") || "see above"}`,
      "fix what the output above says, then run the same command again",
    );
  }
}
