/**
 * Empty projects as a user would have them: a folder in the temp directory, our tarballs installed with npm, nothing
 * of ours from the registry, nothing of this workspace in reach.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
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

/** A project that depends on the named packages; whatever else of ours they need comes from the tarballs too. */
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
    const overrides = Object.fromEntries([...tarballs.keys()].map((pack) => [pack, spec(pack)]));
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

/** The environment without what npm or pnpm left in it for scripts of this workspace. */
export function plainEnv(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([key]) => !/^(npm_(config|package|lifecycle)|pnpm_|INIT_CWD)/i.test(key),
  );
  return { ...Object.fromEntries(kept), NO_COLOR: "1" };
}

/** Writes files (path → text) into a project. */
export function write(project: Project, files: { readonly [file: string]: string }): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(project.path, file, ".."), { recursive: true });
    writeFileSync(join(project.path, file), text);
  }
}
