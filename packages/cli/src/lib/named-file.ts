/**
 * Files that the command line names, for whatever: read whole, with one sentence for each way in which that can fail. Of a
 * device or a pipe that has no end one byte more is read than any reader takes, who then says so.
 */
import { createReadStream, statSync } from "node:fs";
import { resolve } from "node:path";
import { type Code, defaultMaxBytes, SwlError } from "@swl/base";
import { checkFileName } from "./arguments.js";
import { isMissing, reasonOf } from "./reason.js";
import type { Session } from "./session.js";

export interface NamedFile {
  /** The option or word that it stands for. */
  readonly option: string;
  /** What may stand there, for who named something else. */
  readonly hint?: string;
}

/** Throws `cli.usage` without a name, `source.not-found`, and `source.unreadable` with the reason. */
export async function readNamedFile(
  session: Session,
  name: string,
  { option, hint }: NamedFile,
): Promise<Uint8Array> {
  checkFileName(option, name);
  const bytes = await bytesOf(resolve(session.io.cwd, name));
  if (bytes instanceof Uint8Array) return bytes;
  const { code, says } = bytes;
  const said = slashHint(session, name) ?? hint;
  throw new SwlError(code, `${option}: the file ${name} ${says}`, {
    ...(said !== undefined && { hint: said }),
    cause: bytes.cause,
  });
}

export interface Unread {
  readonly code: Extract<Code, "source.not-found" | "source.unreadable">;
  /** What the sentence ends with that begins with the file. */
  readonly says: string;
  readonly cause: unknown;
}

/** What a file holds, or why that is not known. */
export async function bytesOf(file: string): Promise<Uint8Array | Unread> {
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of createReadStream(file, { end: defaultMaxBytes }))
      chunks.push(chunk as Uint8Array);
    return Buffer.concat(chunks);
  } catch (cause) {
    return isMissing(cause)
      ? { code: "source.not-found", says: "is not there", cause }
      : { code: "source.unreadable", says: `cannot be read: ${reasonOf(cause)}`, cause };
  }
}

/** What is at a path, as far as this user may see. */
export function kindAt(path: string): "file" | "folder" | "other" | undefined {
  try {
    const found = statSync(path);
    return found.isFile() ? "file" : found.isDirectory() ? "folder" : "other";
  } catch {
    return undefined;
  }
}

/** For a path of Windows where folders are parted by `/`: the path that was meant, if something is there. */
export function slashHint({ io }: Session, path: string): string | undefined {
  if (process.platform === "win32" || !path.includes("\\")) return undefined;
  const meant = path.replaceAll("\\", "/");
  const there = kindAt(resolve(io.cwd, meant)) !== undefined;
  return `folders are parted by / here${there ? `; did you mean ${meant}?` : ""}`;
}
