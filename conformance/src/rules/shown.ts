/**
 * Which rules are shown, and by what. `DEF`, `DOT`: an accepted and a rejected case. `EXE`: a trace in which the rule
 * acts and one in which it must not. Every other prefix: a named test and a broken subject that it catches, listed in
 * `rules/<PREFIX>.json` as `{"<rule>": {"test": {file, name}, "broken": {file, name}}}`. Spec: CNF-rules-shown.
 */
import { isJsonObject, type Json } from "@swl/base";
import type { CaseMetadata } from "../case.js";
import type { Rule } from "./read-rules.js";

export interface ShownRule {
  readonly rule: string;
  /** Case IDs, or `file: test name`, sorted. */
  readonly by: readonly string[];
  /** What is lacking, in words; empty when the rule is shown. */
  readonly lacking: readonly string[];
}

export interface ShownSources {
  readonly rules: readonly Rule[];
  readonly cases: readonly CaseMetadata[];
  /** The parsed `rules/<PREFIX>.json` files, by prefix. */
  readonly tests: ReadonlyMap<string, Json>;
  /** The text of a source file of the project, or `undefined` when there is none. */
  readonly source: (file: string) => string | undefined;
}

/** What shows each rule. Entries for rules that do not exist are listed as well, with that lack. */
export function rulesShown(sources: ShownSources): readonly ShownRule[] {
  const shown = sources.rules.map((rule) => showing(rule, sources));
  const known = new Set(sources.rules.map((rule) => rule.id));
  for (const [prefix, entries] of sources.tests) {
    for (const id of Object.keys(isJsonObject(entries) ? entries : {})) {
      if (known.has(id) && id.startsWith(`${prefix}-`)) continue;
      const lack = known.has(id) ? `is listed in the file of ${prefix}` : "is in no chapter";
      shown.push({ rule: id, by: [], lacking: [lack] });
    }
  }
  return shown;
}

function showing(rule: Rule, sources: ShownSources): ShownRule {
  switch (rule.prefix) {
    case "DEF":
    case "DOT":
    case "ICH":
    case "DST":
      return byCases(rule, sources, [
        ["an accepted case", (item) => item.verdict === "accept"],
        ["a rejected case", (item) => item.verdict === "reject"],
      ]);
    case "EXE":
      return byCases(rule, sources, [
        ["a trace in which it acts", (item) => item.shows === "acts"],
        ["a trace in which it must not act", (item) => item.shows === "must-not-act"],
      ]);
    default:
      return byTests(rule, sources);
  }
}

type Kind = readonly [what: string, test: (item: CaseMetadata) => boolean];

function byCases(rule: Rule, { cases }: ShownSources, kinds: readonly Kind[]): ShownRule {
  const citing = cases.filter((item) => item.rules.includes(rule.id));
  const lacking = kinds.filter(([, test]) => !citing.some(test)).map(([what]) => what);
  return { rule: rule.id, by: citing.map((item) => item.id).sort(), lacking };
}

function byTests(rule: Rule, { tests, source }: ShownSources): ShownRule {
  const entries = tests.get(rule.prefix);
  const entry = isJsonObject(entries) && Object.hasOwn(entries, rule.id) ? entries[rule.id] : undefined;
  const by: string[] = [];
  const lacking: string[] = [];
  for (const [member, what] of [
    ["test", "a named test"],
    ["broken", "a broken subject that it catches"],
  ] as const) {
    const named = isJsonObject(entry) ? entry[member] : undefined;
    const { file, name } = isJsonObject(named) ? named : {};
    if (typeof file !== "string" || typeof name !== "string" || name === "") lacking.push(what);
    else if (!hasTest(source(file), name)) lacking.push(`${what}: ${file} has no test "${name}"`);
    else by.push(`${file}: ${name}`);
  }
  return { rule: rule.id, by, lacking };
}

/** The name stands in the file as a whole quoted text. */
function hasTest(text: string | undefined, name: string): boolean {
  return text !== undefined && ['"', "'", "`"].some((quote) => text.includes(`${quote}${name}${quote}`));
}
