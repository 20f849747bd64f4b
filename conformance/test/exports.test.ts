import { describe, expect, it } from "vitest";
import * as cases from "../src/cases/index.js";
import * as root from "../src/index.js";
import * as providers from "../src/providers/index.js";
import * as stdio from "../src/stdio/index.js";
import * as store from "../src/store/index.js";
import * as table from "../src/table/index.js";

describe("exports", () => {
  it("offers exactly these names at the root", () => {
    expect(Object.keys(root).sort()).toEqual([
      "EffectLedger",
      "areas",
      "checkAssembly",
      "codePageProblems",
      "controlChecks",
      "crashPoints",
      "crashProblems",
      "crashScenarios",
      "errorProblems",
      "findingProblems",
      "firstDifference",
      "forkJoin",
      "hostChecks",
      "mandatoryChecks",
      "mortal",
      "phases",
      "portableStep",
      "providerChecks",
      "readKnownFailures",
      "recoveryPoints",
      "refusalCases",
      "reportLines",
      "runCases",
      "runRefusals",
      "sameStep",
      "stampedEvents",
      "summaryOf",
      "through",
      "traceOf",
      "verdicts",
    ]);
  });

  it("offers exactly these names at ./cases", () => {
    expect(Object.keys(cases).sort()).toEqual([
      "bundledCases",
      "readCases",
      "readRules",
      "rulesOfProject",
      "rulesShown",
      "writeGoldens",
    ]);
  });

  it("offers exactly these names at ./providers", () => {
    expect(Object.keys(providers).sort()).toEqual([
      "askedChecks",
      "bindingChecks",
      "programChecks",
      "serverChecks",
      "tokenChecks",
    ]);
  });

  it("offers exactly these names at ./stdio", () => {
    expect(Object.keys(stdio).sort()).toEqual(["stdioSubject"]);
  });

  it("offers exactly these names at ./store", () => {
    expect(Object.keys(store).sort()).toEqual([
      "failingStoreTests",
      "storeAreas",
      "storeResults",
      "storeSuite",
      "storeTests",
    ]);
  });

  it("offers exactly these names at ./table", () => {
    expect(Object.keys(table).sort()).toEqual(["cellsOf", "readTable", "tableSection", "withTableSection"]);
  });
});
