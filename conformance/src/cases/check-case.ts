/**
 * The check of one `case.json`: the members of `schema/case.schema.json`, and what a schema cannot say (the ID is the
 * path, rules and claims exist, verdict and codes fit, files are there). Spec: CNF-case-format.
 */
import { isCode, isJsonObject, type Json, type JsonObject, pointerTo } from "@swl/base";
import { isClaimName } from "@swl/definition/claims";
import {
  areas,
  type CaseMetadata,
  caseId,
  editedFiles,
  eventsFile,
  operationsFile,
  phases,
  ruleId,
  showings,
  verdicts,
} from "../case.js";
import type { CaseFile } from "./case-file.js";

const members = [
  "id",
  "title",
  "rules",
  "shows",
  "requires",
  "phase",
  "verdict",
  "codes",
  "warnings",
  "input",
  "options",
  "expect",
] as const;
const required = ["id", "title", "rules", "requires", "phase", "verdict", "input"] as const;

/** The metadata when nothing is wrong with the case; else `undefined`, and the case file holds why. */
export function checkCase(
  file: CaseFile,
  id: string,
  rules: ReadonlySet<string> | undefined,
): CaseMetadata | undefined {
  const value = file.metadata();
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) {
    file.invalid("case.json is an object", "");
    return undefined;
  }
  checkMembers(file, value);
  checkIdentity(file, value, id);
  checkRules(file, value, rules);
  checkClaims(file, value);
  checkVerdict(file, value);
  checkOptions(file, value["options"]);
  if (file.findings.length === 0) checkFiles(file, value as unknown as CaseMetadata);
  return file.findings.length === 0 ? (value as unknown as CaseMetadata) : undefined;
}

function checkMembers(file: CaseFile, value: JsonObject): void {
  for (const member of required) {
    if (!Object.hasOwn(value, member)) file.invalid(`${member} is missing`, "");
  }
  for (const member of Object.keys(value)) {
    if (!(members as readonly string[]).includes(member)) {
      file.invalid(`${member} is no member of a case`, pointerTo("", member));
    }
  }
}

function checkIdentity(file: CaseFile, value: JsonObject, id: string): void {
  const [area = "", name = "", ...rest] = id.split("/");
  if (rest.length > 0 || !(areas as readonly string[]).includes(area) || !caseId.test(name)) {
    file.invalid(`the folder is ${id}; cases are ${areas.join("|")}/<words-with-dashes>`, "");
  }
  if (value["id"] !== id) file.invalid(`id is the folder's path, ${id}`, "/id");
  const title = value["title"];
  if (typeof title !== "string" || title.trim() === "" || title.length > 200) {
    file.invalid("title is a sentence of at most 200 characters", "/title");
  }
}

function checkRules(file: CaseFile, value: JsonObject, rules: ReadonlySet<string> | undefined): void {
  for (const [index, rule] of textList(file, value, "rules", 1)) {
    const at = pointerTo("/rules", index);
    if (!ruleId.test(rule)) file.invalid(`${rule} is no rule ID`, at);
    else if (rules !== undefined && !rules.has(rule))
      file.invalid(`no chapter of docs/spec has the rule ${rule}`, at);
  }
  const ofModel = value["phase"] === "transition" || value["phase"] === "prepare";
  if (ofModel !== Object.hasOwn(value, "shows")) {
    file.invalid("a case of a model (prepare, transition), and no other, says what it shows", "/shows");
  }
  if (Object.hasOwn(value, "shows")) oneOf(file, value, "shows", showings);
}

function checkClaims(file: CaseFile, value: JsonObject): void {
  for (const [index, claim] of textList(file, value, "requires", 1)) {
    if (!isClaimName(claim)) {
      file.invalid(`${claim} is no part or profile of the registry`, pointerTo("/requires", index));
    }
  }
}

function checkVerdict(file: CaseFile, value: JsonObject): void {
  oneOf(file, value, "phase", phases);
  oneOf(file, value, "verdict", verdicts);
  const rejects = value["verdict"] === "reject";
  if (rejects !== Object.hasOwn(value, "codes"))
    file.invalid("a reject, and nothing else, has codes", "/codes");
  if (Object.hasOwn(value, "codes")) codeList(file, value, "codes", 1);
  if (!Object.hasOwn(value, "warnings")) return;
  if (value["verdict"] !== "accept") file.invalid("only an accept has warnings", "/warnings");
  codeList(file, value, "warnings", 0);
}

function codeList(file: CaseFile, value: JsonObject, member: "codes" | "warnings", least: number): void {
  const found = textList(file, value, member, least);
  for (const [index, code] of found) {
    if (!isCode(code)) file.invalid(`${code} is no code of the closed list`, pointerTo("", member, index));
  }
  const codes = found.map(([, code]) => code);
  if (codes.join() !== [...codes].sort().join()) file.invalid(`${member} are sorted`, pointerTo("", member));
}

function checkOptions(file: CaseFile, options: Json | undefined): void {
  if (options === undefined) return;
  if (!isJsonObject(options)) {
    file.invalid("options is an object", "/options");
    return;
  }
  for (const [name, option] of Object.entries(options)) {
    const count = typeof option === "number" && Number.isSafeInteger(option) && option >= 1;
    const fits =
      (name === "numbers" && (option === "binary64" || option === "int53")) ||
      ((name === "maxDepth" || name === "maxBytes") && count) ||
      (name === "strict" && typeof option === "boolean");
    if (!fits)
      file.invalid(`${name} is no option of a case, or has no such value`, pointerTo("/options", name));
  }
}

/** Files named are there and can be read, and no file lies about that nobody named. */
function checkFiles(file: CaseFile, value: CaseMetadata): void {
  const { input, phase } = value;
  const wanted = phase === "compile" || phase === "edit" ? "folder" : "file";
  if (!isJsonObject(input)) {
    file.invalid("input is an object", "/input");
    return;
  }
  const second = { transition: ["events"], edit: ["operations"] } as { readonly [phase: string]: string[] };
  const allowed = [wanted, ...(second[phase] ?? [])];
  for (const member of Object.keys(input)) {
    if (!allowed.includes(member))
      file.invalid(`${phase} has no input ${member}`, pointerTo("/input", member));
  }
  const source: unknown = input[wanted];
  const named = new Set(["case.json"]);
  // What is refused for not being there is not there.
  const absent = value.codes?.includes("source.not-found") === true;
  if (!isInside(source) || (!absent && !file.has(source, wanted))) {
    file.invalid(`input.${wanted} names no ${wanted} of the case`, "/input");
  } else if (wanted === "file") {
    named.add(source);
    if (phase === "transition" || phase === "prepare") file.json(source);
  } else for (const name of file.files) if (name.startsWith(`${source}/`)) named.add(name);
  if (phase === "transition") checkTraceFiles(file, value, named);
  if (phase === "edit") checkOperations(file, value, named);
  checkGolden(file, value, named);
  if (file.links.length > 0) file.invalid(`links are no files of a case: ${file.links.join(", ")}`, "");
  const stray = file.files.filter((name) => !named.has(name));
  if (stray.length > 0) file.invalid(`files that the case does not name: ${stray.join(", ")}`, "");
}

function checkTraceFiles(file: CaseFile, value: CaseMetadata, named: Set<string>): void {
  const name = eventsFile(value.input);
  named.add(name);
  if (!isInside(name) || !file.has(name, "file")) {
    file.invalid(`${name} is missing`, "/input");
    return;
  }
  const events = file.json(name);
  if (
    events &&
    !(Array.isArray(events.value) && events.value.length > 0 && events.value.every(isJsonObject))
  ) {
    file.invalid(`${name} is a list of events`, "/input");
  }
  if (value.codes !== undefined && value.codes.length > 1)
    file.invalid("a trace ends with one code", "/codes");
}

function checkOperations(file: CaseFile, value: CaseMetadata, named: Set<string>): void {
  const name = operationsFile(value.input);
  named.add(name);
  const operations = isInside(name) && file.has(name, "file") ? file.json(name)?.value : undefined;
  if (!Array.isArray(operations)) file.invalid(`${name} is a list of operations`, "/input");
}

/** Phases whose answers are judged by a golden, and have no meaning without. */
const golden: readonly string[] = ["transition", "print", "format", "edit"];

function checkGolden(file: CaseFile, value: CaseMetadata, named: Set<string>): void {
  const { expect, phase } = value;
  if (expect === undefined) {
    if (value.verdict === "accept" && golden.includes(phase))
      file.invalid(`an accepted ${phase === "transition" ? "trace" : phase} has a golden`, "");
    return;
  }
  if (phase === "edit") {
    checkEdited(file, value, expect, named);
    return;
  }
  named.add(expect);
  const trace = phase === "transition";
  if (value.verdict !== "accept" && !trace) file.invalid("only what is accepted has a golden", "/expect");
  if (value.phase === "prepare") file.invalid("prepare has no golden", "/expect");
  if (!isInside(expect) || !file.has(expect, "file")) {
    file.invalid(`${expect} is missing`, "/expect");
    return;
  }
  if (phase === "format") return;
  const steps = file.json(expect)?.value;
  if (trace && steps !== undefined && !(Array.isArray(steps) && steps.every(isJsonObject))) {
    file.invalid(`${expect} is a list of steps`, "/expect");
  }
}

/** The golden of an edit is a folder with those of the files that an edit may change which the source has. */
function checkEdited(file: CaseFile, value: CaseMetadata, expect: string, named: Set<string>): void {
  if (value.verdict !== "accept") file.invalid("only what is accepted has a golden", "/expect");
  for (const name of editedFiles) {
    const edited = `${expect}/${name}`;
    named.add(edited);
    if (file.files.includes(edited) !== file.files.includes(`${value.input.folder}/${name}`)) {
      file.invalid(`${expect} and the source both have ${name}, or neither`, "/expect");
    }
  }
}

/** A relative name that stays in the folder. */
function isInside(name: unknown): name is string {
  if (typeof name !== "string" || name === "") return false;
  return name.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

function oneOf(file: CaseFile, value: JsonObject, member: string, words: readonly string[]): void {
  const word = value[member];
  if (word === undefined) return;
  if (typeof word !== "string" || !words.includes(word)) {
    file.invalid(`${member} is one of ${words.join(", ")}`, pointerTo("", member));
  }
}

function textList(
  file: CaseFile,
  value: JsonObject,
  member: string,
  least: number,
): readonly (readonly [number, string])[] {
  const list = value[member];
  if (list === undefined) return [];
  if (!Array.isArray(list) || list.length < least || !list.every((item) => typeof item === "string")) {
    file.invalid(`${member} is a list of ${least === 0 ? "" : "at least one "}words`, pointerTo("", member));
    return [];
  }
  if (new Set(list).size !== list.length) file.invalid(`${member} names one twice`, pointerTo("", member));
  return [...(list as readonly string[]).entries()];
}
