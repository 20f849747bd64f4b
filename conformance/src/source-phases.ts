/**
 * The phases whose answers are texts. What was printed is judged by compiling it: its layout is free, its meaning is
 * not. Layouts and edits are compared with goldens, character by character. Spec: CNF-goldens.
 */
import { isJsonObject, type Json, type JsonObject, type Outcome, quoted } from "@swl/base";
import { type Case, type CaseOptions, editedFiles } from "./case.js";
import type { SourceFile, Subject } from "./subject.js";

/** What the subject makes of what it printed. */
export async function askPrint(
  source: SourceFile,
  subject: Subject,
  options: CaseOptions,
): Promise<Outcome<Json>> {
  const printed = await subject.printDefinition!(source, options);
  if (!printed.ok) return printed;
  const { value } = printed;
  const named = isJsonObject(value) && typeof value["workflow.dot"] === "string";
  if (!named || !Object.values(value).every((text) => typeof text === "string")) {
    return { ok: true, value: null, findings: [] };
  }
  if (subject.compileFiles === undefined) return { ok: true, value: null, findings: [] };
  return subject.compileFiles(value as { readonly [name: string]: string }, options);
}

/** A layout is the golden's, and its own layout. */
export async function layoutProblems(item: Case, subject: Subject, value: Json): Promise<readonly string[]> {
  const problems = textProblems(item.expect!, textOf(item, item.expect!), value);
  if (problems.length > 0 || typeof value !== "string") return problems;
  const bytes = new TextEncoder().encode(value);
  const again = await subject.formatSource!({ name: item.input.file!, bytes }, item.options ?? {});
  return again.ok && again.value === value ? [] : ["what was laid out is laid out otherwise the second time"];
}

/** An edit leaves the files of the golden's folder, and no others. */
export function editProblems(item: Case, value: Json): readonly string[] {
  const files: JsonObject = isJsonObject(value) ? value : {};
  const strange = Object.keys(files).filter((name) => !(editedFiles as readonly string[]).includes(name));
  if (strange.length > 0) return [`an edit leaves ${editedFiles.join(" and ")}, found ${strange.join(", ")}`];
  return editedFiles.flatMap((name) =>
    textProblems(`${item.expect}/${name}`, textOf(item, `${item.expect}/${name}`), files[name]),
  );
}

/** A golden's text; `undefined` where there is none. */
function textOf(item: Case, file: string): string | undefined {
  let bytes: Uint8Array;
  try {
    bytes = item.read(file);
  } catch {
    return undefined;
  }
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

function textProblems(
  file: string,
  expected: string | undefined,
  found: Json | undefined,
): readonly string[] {
  if (expected === found) return [];
  if (expected === undefined) return [`there is no ${file}, and the answer has one`];
  if (typeof found !== "string") return [`there is ${file}, and the answer has no such text`];
  const lines = found.split("\n");
  const at = expected.split("\n").findIndex((line, index) => line !== lines[index]);
  const line = at < 0 ? expected.split("\n").length + 1 : at + 1;
  return [`differs from ${file} in line ${line}, found ${quoted(lines[line - 1] ?? "")}`];
}
