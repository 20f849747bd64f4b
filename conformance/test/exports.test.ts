import { describe, expect, it } from "vitest";
import * as cases from "../src/cases/index.js";
import * as root from "../src/index.js";

describe("exports", () => {
  it("offers exactly these names at the root", () => {
    expect(Object.keys(root).sort()).toEqual([
      "areas",
      "codePageProblems",
      "controlChecks",
      "errorProblems",
      "findingProblems",
      "hostChecks",
      "mortal",
      "phases",
      "portableStep",
      "providerChecks",
      "readKnownFailures",
      "refusalCases",
      "reportLines",
      "runCases",
      "runRefusals",
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
});
