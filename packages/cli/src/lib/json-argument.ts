/**
 * JSON on the command line: written out, `@file`, a file by its name where that is meant, or `-` for standard input.
 * Read strictly, like every other JSON of the house.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Diagnostic, type JsonDocument, raise, readJson } from "@swl/base";
import { checkFileName } from "./arguments.js";
import { readNamedFile } from "./named-file.js";
import type { Session } from "./session.js";
import { readStandardInput, standardInput } from "./standard-input.js";

/** What a run gets whose input nobody named. */
export const noInput: JsonDocument = { value: null, placeOf: () => undefined };

const forms = "give JSON, a file, or - for standard input";

const looksLikeJson = /^\s*(?:[[{"]|-?[0-9]|(?:true|false|null)\s*$)/;

/** `option` names the source in findings. Throws `json.…`, or `source.not-found` when a named file is missing. */
export async function readJsonArgument(
  session: Session,
  option: string,
  text: string,
): Promise<JsonDocument> {
  checkFileName(option, text === "@" ? "" : text, forms);
  if (text === "-") return parsed(await readStandardInput(session.io), standardInput, option);
  if (text.startsWith("@")) return readFileArgument(session, option, text.slice(1));
  if (!looksLikeJson.test(text) || existsSync(resolve(session.io.cwd, text))) {
    return readFileArgument(session, option, text);
  }
  return parsed(text, option, option);
}

async function readFileArgument(session: Session, option: string, file: string): Promise<JsonDocument> {
  const bytes = await readNamedFile(session, file, { option, hint: forms });
  return parsed(bytes, file, option);
}

function parsed(source: string | Uint8Array, file: string, option: string): JsonDocument {
  const document = readJson(source, { file });
  if (document.ok) return document.value;
  const told = document.findings.map((finding) => withHint(finding, file === option));
  raise(document.findings[0]!.code, `${option} is not JSON`, told);
}

/** Of what was typed the shell may have taken the quotes away, as some on Windows do, and a text needs two kinds. */
function withHint(finding: Diagnostic, typed: boolean): Diagnostic {
  if (!typed || finding.hint !== undefined) return finding;
  const hint = `JSON keeps its double quotes: '{"amount": 12}', '"a text"'; where a shell takes them away, give a file`;
  return { ...finding, hint };
}
