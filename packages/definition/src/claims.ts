/**
 * Claims: what a package says it implements, as data in its `claims.json`. Absent means no. Names come from the
 * registry here; an unknown name is an error. Spec: CNF-claims.
 *
 * The format, member by member:
 * - `part`: one name of `parts`, equal to the folder and the package suffix.
 * - `package`, `version`: as in package.json.
 * - `spec`: `{"written": "0.1", "reads": ["0.1"]}`, the language release that is written, and those that are read.
 * - `claims`: names of parts and feature profiles that the package implements (`definition`, `core`, …), sorted.
 * - `needs`: names that must be provided by other parts of an assembly, sorted; may be empty.
 * - `limits`: name → integer, what the package accepts at most where that is its own choice; may be empty.
 * - `cases`: the revision of the conformance cases it was tested with.
 * - `suites` (optional): name of an independent suite → how many of its cases `passed`, the names of what is `refused`
 *   on purpose, the names of `knownFailures`, and `list`, the exported file with the result of every case.
 * - `refused` (optional): name of the registry → the code with which the package refuses it.
 */
import { type Code, isCode, type Json, type Outcome, toJson } from "@swl/base";
import * as z from "zod/mini";
import { Findings, quote, Spot } from "./findings.js";
import { anyJson, anyText, byName, integer, members, texts } from "./members.js";
import { parse } from "./parse.js";
import { partNamed, parts, profileNamed, profiles } from "./registry.js";

export type { PartName, ProfileName } from "./registry.js";
export { dialects, partNamed, parts, profileNamed, profiles } from "./registry.js";

export interface Claims {
  readonly part: string;
  readonly package: string;
  readonly version: string;
  readonly spec: { readonly written: string; readonly reads: readonly string[] };
  readonly claims: readonly string[];
  readonly needs: readonly string[];
  readonly limits: { readonly [name: string]: number };
  readonly cases: string;
  readonly suites?: { readonly [suite: string]: SuiteResult };
  readonly refused?: { readonly [claim: string]: Code };
}

/** What became of an independent test suite, to the last case. */
export interface SuiteResult {
  readonly passed: number;
  /** Cases, or groups of them, that are refused by name instead of being decided otherwise than the suite says. */
  readonly refused: readonly string[];
  readonly knownFailures: readonly string[];
  /** An export of the package: the result of every case. */
  readonly list: string;
}

/** True for the name of a part or of a feature profile. */
export function isClaimName(name: string): boolean {
  return partNamed(name) !== undefined || profileNamed(name) !== undefined;
}

/** True when a part or a profile of this name is built; one name may stand for both (`store-provider`). */
export function isBuilt(name: string): boolean {
  return partNamed(name)?.built === true || profileNamed(name)?.built === true;
}

/**
 * Checks a claims file. Every finding has the code `claims.invalid`: unknown names, names that are claimed and
 * refused at once, parts that are claimed but not built, members that are missing or of the wrong type.
 */
export function validateClaims(value: unknown): Outcome<Claims> {
  const json = toJson(value);
  const findings = new Findings({});
  if (!json.ok) for (const finding of json.findings) findings.adopt(finding);
  const claims = json.ok ? readClaims(json.value, findings) : undefined;
  const outcome = findings.outcome(claims);
  if (outcome.ok) return outcome;
  return { ok: false, findings: outcome.findings.map((finding) => ({ ...finding, code: "claims.invalid" })) };
}

function named(expected: string, test: (text: string) => boolean) {
  return z.string({ error: expected }).check(z.refine(test, { error: expected }));
}

const claimName = named("a name of the registry of parts and profiles", isClaimName);
const version = named("a version", (text) => /^\d+\.\d+\.\d+/.test(text));

const suiteName = { expected: "the name of a suite", pattern: /^[a-z][a-z0-9.-]{0,63}$/ };
const suiteResult = members({
  passed: integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  refused: texts(anyText),
  knownFailures: texts(anyText),
  list: named("an export that ends in .json", (text) => /^\.\/[\w./-]+\.json$/.test(text)),
});

const file = members({
  part: named("a part of the registry", (text) => partNamed(text) !== undefined),
  package: named("a package name", (text) => /^(@[a-z0-9-]+\/)?[a-z0-9-]+$/.test(text)),
  version,
  spec: members({ written: anyText, reads: texts(anyText) }),
  claims: texts(claimName),
  needs: texts(claimName),
  limits: byName(integer({ min: 0, max: Number.MAX_SAFE_INTEGER })),
  cases: version,
  suites: z.exactOptional(byName(suiteResult, { names: suiteName })),
  refused: z.exactOptional(byName(anyJson)),
});

function readClaims(value: Json, findings: Findings): Claims | undefined {
  const said = parse(file, value, Spot.root, findings);
  if (!said) return undefined;
  const claims = said.claims ?? [];
  for (const [name, result] of Object.entries(said.suites ?? {})) checkSuite(name, result, findings);
  for (const [name, code] of Object.entries(said.refused ?? {})) checkRefused(name, code, claims, findings);
  for (const name of claims) {
    if (isBuilt(name) || !isClaimName(name)) continue;
    const message = `${quote(name)} is claimed, but the registry says it is not built`;
    findings.error("claims.invalid", message, Spot.root);
  }
  if (findings.failed) return undefined;
  // Complete, since nothing was found.
  const whole = said as Claims;
  return { ...whole, claims: [...whole.claims].sort(), needs: [...whole.needs].sort() };
}

function checkSuite(name: string, result: SuiteResult | undefined, findings: Findings): void {
  const failures = new Set(result?.knownFailures);
  for (const both of (result?.refused ?? []).filter((item) => failures.has(item))) {
    const spot = Spot.root.to("suites").to(name);
    findings.error("claims.invalid", `${quote(both)} is refused and a known failure`, spot);
  }
}

function checkRefused(name: string, code: Json, claims: readonly string[], findings: Findings): void {
  const spot = Spot.root.to("refused").to(name);
  if (!isClaimName(name)) {
    const known = [...parts, ...profiles].map((item) => item.name);
    const hint = findings.suggest(name, known);
    findings.error("claims.invalid", `${quote(name)} is no name of the registry`, spot, hint);
  } else if (claims.includes(name)) {
    findings.error("claims.invalid", `${quote(name)} is claimed and refused`, spot);
  } else if (typeof code !== "string" || !isCode(code)) {
    findings.error("claims.invalid", "expected a code of the closed list", spot);
  }
}
