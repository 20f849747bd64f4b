/**
 * Reads a tree of cases, `<root>/<area>/<case>/case.json`, and checks every one of them. Findings have the code
 * `case.invalid` and a place. Spec: CNF-case-format.
 */
import { readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Diagnostic, Outcome } from "@swl/base";
import type { Case } from "../case.js";
import { CaseFile } from "./case-file.js";
import { checkCase } from "./check-case.js";

export interface ReadCasesOptions {
  /** IDs of the rules that exist; a case that cites another one is invalid. Absent: any well-formed ID will do. */
  readonly rules?: Iterable<string>;
  /** How findings name the root; default `cases`. */
  readonly name?: string;
}

/** The cases that this package carries. */
export const bundledCases: string = join(
  dirname(createRequire(import.meta.url).resolve("@swl/conformance/package.json")),
  "cases",
);

/** All cases below a folder, sorted by ID, or every reason why some of them are none. */
export function readCases(root: string, options: ReadCasesOptions = {}): Outcome<readonly Case[]> {
  const { name = "cases" } = options;
  const rules = options.rules === undefined ? undefined : new Set(options.rules);
  const findings: Diagnostic[] = [];
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return { ok: false, findings: [misplaced(name, `there is no folder of cases at ${name}`)] };
  }
  const cases: Case[] = [];
  for (const area of namesIn(root)) {
    for (const entry of namesIn(join(root, area.name))) {
      const id = `${area.name}/${entry.name}`;
      if (!entry.isDirectory()) {
        findings.push(misplaced(`${name}/${id}`, `${id} is no folder of a case`));
        continue;
      }
      const file = new CaseFile(join(root, id), `${name}/${id}`);
      const metadata = checkCase(file, id, rules);
      findings.push(...file.findings);
      if (metadata) cases.push({ ...metadata, folder: file.folder, read: (name) => file.bytes(name) });
    }
  }
  return findings.length === 0 ? { ok: true, value: cases, findings } : { ok: false, findings };

  function namesIn(folder: string) {
    if (!statSync(folder).isDirectory()) {
      findings.push(misplaced(name, `${folder} is no folder of an area`));
      return [];
    }
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}

function misplaced(file: string, message: string): Diagnostic {
  return {
    code: "case.invalid",
    severity: "error",
    message,
    pointer: "",
    place: { file, line: 1, column: 1 },
  };
}
