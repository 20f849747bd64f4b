/**
 * The shapes that the kit demands of everything that is found or thrown: one finding shape, one error shape, codes of
 * the closed list. Spec: CNF-finding-shape, CNF-error-shape.
 */
import { isCode, isJsonObject, isSwlError } from "@swl/base";

const severities: ReadonlySet<unknown> = new Set(["error", "warning"]);
const members: ReadonlySet<string> = new Set([
  "code",
  "severity",
  "message",
  "pointer",
  "place",
  "node",
  "hint",
]);
const pointerShape = /^(\/([^~/]|~[01])*)*$/;
/** Frames of a stack, as V8 prints them. */
const stackFrame = /\n\s+at /;

export interface FindingDemand {
  /** The input is a text: every error must say where in it. */
  readonly placed: boolean;
}

/** What is wrong with the shape of one finding; empty when nothing is. */
export function findingProblems(finding: unknown, demand: FindingDemand): readonly string[] {
  if (!isJsonObject(finding)) return ["a finding is an object"];
  const { code, severity, message, pointer, place, node, hint } = finding as { [member: string]: unknown };
  const problems: string[] = [];
  const name = typeof code === "string" ? code : "a finding";
  if (typeof code !== "string" || !isCode(code)) problems.push(`${name} is no code of the closed list`);
  if (!severities.has(severity)) problems.push(`${name}: severity is error or warning`);
  if (!isSentence(message)) problems.push(`${name}: message is one sentence without a stack`);
  if (typeof pointer !== "string" || !pointerShape.test(pointer))
    problems.push(`${name}: pointer is a JSON Pointer`);
  if (node !== undefined && typeof node !== "string") problems.push(`${name}: node is a string`);
  if (hint !== undefined && !isSentence(hint)) problems.push(`${name}: hint is a sentence`);
  if (place !== undefined && !isPlace(place))
    problems.push(`${name}: place is {file, line, column} counted from 1`);
  if (place === undefined && demand.placed && severity === "error") problems.push(`${name}: no place`);
  const strange = Object.keys(finding).find((key) => !members.has(key));
  if (strange !== undefined) problems.push(`${name}: ${strange} is no member of a finding`);
  return problems;
}

/** What is wrong with the shape of something that was thrown; empty when it is a sound error of the house. */
export function errorProblems(thrown: unknown): readonly string[] {
  if (!isSwlError(thrown)) return ["what is thrown carries the brand of the house's error"];
  const problems: string[] = [];
  const code: unknown = thrown.code;
  const name = typeof code === "string" ? code : "an error";
  if (typeof code !== "string" || !isCode(code)) problems.push(`${name} is no code of the closed list`);
  if (!isSentence(thrown.message)) problems.push(`${name}: message is one sentence without a stack`);
  if (thrown.docs !== `docs/errors/${name}.md`) problems.push(`${name}: docs names the page of the code`);
  const json = typeof thrown.toJSON === "function" ? thrown.toJSON() : undefined;
  if (json === undefined || Object.hasOwn(json, "stack") || Object.hasOwn(json, "cause")) {
    problems.push(`${name}: its JSON form holds neither stack nor cause`);
  }
  for (const finding of thrown.findings ?? []) problems.push(...findingProblems(finding, { placed: false }));
  return problems;
}

function isSentence(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "" && !stackFrame.test(value);
}

function isPlace(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { file, line, column } = value as { readonly [member: string]: unknown };
  return typeof file === "string" && file !== "" && counts(line) && counts(column);
}

function counts(value: unknown): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
}
