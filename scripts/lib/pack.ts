/** Packs packages as they would be published, into a folder of the caller's. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { packInto } from "./pack.mjs";
import type { Workspace } from "./workspace.ts";

/** Package name → its tarball. Throws with pnpm's output when a package cannot be packed. */
export async function packAll(
  packages: readonly Workspace[],
  into: string,
): Promise<ReadonlyMap<string, string>> {
  const names = packages.map(({ manifest }) => manifest.name);
  const { status, output } = await packInto(names, into);
  if (status !== 0) throw new Error(`pnpm pack failed:\n${output}`);
  const tarballs = new Map<string, string>();
  const present = readdirSync(into);
  for (const { manifest } of packages) {
    const file = `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`;
    if (present.includes(file)) tarballs.set(manifest.name, join(into, file));
  }
  return tarballs;
}
