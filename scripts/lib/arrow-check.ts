/**
 * Compares one folder of the workspace with its room: what it imports, what its package.json declares, what is pure.
 * Works on a subject in memory, so that the check can be tried on planted violations.
 */
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import {
  allows,
  endPoints,
  exampleRoom,
  packageOf,
  type Room,
  rooms,
  skeletonTools,
  underTheKit,
} from "./arrows.ts";
import { impurities, isBuiltin } from "./purity.ts";
import { type Import, importsOf, tokenize } from "./tokens.ts";
import { filesBelow, type Manifest, type Workspace } from "./workspace.ts";

export interface SourceFile {
  /** Relative to the package, `/` separated. */
  readonly file: string;
  readonly text: string;
}

export interface Subject {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly src: readonly SourceFile[];
  /** Tests and configuration files: they may use development dependencies. */
  readonly tools: readonly SourceFile[];
}

/** What is wrong with a folder on disk. */
export function checkArrows(workspace: Workspace): readonly string[] {
  const files = (folder: string) =>
    filesBelow(join(workspace.path, folder), [".ts", ".js", ".mts", ".mjs"])
      .filter((file) => !file.endsWith(".d.ts"))
      .map((file) => read(workspace, folder === "." ? file : `${folder}/${file}`));
  const src = files("src");
  const nested = new Set(src.map(({ file }) => file));
  // Packages of their own: one is checked for itself, the other is installed by itself, for comparison only.
  const inner = /^(self-test|peers)\//;
  const tools = files(".").filter(
    ({ file }) => !nested.has(file) && !inner.test(file) && !file.startsWith("cases/"),
  );
  return inspect({ folder: workspace.folder, manifest: workspace.manifest, src, tools });
}

function read(workspace: Workspace, file: string): SourceFile {
  return { file, text: readFileSync(join(workspace.path, file), "utf8") };
}

/** Every complaint about a subject, each with file and line where there is one. */
export function inspect(subject: Subject): readonly string[] {
  const room = roomOf(subject.folder);
  if (room === undefined) return ["it has no room in scripts/lib/arrows.ts: say there what it may import"];
  const complaints: string[] = [];
  const used = new Set<string>();
  for (const source of subject.src) {
    const tokens = tokenize(source.text);
    for (const item of importsOf(tokens)) {
      if (!item.specifier.startsWith(".")) used.add(packageOf(item.specifier));
      const complaint = checkImport(subject, room, source.file, item);
      if (complaint !== undefined) complaints.push(`${source.file}:${item.line}: ${complaint}`);
    }
    if (room.pure && !room.impure?.some((pattern) => pattern.test(source.file))) {
      complaints.push(...impurities(tokens).map((found) => `${source.file}:${found}`));
    }
  }
  complaints.push(...checkTools(subject, used), ...checkManifest(subject, room, used));
  return complaints;
}

export function roomOf(folder: string): Room | undefined {
  return folder.startsWith("examples/")
    ? exampleRoom
    : Object.hasOwn(rooms, folder)
      ? rooms[folder]
      : undefined;
}

function checkImport(subject: Subject, room: Room, file: string, item: Import): string | undefined {
  const { specifier } = item;
  const name = packageOf(specifier);
  if (specifier.startsWith(".")) {
    const target = posix.normalize(posix.join(posix.dirname(file), specifier));
    return target.startsWith("src/") || subject.manifest.private
      ? undefined
      : `imports ${specifier}, which is outside its src and is not published`;
  }
  if (isBuiltin(specifier)) {
    return specifier.startsWith("node:") ? undefined : `imports ${specifier}: write node:${specifier}`;
  }
  if (name.startsWith("@swl/")) {
    if (!allows(room.may, specifier)) return `imports ${specifier}: no arrow goes from here to there`;
    if (!room.leaf && endPoints.includes(name)) return `imports ${specifier}: only leaves depend on it`;
    if (room.typesOnly?.includes(specifier) && !item.typeOnly) return `imports ${specifier}: types only`;
  } else if (!room.leaf && !room.external?.includes(name)) {
    return `imports ${specifier}: not among the registry packages this room may use`;
  }
  const { dependencies = {}, peerDependencies = {}, devDependencies = {} } = subject.manifest;
  const toInstall = name in dependencies || name in peerDependencies;
  const declared = room.bundled?.includes(name)
    ? name in devDependencies && !toInstall
    : toInstall || (subject.manifest.private && name in devDependencies);
  return declared ? undefined : `imports ${specifier}: ${name} is not declared in package.json`;
}

/** Tests and configuration may use anything that is declared; what they use counts as used. */
function checkTools(subject: Subject, used: Set<string>): readonly string[] {
  const { manifest } = subject;
  const declared = { ...manifest.devDependencies, ...manifest.dependencies, ...manifest.peerDependencies };
  const complaints: string[] = [];
  for (const source of subject.tools) {
    for (const { specifier, line } of importsOf(tokenize(source.text))) {
      if (specifier.startsWith(".") || isBuiltin(specifier)) continue;
      const name = packageOf(specifier);
      used.add(`tool:${name}`);
      if (name !== manifest.name && !(name in declared)) {
        complaints.push(
          `${source.file}:${line}: imports ${specifier}: ${name} is not declared in package.json`,
        );
      }
    }
  }
  return complaints;
}

function checkManifest(subject: Subject, room: Room, used: ReadonlySet<string>): readonly string[] {
  const { manifest, folder } = subject;
  const { dependencies = {}, peerDependencies = {}, devDependencies = {} } = manifest;
  const scripts = Object.values(manifest.scripts ?? {}).join(" ");
  const complaints: string[] = [];
  for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
    const inTools = manifest.private && used.has(`tool:${name}`);
    if (!used.has(name) && !inTools && !(room.leaf && isOptionalPeer(name))) {
      complaints.push(`package.json: ${name} is declared and never used`);
    }
    if (!room.leaf && endPoints.includes(name))
      complaints.push(`package.json: only leaves depend on ${name}`);
  }
  for (const name of Object.keys(devDependencies)) {
    const typed = name.startsWith("@types/") ? name.slice("@types/".length) : name;
    if (room.toolFiles?.includes(name) || used.has(typed) || used.has(`tool:${typed}`)) continue;
    const tool = skeletonTools.includes(name) || new RegExp(`\\b${name.split("/").at(-1)}\\b`).test(scripts);
    if (!tool && !(name in peerDependencies)) {
      complaints.push(`package.json: ${name} is a development dependency and never used`);
    }
  }
  if (underTheKit.includes(folder) && "@swl/conformance" in devDependencies) {
    complaints.push("package.json: the kit depends on this package; its cases run in conformance/self-test");
  }
  return complaints;
}

/** A leaf brings along what a package of ours takes as an optional peer. */
function isOptionalPeer(name: string): boolean {
  return Object.values(rooms).some((room) => room.optional?.includes(name));
}

/** Folders that the registry of parts does not know or calls not built, and built parts without a folder. */
export function checkRegistry(
  all: readonly Workspace[],
  parts: readonly { readonly name: string; readonly built: boolean }[],
): readonly string[] {
  const folders = all
    .map(({ folder }) => (folder === "conformance" ? folder : folder.replace(/^packages\//, "")))
    .filter((folder) => !folder.includes("/") && folder !== "bench");
  const registry = "the registry (packages/definition/src/registry.ts)";
  return [
    ...folders
      .filter((folder) => !parts.some(({ name }) => name === folder))
      .map((folder) => `packages/${folder}: ${registry} has no such part`),
    ...parts
      .filter(({ name, built }) => built !== folders.includes(name))
      .map(({ name, built }) => `${name}: ${registry} says it is ${built ? "" : "not "}built`),
  ];
}
