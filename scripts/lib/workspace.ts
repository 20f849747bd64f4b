/** The workspace as the checks see it: folders, manifests, source files. Reads the disk, changes nothing. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

export const root: string = join(import.meta.dirname, "..", "..");

export interface ExportTarget {
  readonly types?: string;
  readonly default?: string;
}

export interface Manifest {
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  readonly private?: boolean;
  readonly license?: string;
  readonly type?: string;
  readonly sideEffects?: unknown;
  readonly repository?: { readonly type?: string; readonly url?: string; readonly directory?: string };
  readonly engines?: { readonly node?: string };
  readonly bin?: { readonly [name: string]: string };
  readonly exports?: { readonly [entry: string]: string | ExportTarget };
  readonly files?: readonly string[];
  readonly scripts?: { readonly [name: string]: string };
  readonly dependencies?: { readonly [name: string]: string };
  readonly devDependencies?: { readonly [name: string]: string };
  readonly peerDependencies?: { readonly [name: string]: string };
  readonly peerDependenciesMeta?: { readonly [name: string]: { readonly optional?: boolean } };
  readonly optionalDependencies?: { readonly [name: string]: string };
  readonly publishConfig?: { readonly access?: string; readonly provenance?: boolean };
}

export interface Workspace {
  /** Relative to the root, `/` separated. */
  readonly folder: string;
  readonly path: string;
  readonly manifest: Manifest;
}

/** Every folder of the workspace that has a package.json, in order of name. */
export function workspaces(at: string = root): readonly Workspace[] {
  const among = (parent: string) => folders(join(at, parent)).map((name) => `${parent}/${name}`);
  return [...among("packages"), "conformance", "conformance/self-test", ...among("examples"), "bench"]
    .filter((folder) => existsSync(join(at, folder, "package.json")))
    .map((folder) => {
      const path = join(at, folder);
      return { folder, path, manifest: readJson(join(path, "package.json")) as Manifest };
    });
}

/** Names of the folders in a folder; none when it does not exist. */
export function folders(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map((entry) => entry.name)
    .sort();
}

/** Folders that hold what tools made. */
const made: ReadonlySet<string> = new Set(["node_modules", "dist", "reports", ".turbo", "out"]);

/**
 * Files below a folder with one of the endings, relative to it, `/` separated, sorted; none when it does not exist.
 * Follows no symlink and enters no folder that tools made.
 */
export function filesBelow(path: string, endings: readonly string[]): readonly string[] {
  if (!existsSync(path)) return [];
  const found: string[] = [];
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory() && !made.has(entry.name)) {
      found.push(...filesBelow(join(path, entry.name), endings).map((file) => `${entry.name}/${file}`));
    } else if (entry.isFile() && endings.some((ending) => entry.name.endsWith(ending))) {
      found.push(entry.name);
    }
  }
  return found.sort();
}

export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** A path relative to the root, `/` separated, for messages. */
export function shown(path: string): string {
  return relative(root, path).split(sep).join("/");
}
