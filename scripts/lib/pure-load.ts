/**
 * Proof by running: loads a built entry in a Node of its own that refuses code from strings, with every module it
 * loads written down. What reads the world would have to load it.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rooms } from "./arrows.ts";
import { isBuiltin } from "./purity.ts";
import type { Workspace } from "./workspace.ts";

const program = `
import { registerHooks } from "node:module";
const loaded = [];
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    loaded.push([specifier, found.url]);
    return found;
  },
});
const forbidden = (what) => () => { throw new Error("used while loading: " + what); };
Date.now = forbidden("Date.now");
Math.random = forbidden("Math.random");
const names = Object.keys(await import(process.argv[1]));
process.stdout.write(JSON.stringify({ loaded, names }));
`;

/** What is wrong with an entry (`.`, `./model`) of a built package; empty when it loads and is pure. */
export function provePure(workspace: Workspace, entry: string): readonly string[] {
  const target = workspace.manifest.exports?.[entry];
  if (target === undefined) return [`package.json does not export ${entry}`];
  const file = typeof target === "string" ? target : target.default;
  if (file === undefined) return [`exports ${entry} has no default`];
  return loadPure(join(workspace.path, file), rooms[workspace.folder]?.neverLoads ?? []);
}

/** The same for a file: what it loads that it must not. */
export function loadPure(file: string, never: readonly string[]): readonly string[] {
  const run = spawnSync(
    process.execPath,
    [
      "--disallow-code-generation-from-strings",
      "--input-type=module",
      "--eval",
      program,
      pathToFileURL(file).href,
    ],
    { encoding: "utf8", timeout: 60_000 },
  );
  if (run.status !== 0) return [`it does not load: ${run.stderr.trim().split("\n").slice(0, 6).join(" | ")}`];
  const { loaded } = JSON.parse(run.stdout) as { loaded: readonly (readonly [string, string])[] };
  const complaints: string[] = [];
  for (const [specifier, url] of loaded) {
    if (isBuiltin(specifier)) complaints.push(`loads ${specifier}`);
    if (never.some((part) => url.includes(part))) complaints.push(`loads ${specifier}`);
  }
  return complaints;
}
