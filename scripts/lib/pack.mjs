// Packs packages of this workspace as they would be published. What `npm run pack` and the checks share.
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root, run, toolEnv } from "./toolchain.mjs";

/** A tarball of ours, by its file name. */
const ours = /^swl-[a-z-]+-\d[^/]*\.tgz$/;

/**
 * Packs the named packages into a folder, which is made; tarballs of ours that lay there are gone first, so that
 * `DIR/*.tgz` is one version of each. Resolves with pnpm's exit code and output.
 */
export async function packInto(names, into) {
  mkdirSync(into, { recursive: true });
  for (const file of readdirSync(into)) if (ours.test(file)) rmSync(join(into, file));
  const filters = names.flatMap((name) => ["--filter", name]);
  const env = await toolEnv();
  return run("pnpm", [...filters, "-r", "pack", "--pack-destination", into], { env, cwd: root });
}
