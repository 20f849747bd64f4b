/** The verbs that write sources: `format` lays graphs out, `print` makes a source folder of a definition. */
import { mkdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Diagnostic, type Outcome, SwlError } from "@swl/base";
import { format as layOut, print as printSource, type Sources } from "@swl/source-notation";
import { readSourceFolder } from "@swl/source-notation/folder";
import { type ExitCode, exit, exitOf } from "../exit-codes.js";
import { checkFileName } from "../lib/arguments.js";
import { findingDocument, findingText } from "../lib/failure.js";
import { writeWhole } from "../lib/output-file.js";
import { reasonOf } from "../lib/reason.js";
import { complain, printJson, print as printLine, type Session } from "../lib/session.js";
import { firstError, requireSource } from "../lib/source.js";
import { readStandardInput, standardInput } from "../lib/standard-input.js";
import { oneLine } from "../lib/visible.js";

export interface FormatOptions {
  /** Say which files have another layout, and end with 8 if one has. */
  readonly check?: boolean;
  /** Write the layout into the files. */
  readonly write?: boolean;
}

interface Graph {
  readonly text: string | Uint8Array;
  /** How findings name the file. */
  readonly file: string;
  /** Where it stands; undefined for standard input. */
  readonly path: string | undefined;
}

/** Prints the layout of one graph, or checks or writes those of many. The worst path decides the exit code. */
export async function format(
  session: Session,
  paths: readonly string[],
  { check = false, write = false }: FormatOptions,
): Promise<ExitCode> {
  if (check && write) throw new SwlError("cli.usage", "--check cannot go with --write");
  if (!check && !write && paths.length > 1) {
    throw new SwlError("cli.usage", "several layouts cannot be printed at once", {
      hint: "give --check or --write",
    });
  }
  if (write && paths.includes("-")) throw new SwlError("cli.usage", "--write cannot write to standard input");
  let worst: ExitCode = exit.ok;
  for (const path of paths) {
    const code = await formatOne(session, path, { check, write });
    worst = Math.max(worst, code) as ExitCode;
  }
  return worst;
}

async function formatOne(session: Session, path: string, { check, write }: FormatOptions): Promise<ExitCode> {
  const graph = await readGraph(session, path);
  const outcome = graph.ok ? layOut(graph.value.text, { file: graph.value.file }) : graph;
  if (!graph.ok || !outcome.ok) return refused(session, path, outcome.findings);
  const { value } = outcome;
  const { text } = graph.value;
  const before = typeof text === "string" ? text : new TextDecoder("utf-8", { ignoreBOM: true }).decode(text);
  const changed = before !== value;
  if (write && changed && graph.value.path !== undefined) await writeWhole(session, graph.value.path, value);
  if (session.json) {
    printJson(session, { path, changed, findings: [], ...(!check && !write && { text: value }) });
  } else if (!check && !write) session.io.out(value);
  else if (changed) {
    printLine(session, `${oneLine(graph.value.file)}: ${check ? "has another layout" : "formatted"}`);
  }
  return check === true && changed ? exit.differs : exit.ok;
}

function refused(session: Session, path: string, findings: readonly Diagnostic[]): ExitCode {
  if (session.json) printJson(session, { path, changed: false, findings: findings.map(findingDocument) });
  else for (const finding of findings) complain(session, findingText(session, finding));
  return exitOf(firstError(findings).code);
}

/** The graph of a folder, one `.dot` file, or standard input. */
async function readGraph({ io }: Session, path: string): Promise<Outcome<Graph>> {
  if (path === "-") {
    const text = await readStandardInput(io);
    return { ok: true, value: { text, file: standardInput, path: undefined }, findings: [] };
  }
  const whole = resolve(io.cwd, path);
  const sources = await readSourceFolder(io.cwd === process.cwd() ? path : whole);
  if (!sources.ok) return sources;
  const { files, workflow = "workflow.dot", folder } = sources.value;
  const text = files.get(workflow) ?? "";
  const target = path.endsWith(".dot") && !(await isFolder(whole)) ? whole : join(whole, workflow);
  return { ok: true, value: { text, file: shown(folder, workflow), path: target }, findings: [] };
}

function shown(folder: Sources["folder"], workflow: string): string {
  return folder === undefined ? workflow : `${folder}/${workflow}`;
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path)).isDirectory();
}

/** A definition as a graph and settings: to standard output, or into a folder that holds no workflow yet. */
export async function print(
  session: Session,
  path: string,
  options: { readonly out?: string },
): Promise<ExitCode> {
  checkFileName("--out", options.out);
  const { dot, settings } = printSource(await requireSource(session, path));
  const files = { "workflow.dot": dot, ...(settings !== undefined && { "settings.json": settings }) };
  const names = Object.keys(files);
  if (options.out !== undefined && options.out !== "-") {
    await writeFolder(session, options.out, files);
    if (session.json) printJson(session, { files: names, out: options.out, path });
    else for (const name of names) printLine(session, `wrote ${oneLine(`${options.out}/${name}`)}`);
  } else if (session.json) printJson(session, { files, path });
  else if (settings === undefined) session.io.out(dot);
  else
    session.io.out(
      Object.entries(files)
        .map(([name, text]) => `==> ${name} <==\n${text}`)
        .join("\n"),
    );
  return exit.ok;
}

async function writeFolder(
  session: Session,
  out: string,
  files: { readonly [name: string]: string },
): Promise<void> {
  const folder = resolve(session.io.cwd, out);
  for (const name of ["workflow.dot", "settings.json"]) {
    const there = await stat(join(folder, name)).catch(() => undefined);
    if (there === undefined) continue;
    throw new SwlError("cli.usage", `--out ${out} holds a file ${name} already`, {
      hint: "give a folder without a workflow",
    });
  }
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    throw new SwlError("source.unreadable", `the folder ${out} cannot be made: ${reasonOf(cause)}`, {
      cause,
    });
  }
  for (const [name, text] of Object.entries(files)) await writeWhole(session, join(folder, name), text);
}
