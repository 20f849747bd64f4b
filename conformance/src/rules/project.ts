/**
 * The rules of a whole project folder: chapters from `docs/spec`, cases from `conformance/cases`, tests from
 * `conformance/rules`. One call answers which rules nothing shows. Spec: CNF-rules-shown.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Diagnostic, type Json, type Outcome, readJson } from "@swl/base";
import { readCases } from "../cases/read-cases.js";
import { readRules } from "./read-rules.js";
import { rulesShown, type ShownRule } from "./shown.js";

/** What shows each rule of the project, or every reason why that cannot be told. */
export function rulesOfProject(root: string): Outcome<readonly ShownRule[]> {
  const rules = readRules(join(root, "docs/spec"));
  if (!rules.ok) return rules;
  const cases = readCases(join(root, "conformance/cases"), {
    rules: rules.value.map((rule) => rule.id),
    name: "conformance/cases",
  });
  const tests = readTestLists(join(root, "conformance/rules"));
  if (!cases.ok || !tests.ok) return { ok: false, findings: [...cases.findings, ...tests.findings] };
  const texts = new Map<string, string | undefined>();
  const source = (file: string): string | undefined => {
    if (!texts.has(file)) {
      const path = join(root, file);
      texts.set(file, existsSync(path) ? readFileSync(path, "utf8") : undefined);
    }
    return texts.get(file);
  };
  const shown = rulesShown({ rules: rules.value, cases: cases.value, tests: tests.value, source });
  return { ok: true, value: shown, findings: [] };
}

function readTestLists(folder: string): Outcome<ReadonlyMap<string, Json>> {
  const findings: Diagnostic[] = [];
  const lists = new Map<string, Json>();
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith(".json")) continue;
    const read = readJson(readFileSync(join(folder, file)), { file: `conformance/rules/${file}` });
    if (read.ok) lists.set(file.slice(0, -".json".length), read.value.value);
    else findings.push(...read.findings.map((finding) => ({ ...finding, code: "case.invalid" as const })));
  }
  return findings.length === 0 ? { ok: true, value: lists, findings } : { ok: false, findings };
}
