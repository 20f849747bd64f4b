/**
 * PATH on the command line: a source folder, one `.dot` file, a definition as `.json`, or `-` for one of the two files
 * on standard input. Whatever it is, the outcome is a validated definition or every finding, each with file, line and
 * column.
 */
import { createReadStream } from "node:fs";
import { basename, resolve } from "node:path";
import { type Diagnostic, defaultMaxBytes, type Json, type Outcome, raise } from "@swl/base";
import { type Definition, readDefinition } from "@swl/definition";
import { compileSources } from "@swl/source-notation";
import { compileFolder } from "@swl/source-notation/folder";
import type { Session } from "./session.js";
import { readStandardInput, standardInput } from "./standard-input.js";

export interface SourceOptions {
  /** Warnings become errors. */
  readonly strict?: boolean;
}

/** Never throws for what the source holds or lacks: that is findings, each with a place, named as the user did. */
export async function readSource(
  session: Session,
  path: string,
  options: SourceOptions = {},
): Promise<Outcome<Definition>> {
  const outcome = await read(session, path, options);
  const start = { file: path === "-" ? standardInput : path, line: 1, column: 1 };
  return { ...outcome, findings: outcome.findings.map((finding) => ({ place: start, ...finding })) };
}

async function read({ io }: Session, path: string, options: SourceOptions): Promise<Outcome<Definition>> {
  const strict = options.strict ?? false;
  if (path === "-") return readText(await readStandardInput(io), strict);
  const file = resolve(io.cwd, path);
  if (!path.endsWith(".json")) {
    // Findings show the path as it was given wherever the folder that it is relative to is the process's own.
    const outcome = await compileFolder(io.cwd === process.cwd() ? path : file, { strict });
    return outcome.ok ? { ...outcome, value: outcome.value.definition } : outcome;
  }
  const bytes = await readBytes(file);
  if (typeof bytes === "string") {
    const place = { file: path, line: 1, column: 1 };
    const message = bytes === "source.not-found" ? "there is no such file" : "the file cannot be read";
    return { ok: false, findings: [{ code: bytes, severity: "error", message, pointer: "", place }] };
  }
  const outcome = readDefinition(bytes, { file: path, strict });
  if (outcome.ok || basename(file) !== "settings.json") return outcome;
  const hint = "settings are read with their graph: name the folder";
  return { ...outcome, findings: outcome.findings.map((finding) => ({ hint, ...finding })) };
}

/** A definition, or a graph without settings: an object of JSON begins with a brace, and no graph does. */
function readText(bytes: Uint8Array, strict: boolean): Outcome<Definition> {
  const first = new TextDecoder().decode(bytes.subarray(0, 4096)).trimStart();
  if (first.startsWith("{")) return readDefinition(bytes, { file: standardInput, strict });
  const files = new Map([[standardInput, bytes]]);
  const outcome = compileSources({ files, workflow: standardInput }, { strict });
  return outcome.ok ? { ...outcome, value: outcome.value.definition } : outcome;
}

/** The same for commands that cannot go on without it: throws with all findings. */
export async function requireSource(session: Session, path: string): Promise<Definition> {
  const outcome = await readSource(session, path);
  return outcome.ok ? outcome.value : refuseSource(path, outcome.findings);
}

/** Throws the findings of a source as one error. */
export function refuseSource(path: string, findings: readonly Diagnostic[]): never {
  raise(
    firstError(findings).code,
    `${path === "-" ? standardInput : path} is not a valid workflow`,
    findings,
  );
}

/** One byte more at most than the reader takes, which then says so: a device has no end. */
async function readBytes(file: string): Promise<Uint8Array | "source.not-found" | "source.unreadable"> {
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of createReadStream(file, { end: defaultMaxBytes }))
      chunks.push(chunk as Uint8Array);
    return Buffer.concat(chunks);
  } catch (error) {
    const code = (error as { readonly code?: unknown }).code;
    return code === "ENOENT" || code === "ENOTDIR" ? "source.not-found" : "source.unreadable";
  }
}

export function firstError(findings: readonly Diagnostic[]): Diagnostic {
  return findings.find((finding) => finding.severity === "error") ?? findings[0]!;
}

/** A definition is JSON by construction; the type system cannot see it through its interfaces. */
export function asJson(definition: Definition): Json {
  return definition as unknown as Json;
}
