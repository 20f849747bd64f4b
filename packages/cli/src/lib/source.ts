/**
 * PATH on the command line: a source folder, one `.dot` file, a definition as `.json`, or `-` for one of the two files
 * on standard input. Whatever it is, the outcome is a validated definition or every finding, each with file, line and
 * column.
 */
import { basename, resolve } from "node:path";
import { type Diagnostic, type Json, type Outcome, quoted, raise } from "@swl/base";
import { type Definition, readDefinition } from "@swl/definition";
import { compileSources } from "@swl/source-notation";
import { compileFolder } from "@swl/source-notation/folder";
import { bytesOf, kindAt, slashHint } from "./named-file.js";
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

async function read(session: Session, path: string, options: SourceOptions): Promise<Outcome<Definition>> {
  const { io } = session;
  const strict = options.strict ?? false;
  if (path === "-") return readText(await readStandardInput(io), strict);
  const file = resolve(io.cwd, path);
  if (!isDefinitionName(path) || kindAt(file) === "folder") {
    // Findings show the path as it was given wherever the folder that it is relative to is the process's own.
    const outcome = await compileFolder(io.cwd === process.cwd() ? path : file, { strict });
    if (outcome.ok) return { ...outcome, value: outcome.value.definition };
    const other = kindAt(file) === "file" || kindAt(file) === "other";
    return hinted(outcome, isUnread, slashHint(session, path) ?? (other ? pathForms : undefined));
  }
  const bytes = await bytesOf(file);
  if (!(bytes instanceof Uint8Array)) {
    const { code, says } = bytes;
    const place = { file: path, line: 1, column: 1 };
    const finding: Diagnostic = {
      code,
      severity: "error",
      message: `${quoted(path)} ${says}`,
      pointer: "",
      place,
    };
    return hinted({ ok: false, findings: [finding] }, isUnread, slashHint(session, path) ?? pathForms);
  }
  const outcome = readDefinition(bytes, { file: path, strict });
  if (basename(file) === "settings.json") {
    return hinted(outcome, () => true, "settings are read with their graph: name the folder");
  }
  return hinted(outcome, isNoDefinition, definitionForm);
}

const pathForms = "PATH is a source folder, a .dot file, a definition as .json, or -";
const definitionForm = `a definition is what swl compile prints, and begins with "swl": "0.1"; bindings go to --bindings`;

/** Where case does not count, `ORDERS.JSON` is such a file too. */
function isDefinitionName(path: string): boolean {
  return /\.json$/i.test(path);
}

/** The file holds something else, as opposed to: a definition with faults. */
function isNoDefinition({ code, pointer, place, hint }: Diagnostic): boolean {
  if (hint !== undefined || pointer !== "") return false;
  const atOnce = code === "json.syntax" && place?.line === 1 && place.column === 1;
  return atOnce || code === "definition.release" || code === "definition.type";
}

function isUnread({ code }: Diagnostic): boolean {
  return code === "source.not-found" || code === "source.unreadable";
}

/** The findings that are meant say what they say, and the hint in the place of a more general one. */
function hinted(
  outcome: Outcome<Definition>,
  isMeant: (finding: Diagnostic) => boolean,
  hint: string | undefined,
): Outcome<Definition> {
  if (outcome.ok || hint === undefined) return outcome;
  return { ...outcome, findings: outcome.findings.map((one) => (isMeant(one) ? { ...one, hint } : one)) };
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

export function firstError(findings: readonly Diagnostic[]): Diagnostic {
  return findings.find((finding) => finding.severity === "error") ?? findings[0]!;
}

/** A definition is JSON by construction; the type system cannot see it through its interfaces. */
export function asJson(definition: Definition): Json {
  return definition as unknown as Json;
}
