import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultMaxBytes, defaultMaxDepth, hardMaxDepth } from "@swl/base";
import { describe, expect, it } from "vitest";
import { parts, profiles, validateClaims } from "../src/claims.js";
import { maxFindings } from "../src/findings.js";
import { maxOutcomes, ranges } from "../src/grammar.js";
import { maxMappingDepth, maxMappingNodes } from "../src/mappings.js";
import { maxPatternLength, maxPatternReach } from "../src/schema-pattern.js";
import { maxSchemaSteps } from "../src/schema-rules.js";

const here = dirname(fileURLToPath(import.meta.url));
const right = {
  part: "execution",
  package: "@swl/execution",
  version: "0.1.0",
  spec: { written: "0.1", reads: ["0.1"] },
  claims: ["execution", "core"],
  needs: ["definition"],
  limits: { maxPath: 64 },
  cases: "0.1.0",
  refused: { timers: "definition.profile-unsupported" },
};

function refuse(change: object): string[] {
  const outcome = validateClaims({ ...right, ...change });
  expect(outcome.findings.every((finding) => finding.code === "claims.invalid")).toBe(true);
  return outcome.ok ? [] : outcome.findings.map((finding) => finding.pointer);
}

describe("validateClaims", () => {
  it("accepts a right file and sorts the names [CNF-claims]", () => {
    const outcome = validateClaims(right);
    expect(outcome.ok && outcome.value.claims).toEqual(["core", "execution"]);
    expect(outcome.findings).toEqual([]);
    expect(refuse({ claims: ["store-provider"] })).toEqual([]);
  });

  it("refuses unknown names, false claims and contradictions [CNF-claims]", () => {
    expect(refuse({ claims: ["executoin"] })).toEqual(["/claims/0"]);
    expect(refuse({ claims: ["timers"], refused: {} })).toEqual([""]);
    expect(refuse({ claims: ["core"], refused: { core: "model.unsupported" } })).toEqual(["/refused/core"]);
    expect(refuse({ refused: { timers: "no.such-code" } })).toEqual(["/refused/timers"]);
    expect(refuse({ refused: { time: "model.unsupported" } })).toEqual(["/refused/time"]);
    expect(refuse({ refused: 7 })).toEqual(["/refused"]);
    expect(refuse({ part: "executor" })).toEqual(["/part"]);
    expect(refuse({ limits: { a: -1 } })).toEqual(["/limits/a"]);
    expect(refuse({ more: 1 })).toEqual(["/more"]);
    expect(refuse({ claims: undefined })).toEqual(["/claims"]);
    expect(refuse({ spec: { written: "0.1" } })).toEqual(["/spec"]);
    for (const value of [null, 1, [], "x"]) expect(validateClaims(value).ok).toBe(false);
  });

  it("accepts the claims of this package and of base", () => {
    for (const name of ["definition", "base"]) {
      const file = join(here, "../..", name, "claims.json");
      const outcome = validateClaims(JSON.parse(readFileSync(file, "utf8")));
      expect(outcome.findings).toEqual([]);
      expect(outcome.ok && outcome.value.part).toBe(name);
    }
  });
});

describe("the limits that this package claims", () => {
  it("are those it has", () => {
    const { limits } = JSON.parse(readFileSync(join(here, "../claims.json"), "utf8"));
    expect(limits).toEqual({
      maxActivations: ranges.maxActivations.max,
      maxAttempts: ranges.maxAttempts.max,
      maxFindings,
      maxInternalTransitions: ranges.maxInternalTransitions.max,
      maxLoopLimit: ranges.loopLimit.max,
      maxMappingDepth,
      maxMappingNodes,
      maxNodeVisits: ranges.maxNodeVisits.max,
      maxOutcomes,
      maxPatternLength,
      maxPatternReach,
      maxSchemaSteps,
    });
  });

  it("are those that base has", () => {
    const { limits } = JSON.parse(readFileSync(join(here, "../../base/claims.json"), "utf8"));
    expect(limits).toMatchObject({
      maxBytes: defaultMaxBytes,
      maxDepth: defaultMaxDepth,
      maxDepthHard: hardMaxDepth,
    });
  });
});

describe("the registry", () => {
  it("lists each name once, and as built what this workspace has", () => {
    const names = [...parts.map((part) => part.name)];
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(profiles.map((profile) => profile.name)).size).toBe(profiles.length);
    const folders = new Set(readdirSync(join(here, "../..")));
    for (const part of parts) {
      if (part.name !== "conformance")
        expect([part.name, folders.has(part.name)]).toEqual([part.name, part.built]);
    }
  });
});
