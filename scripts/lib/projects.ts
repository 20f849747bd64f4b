/**
 * Empty projects as a user would have them: a folder in the temp directory, our tarballs installed with npm, nothing
 * of ours from the registry, nothing of this workspace in reach.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "./toolchain.mjs";

export interface Project {
  readonly path: string;
  remove(): void;
}

/** A failure with a code, one sentence and what to do. */
export class ConsumerFailure extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/**
 * A project that depends on the named packages; whatever else of ours they need comes from the tarballs too. With all
 * of them wanted it is what `npm install DIR/*.tgz` makes.
 */
export async function createProject(
  name: string,
  wanted: readonly string[],
  tarballs: ReadonlyMap<string, string>,
): Promise<Project> {
  const path = realpathSync(mkdtempSync(join(tmpdir(), `swl-consumer-${name}-`)));
  const remove = () => rmSync(path, { recursive: true, force: true });
  const spec = (pack: string) => {
    const tarball = tarballs.get(pack);
    if (tarball === undefined)
      throw new ConsumerFailure("consumer.unknown-package", `${pack} was not packed`);
    return `file:${tarball}`;
  };
  try {
    const dependencies = Object.fromEntries(wanted.map((pack) => [pack, spec(pack)]));
    const rest = [...tarballs.keys()].filter((pack) => !wanted.includes(pack));
    const overrides = Object.fromEntries(rest.map((pack) => [pack, spec(pack)]));
    const manifest = { name: `consumer-${name}`, private: true, type: "module", dependencies, overrides };
    writeFileSync(join(path, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    await npmInstall(path);
  } catch (error) {
    remove();
    throw error;
  }
  return { path, remove };
}

async function npmInstall(path: string): Promise<void> {
  const args = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status, output } = await run("npm", args, { cwd: path, env: plainEnv() });
  if (status === 0) return;
  const offline = /ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENOTCACHED/.test(output);
  throw offline
    ? new ConsumerFailure(
        "consumer.registry-unreachable",
        "npm could not reach its registry; check the network and run again",
      )
    : new ConsumerFailure("consumer.install-failed", `npm could not install the tarballs:\n${output}`);
}

/** Of the environment that a package manager leaves to scripts: how to reach the registry. */
const network = /^npm_config_(registry|proxy|https?_proxy|noproxy|ca|cafile|strict_ssl|cache|userconfig)$/i;

/** The environment without what npm or pnpm left in it for scripts of this workspace. */
export function plainEnv(): NodeJS.ProcessEnv {
  const left = /^(npm_(config|package|lifecycle)|pnpm_|INIT_CWD)/i;
  const kept = Object.entries(process.env).filter(([key]) => network.test(key) || !left.test(key));
  return { ...Object.fromEntries(kept), NO_COLOR: "1" };
}

/**
 * What is wrong with the packages of ours in a project: one that is not wanted, one that is missing, one that did not
 * come from a tarball.
 */
export function installedComplaints(project: Project, wanted: ReadonlySet<string>): readonly string[] {
  const lock = JSON.parse(readFileSync(join(project.path, "package-lock.json"), "utf8")) as {
    readonly packages: { readonly [place: string]: { readonly resolved?: string } };
  };
  const complaints: string[] = [];
  const found = new Set<string>();
  for (const [place, { resolved = "nothing" }] of Object.entries(lock.packages)) {
    const name = place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
    if (!name.startsWith("@swl/")) continue;
    found.add(name);
    if (!resolved.startsWith("file:")) complaints.push(`${name} came from ${resolved}`);
    if (!wanted.has(name)) complaints.push(`${name} was installed and is not needed`);
  }
  for (const name of wanted) if (!found.has(name)) complaints.push(`${name} was not installed`);
  return complaints;
}

/** Writes files (path → text) into a project. */
export function write(project: Project, files: { readonly [file: string]: string }): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(project.path, file, ".."), { recursive: true });
    writeFileSync(join(project.path, file), text);
  }
}
