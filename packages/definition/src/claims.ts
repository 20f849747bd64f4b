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
 * - `refused` (optional): name of the registry → the code with which the package refuses it.
 */
import { type Code, isCode, isJsonObject, type Json, type Outcome, toJson } from "@swl/base";
import { Findings, quote, Spot } from "./findings.js";
import { anyText } from "./grammar.js";
import { partNamed, parts, profileNamed, profiles } from "./registry.js";
import { Members, readInteger, readTexts, type TextRule } from "./shape.js";

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
  readonly refused?: { readonly [claim: string]: Code };
}

const members = ["part", "package", "version", "spec", "claims", "needs", "limits", "cases", "refused"];

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

const claimRule: TextRule = { expected: "a name of the registry of parts and profiles", test: isClaimName };
const versionRule: TextRule = { expected: "a version", test: (text) => /^\d+\.\d+\.\d+/.test(text) };
const packageRule: TextRule = {
  expected: "a package name",
  test: (text) => /^(@[a-z0-9-]+\/)?[a-z0-9-]+$/.test(text),
};

function readClaims(value: Json, findings: Findings): Claims | undefined {
  const file = Members.read(value, Spot.root, findings, members);
  if (!file) return undefined;
  const part = file.text(
    "part",
    { expected: "a part of the registry", test: (text) => !!partNamed(text) },
    true,
  );
  const packageName = file.text("package", packageRule, true);
  const version = file.text("version", versionRule, true);
  const cases = file.text("cases", versionRule, true);
  const spec = file.require("spec");
  const release = spec === undefined ? undefined : readSpec(spec, file.spot.to("spec"), findings);
  const claims = file.require("claims") === undefined ? [] : (file.texts("claims", claimRule) ?? []);
  const needs = file.require("needs") === undefined ? [] : (file.texts("needs", claimRule) ?? []);
  const limits = readLimits(file, findings);
  const refused = readRefused(file, claims, findings);
  for (const name of claims) {
    if (isClaimName(name) && !isBuilt(name)) {
      findings.error(
        "claims.invalid",
        `${quote(name)} is claimed, but the registry says it is not built`,
        file.spot,
      );
    }
  }
  if (part === undefined || packageName === undefined || version === undefined || cases === undefined)
    return undefined;
  if (release === undefined) return undefined;
  const rest = {
    claims: [...claims].sort(),
    needs: [...needs].sort(),
    limits,
    cases,
    ...(refused && { refused }),
  };
  return { part, package: packageName, version, spec: release, ...rest };
}

function readSpec(value: Json, spot: Spot, findings: Findings): Claims["spec"] | undefined {
  const spec = Members.read(value, spot, findings, ["written", "reads"]);
  const written = spec?.text("written", anyText, true);
  const reads = spec?.require("reads");
  if (written === undefined || reads === undefined) return undefined;
  return { written, reads: readTexts(reads, anyText, spot.to("reads"), findings) };
}

function readLimits(file: Members, findings: Findings): Claims["limits"] {
  const limits = new Map<string, number>();
  for (const [name, value] of Object.entries(file.object("limits", true) ?? {})) {
    const range = { min: 0, max: Number.MAX_SAFE_INTEGER };
    const limit = readInteger(value, range, file.spot.to("limits").to(name), findings);
    if (limit !== undefined) limits.set(name, limit);
  }
  return Object.fromEntries(limits);
}

function readRefused(file: Members, claims: readonly string[], findings: Findings): Claims["refused"] {
  const refused = file.get("refused");
  if (refused === undefined || !isJsonObject(refused)) return file.object("refused") && undefined;
  const codes = new Map<string, Code>();
  for (const [name, code] of Object.entries(refused)) {
    const spot = file.spot.to("refused").to(name);
    if (!isClaimName(name)) {
      const known = [...parts, ...profiles].map((item) => item.name);
      findings.error(
        "claims.invalid",
        `${quote(name)} is no name of the registry`,
        spot,
        findings.suggest(name, known),
      );
    } else if (claims.includes(name)) {
      findings.error("claims.invalid", `${quote(name)} is claimed and refused`, spot);
    } else if (typeof code !== "string" || !isCode(code)) {
      findings.error("claims.invalid", "expected a code of the closed list", spot);
    } else codes.set(name, code);
  }
  return Object.fromEntries(codes);
}
