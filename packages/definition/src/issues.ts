/**
 * From what a schema finds to findings: code, message, pointer, node and near name. The one place that knows how the
 * library names its issues. A schema says in the message of an issue what it expects there (`members.ts`).
 * Spec: DEF-findings, DEF-members, DEF-ranges.
 */
import { type Code, isJsonObject, type Json, own } from "@swl/base";
import type * as z from "zod/mini";
import { type Findings, kindOf, quote, type Spot } from "./findings.js";
import {
  declaredOutcomeRule,
  idRule,
  limitExpected,
  outcomeRule,
  reservedOutcomes,
  schemaExpected,
} from "./grammar.js";
import { dialects } from "./registry.js";

export type Path = readonly (string | number)[];

interface Codes {
  /** The value is of another type. */
  readonly type?: Code;
  /** The type is right and the value is not. */
  readonly value?: Code;
}

const oneOf = (words: readonly string[]) => `one of ${words.join(", ")}`;

/** By what is expected; where nothing is said, `definition.type` and `definition.value`. */
const codes: ReadonlyMap<string, Codes> = new Map<string, Codes>([
  [idRule.expected, { value: "definition.id-grammar" }],
  [outcomeRule.expected, { value: "definition.outcome-grammar" }],
  [declaredOutcomeRule.expected, { value: "definition.outcome-grammar" }],
  [schemaExpected, { type: "definition.schema-invalid" }],
  [limitExpected, { type: "definition.loop-limit", value: "definition.loop-limit" }],
  [oneOf([dialects.schema]), { value: "definition.dialect" }],
  [oneOf(dialects.numbers), { value: "definition.dialect" }],
  [oneOf(dialects.expressions), { value: "definition.dialect" }],
]);

/** What to write where a member of a definition is missing. */
const remedies: ReadonlyMap<string, string> = new Map([
  ["requires", `say "requires": ["core"]`],
  ["dialects", `say "dialects": {"numbers": "binary64", "expressions": "minimal"}`],
]);

/** Notes every issue about a value that stands at a spot. */
export function noteIssues(
  issues: readonly z.core.$ZodIssue[],
  value: Json,
  spot: Spot,
  findings: Findings,
): void {
  // A number that is no integer may also be out of range: one finding for one value.
  const judged = new Set<string>();
  for (const issue of issues) {
    const path = pathOf(issue);
    if (issue.code === "unrecognized_keys") noteUnknown(issue, spot.within(path), findings);
    else if (issue.code === "invalid_key") noteName(issue, spot.within(path), findings);
    else if (!judged.has(JSON.stringify(path))) {
      judged.add(JSON.stringify(path));
      const found = valueAt(value, path);
      if (found === undefined) noteMissing(path, spot, findings);
      else noteWrong(issue, found, spot.within(path), findings);
    }
  }
}

export function pathOf(issue: z.core.$ZodIssue): Path {
  return issue.path as Path;
}

function noteUnknown(issue: z.core.$ZodIssueUnrecognizedKeys, spot: Spot, findings: Findings): void {
  for (const key of issue.keys) {
    const message = `${quote(key)} is not a member here; known are ${issue.message}`;
    const hint = findings.suggest(key, issue.message.split(", "));
    findings.error("definition.unknown-member", message, spot.to(key), hint);
  }
}

function noteName(issue: z.core.$ZodIssueInvalidKey, spot: Spot, findings: Findings): void {
  const name = String(issue.path.at(-1));
  if (issue.message === declaredOutcomeRule.expected && reservedOutcomes.includes(name)) {
    const message = `${quote(name)} is a reserved route, not an outcome that an action declares`;
    findings.error("definition.outcome-reserved", message, spot);
    return;
  }
  const code = codes.get(issue.message)?.value ?? "definition.value";
  findings.error(code, `${quote(name)} is not ${issue.message}`, spot);
}

function noteMissing(path: Path, spot: Spot, findings: Findings): void {
  const key = String(path.at(-1));
  const hint = path.length === 1 ? remedies.get(key) : undefined;
  const message = `the member ${quote(key)} is missing`;
  findings.error("definition.missing-member", message, spot.within(path.slice(0, -1)), hint);
}

function noteWrong(issue: z.core.$ZodIssue, found: Json, spot: Spot, findings: Findings): void {
  const declared = issue.message === declaredOutcomeRule.expected;
  if (declared && typeof found === "string" && reservedOutcomes.includes(found)) {
    findings.error("definition.outcome-reserved", `${quote(found)} is reserved`, spot);
    return;
  }
  const said = codes.get(issue.message);
  const code = isOtherType(issue, found)
    ? (said?.type ?? "definition.type")
    : (said?.value ?? "definition.value");
  const words = issue.code === "invalid_value" && code === "definition.value" ? issue.values : undefined;
  const hint = words && typeof found === "string" ? findings.suggest(found, words.map(String)) : undefined;
  findings.error(code, `expected ${issue.message}, found ${kindOf(found)}`, spot, hint);
}

function isOtherType(issue: z.core.$ZodIssue, found: Json): boolean {
  if (issue.code === "invalid_value") return typeof found !== "string";
  if (issue.code === "custom") return issue.params?.["value"] !== true;
  // A fraction where an integer is meant is a number all the same.
  return issue.code === "invalid_type" && !(issue.expected === "int" && typeof found === "number");
}

/** The value at a path of own properties. */
export function valueAt(value: Json, path: Path): Json | undefined {
  let at: Json | undefined = value;
  for (const step of path) {
    if (Array.isArray(at)) at = (at as readonly Json[])[Number(step)];
    else at = isJsonObject(at) ? own(at, String(step)) : undefined;
  }
  return at;
}
