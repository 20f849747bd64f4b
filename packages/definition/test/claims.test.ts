import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultMaxBytes, defaultMaxDepth, hardMaxDepth } from "@swl/base";
import { describe, expect, it } from "vitest";
import { parts, profiles, validateClaims } from "../src/claims.js";
import { maxDurationMs } from "../src/durations.js";
import { maxFindings } from "../src/findings.js";
import { maxCases, maxOutcomes, ranges } from "../src/grammar.js";
import { maxLogicDepth, maxLogicSteps } from "../src/logic.js";
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
    expect(refuse({ claims: ["parallel"], refused: {} })).toEqual([""]);
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

  it("takes results of independent suites, and no case for two things [CNF-claims]", () => {
    const result = { passed: 3, refused: ["a: b"], knownFailures: ["c"], list: "./suites/x.json" };
    const suites = (change: object) => refuse({ suites: { x: { ...result, ...change } } });
    expect(suites({})).toEqual([]);
    expect(suites({ passed: -1 })).toEqual(["/suites/x/passed"]);
    expect(suites({ passed: "3" })).toEqual(["/suites/x/passed"]);
    expect(suites({ refused: ["c"] })).toEqual(["/suites/x"]);
    expect(suites({ knownFailures: ["c", "c"] })).toEqual(["/suites/x/knownFailures/1"]);
    expect(suites({ list: "/etc/x.json" })).toEqual(["/suites/x/list"]);
    expect(suites({ list: undefined })).toEqual(["/suites/x/list"]);
    expect(suites({ skipped: 1 })).toEqual(["/suites/x/skipped"]);
    expect(refuse({ suites: { "X y": result } })).toEqual(["/suites/X y"]);
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
      maxBufferedSignals: ranges.maxBufferedSignals.max,
      maxCases,
      maxDurationMs,
      maxFindings,
      maxInternalTransitions: ranges.maxInternalTransitions.max,
      maxLogicDepth,
      maxLogicSteps,
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

/** Group by group or case by case; `tests` where a group holds several. */
interface FileReport {
  readonly tests?: number;
  readonly passed: readonly string[];
  readonly refused: readonly string[];
  readonly failed: readonly string[];
}

describe("the independent suites that this package claims", () => {
  const { suites } = JSON.parse(readFileSync(join(here, "../claims.json"), "utf8"));

  it("have the results of their lists, which other tests compare with the suites [CNF-claims]", () => {
    const found = readdirSync(join(here, "../suites")).map((name) => {
      const list = JSON.parse(readFileSync(join(here, "../suites", name), "utf8"));
      const files = Object.entries<FileReport>(list.files);
      const named = (key: "refused" | "failed") =>
        files.flatMap(([file, report]) => report[key].map((title) => `${file}: ${title}`));
      const result = {
        passed: files.reduce((sum, [, report]) => sum + (report.tests ?? report.passed.length), 0),
        refused: named("refused"),
        knownFailures: named("failed"),
        list: `./suites/${name}`,
      };
      return [name.replace(/\.json$/, ""), result];
    });
    expect(suites).toEqual(Object.fromEntries(found));
  });

  it("have one known failure", () => {
    const failures = Object.values<{ knownFailures: string[] }>(suites).flatMap(
      (suite) => suite.knownFailures,
    );
    expect(failures).toEqual([
      "ref.json: order of evaluation: $id and $anchor and $ref: data is valid against first definition",
    ]);
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
