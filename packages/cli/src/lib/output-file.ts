/**
 * `--out FILE`: a file that appears whole or not at all. A link stays a link and what it leads to is written; a file
 * that is there keeps its mode; a pipe or a device is written to as it is, never replaced.
 */
import { randomUUID } from "node:crypto";
import { chmod, readlink, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { SwlError } from "@swl/base";
import { checkFileName } from "./arguments.js";
import { codeOf, reasonOf } from "./reason.js";
import type { Session } from "./session.js";

const standardOutput: ReadonlySet<unknown> = new Set(["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]);

/** Undefined for `-` and the system's own names of standard output: as if there were no `--out`. */
export function outFile(options: { readonly out?: string }): string | undefined {
  checkFileName("--out", options.out);
  return standardOutput.has(options.out) ? undefined : options.out;
}

/** Throws `source.unreadable` with the reason when the place cannot be written. */
export async function writeWhole({ io }: Session, out: string, text: string): Promise<void> {
  const path = resolve(io.cwd, out);
  try {
    const there = await stat(path).catch(() => undefined);
    if (there !== undefined && (!there.isFile() || opened.test(path))) await writeFile(path, text);
    else await replace(await target(path), text, there?.mode);
  } catch (cause) {
    throw new SwlError("source.unreadable", `the file ${out} cannot be written: ${reasonOf(cause)}`, {
      cause,
    });
  }
}

/** Names of files that somebody has open: who replaces the file, writes past them. */
const opened = /^\/(?:dev|proc)\//;

async function replace(file: string, text: string, mode: number | undefined): Promise<void> {
  const draft = `${file}.${randomUUID().slice(0, 8)}.part`;
  try {
    await writeFile(draft, text, { flag: "wx" });
    if (mode !== undefined) await chmod(draft, mode & 0o7777);
    await rename(draft, file);
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw cause;
  }
}

/** Where a path leads, also when its last link leads to a file that is yet to be made. */
async function target(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const next = links < 40 ? await readlink(path).catch(() => undefined) : undefined;
    if (next !== undefined) return target(resolve(dirname(path), next), links + 1);
    if (codeOf(error) !== "ENOENT") throw error;
    return path;
  }
}
