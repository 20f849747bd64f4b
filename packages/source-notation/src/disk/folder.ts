/**
 * Reads a source folder from disk: the graph, the settings, and the files that the settings declare; nothing else is
 * looked at. No declared name and no symbolic link reaches a file outside the folder. Spec: DOT-source-files.
 */
import { lstat, open, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { type Diagnostic, defaultMaxBytes, type Outcome } from "@swl/base";
import {
  type Compiled,
  type CompileOptions,
  compileSources,
  SETTINGS_FILE,
  WORKFLOW_FILE,
} from "../compile/compile.js";
import { foldPath, pathProblem } from "../compile/paths.js";
import { declaredFiles } from "../compile/schema-files.js";
import { readSettingsJson } from "../compile/settings.js";
import type { Sources } from "../compile/sources.js";
import { failure, quote } from "../dot/finding.js";

type Refusal = Pick<Diagnostic, "code" | "message">;
type Content = { readonly bytes: Uint8Array } | { readonly refused: Refusal };

function errorCode(error: unknown): string {
  const code = typeof error === "object" && error !== null ? (error as { code?: unknown }).code : undefined;
  return typeof code === "string" ? code : "unknown error";
}

function refusalOf(error: unknown, name: string): Refusal {
  const code = errorCode(error);
  return code === "ENOENT" || code === "ENOTDIR"
    ? { code: "source.not-found", message: `there is no file ${quote(name)}` }
    : { code: "source.unreadable", message: `${quote(name)} cannot be read (${code})` };
}

/** Reads one file below `root`, which is a real path; `shown` is its name in messages. */
async function readInside(root: string, name: string, shown: string): Promise<Content> {
  try {
    const real = await realpath(join(root, ...name.split("/")));
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) {
      const message = `${quote(shown)} is a link that leads out of the source folder`;
      return { refused: { code: "source.outside-folder", message } };
    }
    const found = real
      .slice(root.endsWith(sep) ? root.length : root.length + 1)
      .split(sep)
      .join("/")
      .normalize("NFC");
    if (found !== name.normalize("NFC") && foldPath(found) === foldPath(name)) {
      const message = `${quote(shown)} is called ${quote(found)} on disk, which is another file where case counts`;
      return { refused: { code: "source.outside-folder", message } };
    }
    if (!(await stat(real)).isFile()) {
      return { refused: { code: "source.unreadable", message: `${quote(shown)} is not a regular file` } };
    }
    const file = await open(real, "r");
    try {
      const { size } = await file.stat();
      if (size > defaultMaxBytes) {
        const message = `${quote(shown)} has ${size} bytes, more than the ${defaultMaxBytes} that are read at most`;
        return { refused: { code: "source.unreadable", message } };
      }
      return { bytes: await file.readFile() };
    } finally {
      await file.close();
    }
  } catch (error) {
    return { refused: refusalOf(error, shown) };
  }
}

/**
 * Settings that are not there may be missing. What is there by another spelling, and is the settings file wherever case
 * does not count, or by a link that leads nowhere, was meant to be read.
 */
async function missedSettings(root: string, shownAs: (name: string) => string): Promise<Refusal | undefined> {
  const isThere = (name: string): Promise<boolean> =>
    lstat(join(root, name)).then(
      () => true,
      () => false,
    );
  if (await isThere(SETTINGS_FILE)) {
    const message = `${quote(shownAs(SETTINGS_FILE))} is a link that leads nowhere`;
    return { code: "source.unreadable", message };
  }
  const names = await readdir(root).catch((): string[] => []);
  const other = names.find((name) => foldPath(name) === SETTINGS_FILE);
  if (other === undefined) return undefined;
  const message = `${quote(shownAs(other))} is read only where case does not count: settings are in "${SETTINGS_FILE}"`;
  return { code: "source.outside-folder", message };
}

interface Location {
  readonly folder: string;
  readonly workflow: string;
  readonly hasSettings: boolean;
}

/** A folder, or one `.dot` file: `workflow.dot` stands for its folder, any other file for itself alone. */
async function locate(path: string): Promise<Location | Refusal> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) return { folder: path, workflow: WORKFLOW_FILE, hasSettings: true };
    if (found.isFile() && path.endsWith(".dot")) {
      const name = basename(path);
      return { folder: dirname(path), workflow: name, hasSettings: name === WORKFLOW_FILE };
    }
    return { code: "source.unreadable", message: `${quote(path)} is neither a folder nor a .dot file` };
  } catch (error) {
    const refusal = refusalOf(error, path);
    return refusal.code === "source.not-found"
      ? { ...refusal, message: `there is no ${quote(path)}` }
      : refusal;
  }
}

function refuse({ code, message }: Refusal, file: string): Outcome<never> {
  const hint =
    code === "source.not-found"
      ? `a source folder holds ${WORKFLOW_FILE}, and ${SETTINGS_FILE} if need be`
      : undefined;
  return { ok: false, findings: [failure(code, message, { file, line: 1, column: 1 }, { hint })] };
}

async function readDeclared(root: string, settings: Uint8Array, shownAs: (name: string) => string) {
  const files = new Map<string, Uint8Array>();
  const refused = new Map<string, Refusal>();
  const read = readSettingsJson(settings, SETTINGS_FILE);
  // Names that are wrong in themselves, and settings that are no JSON, are for the compiler to refuse.
  const names = read.ok
    ? declaredFiles(read.value.value).filter((name) => pathProblem(name) === undefined)
    : [];
  for (const name of names) {
    const content = await readInside(root, name, shownAs(name));
    if ("bytes" in content) files.set(name, content.bytes);
    else refused.set(name, content.refused);
  }
  return { files, refused };
}

/**
 * Reads what a folder (or the `workflow.dot` in it, or a single `.dot` file) holds for the compiler. Fails with
 * `source.not-found`, `source.unreadable` or `source.outside-folder`; a declared schema file that cannot be had is
 * left to the compiler, which says so where it is declared.
 */
export async function readSourceFolder(path: string): Promise<Outcome<Sources>> {
  const location = await locate(path);
  if ("code" in location) return refuse(location, path);
  const folder = location.folder
    .split(sep)
    .join("/")
    .replace(/(?<=.)\/$/, "");
  const shownAs = (name: string): string =>
    folder === "." ? name : `${folder === "/" ? "" : folder}/${name}`;
  let root: string;
  try {
    root = await realpath(location.folder);
  } catch (error) {
    return refuse(refusalOf(error, path), path);
  }
  const workflow = await readInside(root, location.workflow, shownAs(location.workflow));
  if ("refused" in workflow) return refuse(workflow.refused, shownAs(location.workflow));
  const files = new Map<string, Uint8Array>([[location.workflow, workflow.bytes]]);
  const base = { workflow: location.workflow, ...(folder !== "." && { folder }) };
  if (!location.hasSettings) return { ok: true, value: { ...base, files }, findings: [] };

  const settings = await readInside(root, SETTINGS_FILE, shownAs(SETTINGS_FILE));
  if ("refused" in settings) {
    const { refused } = settings;
    const missed = refused.code === "source.not-found" ? await missedSettings(root, shownAs) : refused;
    if (missed !== undefined) return refuse(missed, shownAs(SETTINGS_FILE));
    return { ok: true, value: { ...base, files }, findings: [] };
  }
  files.set(SETTINGS_FILE, settings.bytes);
  const declared = await readDeclared(root, settings.bytes, shownAs);
  for (const [name, bytes] of declared.files) files.set(name, bytes);
  const value = { ...base, settings: SETTINGS_FILE, files, refused: declared.refused };
  return { ok: true, value, findings: [] };
}

/** Reads and compiles a source folder: `readSourceFolder`, then `compileSources`. */
export async function compileFolder(path: string, options: CompileOptions = {}): Promise<Outcome<Compiled>> {
  const sources = await readSourceFolder(path);
  return sources.ok ? compileSources(sources.value, options) : sources;
}
