/**
 * The rules of the specification: every heading `### <RULE-ID>` of the chapters in docs/spec, with the place where it
 * stands. Spec: CNF-rules-shown.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic, Outcome, Place } from "@swl/base";
import { ruleId } from "../case.js";

export interface Rule {
  readonly id: string;
  /** `DEF`, `DOT`, `EXE`, … */
  readonly prefix: string;
  readonly place: Place;
}

/** Which chapter may define rules of a prefix: a rule in another one would not be looked for there. */
const heading = /^###\s+(.*?)\s*$/;

/** All rules, sorted by ID, or every heading that is none: ill-formed, defined twice, or without a sentence below. */
export function readRules(folder: string, name = "docs/spec"): Outcome<readonly Rule[]> {
  const findings: Diagnostic[] = [];
  const rules = new Map<string, Rule>();
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith(".md")) continue;
    const lines = readFileSync(join(folder, file), "utf8").split(/\r?\n/);
    let fenced = false;
    for (const [index, line] of lines.entries()) {
      if (line.startsWith("```")) fenced = !fenced;
      const id = fenced ? undefined : heading.exec(line)?.[1];
      if (id === undefined) continue;
      const place = { file: `${name}/${file}`, line: index + 1, column: 5 };
      const problem = headingProblem(id, lines.slice(index + 1), rules);
      if (problem === undefined) rules.set(id, { id, prefix: id.slice(0, id.indexOf("-")), place });
      else findings.push({ code: "case.invalid", severity: "error", message: problem, pointer: "", place });
    }
  }
  if (findings.length > 0) return { ok: false, findings };
  return { ok: true, value: [...rules.values()].sort((a, b) => (a.id < b.id ? -1 : 1)), findings };
}

function headingProblem(
  id: string,
  below: readonly string[],
  rules: ReadonlyMap<string, Rule>,
): string | undefined {
  if (!ruleId.test(id)) return `${id} is no rule ID; third-level headings are rules`;
  const first = rules.get(id);
  if (first !== undefined) return `${id} is defined in ${first.place.file} already`;
  const text = below.find((line) => line.trim() !== "");
  return text === undefined || text.startsWith("#") ? `${id} says nothing` : undefined;
}
