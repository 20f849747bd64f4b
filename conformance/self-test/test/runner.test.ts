/** Results, known failures, reports and goldens. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "@swl/base";
import {
  type Case,
  readKnownFailures,
  reportLines,
  runCases,
  type Subject,
  summaryOf,
} from "@swl/conformance";
import { writeGoldens } from "@swl/conformance/cases";
import { compileSchema } from "@swl/definition/schema";
import { afterAll, describe, expect, it } from "vitest";
import { swl } from "../src/subject.js";
import { readAccept, readReject, sampleCases, traceAccept, validateReject } from "./sample-cases.js";

const reportSchema = compileSchema(
  JSON.parse(readFileSync(new URL("../../schema/report.schema.json", import.meta.url), "utf8")),
);

const folder = mkdtempSync(join(tmpdir(), "swl-goldens-"));
afterAll(() => rmSync(folder, { recursive: true }));

const acceptsAll: Subject = {
  ...swl,
  name: "accepts",
  readJson: () => ({ ok: true, value: 1, findings: [] }),
};

describe("runCases", () => {
  it("says skipped with the caller's reason [CNF-verdicts]", async () => {
    const results = await runCases(sampleCases, swl, {
      skip: (item) => (item === readReject ? "another day" : undefined),
    });
    expect(results[1]).toEqual({
      case: readReject.id,
      result: "skipped",
      reasons: ["another day"],
      against: false,
    });
    expect(summaryOf(results)).toEqual({
      counts: { passed: 5, failed: 0, errored: 0, skipped: 1, "not-claimed": 0 },
      against: 0,
      ok: true,
    });
  });

  it("takes any answer to an unspecified case, in the shape of the house [CNF-verdicts]", async () => {
    const open: Case = { ...readReject, verdict: "unspecified", id: "json/open" };
    const [strict, lax] = [await runCases([open], swl), await runCases([open], acceptsAll)];
    expect([strict[0]?.result, lax[0]?.result]).toEqual(["passed", "passed"]);
  });
});

describe("known failures", () => {
  const known = new Map([[readReject.id, "keys are not compared yet"]]);

  it("do not speak against the subject while they fail [CNF-known-failures]", async () => {
    const results = await runCases([readReject], acceptsAll, { knownFailures: known });
    expect(results).toEqual([
      {
        case: readReject.id,
        result: "failed",
        reasons: ["expected json.duplicate-key, found acceptance"],
        known: "keys are not compared yet",
        against: false,
      },
    ]);
  });

  it("speak against the subject when they pass, or name no case [CNF-known-failures]", async () => {
    const stale = new Map([...known, ["json/gone", "once there"]]);
    const results = await runCases([readReject], swl, { knownFailures: stale });
    expect(results).toMatchObject([
      { result: "failed", reasons: ["passes, but is a known failure"], against: true },
      { case: "json/gone", result: "failed", reasons: ["is a known failure of no case"], against: true },
    ]);
    expect(summaryOf(results).ok).toBe(false);
  });

  it("are read from a file, with a reason each [CNF-known-failures]", () => {
    const read = readKnownFailures('{"json/a": "why"}', "known.json");
    expect(read.ok && [...read.value]).toEqual([["json/a", "why"]]);
    expect(readKnownFailures('{\n  "json/a": ""\n}', "known.json")).toMatchObject({
      ok: false,
      findings: [{ code: "case.invalid", place: { file: "known.json", line: 2 }, pointer: "/json~1a" }],
    });
    expect(readKnownFailures("[]", "known.json").ok).toBe(false);
    expect(readKnownFailures('{"a": 1,}', "known.json")).toMatchObject({
      findings: [{ code: "case.invalid", place: { line: 1, column: 8 } }],
    });
  });
});

describe("reportLines", () => {
  const lines = (report: string): Json[] => {
    expect(report.endsWith("\n")).toBe(true);
    return report
      .slice(0, -1)
      .split("\n")
      .map((line) => JSON.parse(line) as Json);
  };

  it("is JSON lines of the published schema, equal for equal runs [CNF-report]", async () => {
    const reports: string[] = [];
    for (let run = 0; run < 2; run++) {
      const results = await runCases([...sampleCases, validateReject], acceptsAll);
      reports.push(reportLines(acceptsAll, results, { cases: "0.1.0" }));
    }
    expect(reports[1]).toBe(reports[0]);
    const parsed = lines(reports[0]!);
    for (const line of parsed) expect(reportSchema.check(line)).toEqual([]);
    expect(parsed).toHaveLength(sampleCases.length + 3);
    expect(parsed[0]).toMatchObject({ type: "run", subject: "accepts", cases: "0.1.0" });
    expect(parsed.at(-1)).toMatchObject({ type: "summary", against: 2, ok: false });
  });

  it("has a schema that catches a report of another shape [CNF-report]", async () => {
    const [run, first, ...rest] = lines(
      reportLines(swl, await runCases(sampleCases, swl), { cases: "0.1.0" }),
    );
    const broken: Json[] = [
      { ...(run as object), at: 1_700_000_000_000 },
      { ...(first as object), seconds: 0.2 },
      { ...(first as object), result: "ok" },
      { ...(rest.at(-1) as object), counts: { passed: 1 } },
      {},
    ];
    for (const line of broken) expect(reportSchema.check(line)).not.toEqual([]);
  });
});

describe("writeGoldens", () => {
  const onDisk: Case = { ...readAccept, folder };

  it("writes the goldens that are named, and running writes none [CNF-goldens]", async () => {
    await runCases([onDisk, { ...traceAccept, folder }], swl);
    expect(readdirSync(folder)).toEqual([]);
    const written = await writeGoldens([onDisk, { ...traceAccept, folder }], swl, [onDisk.id]);
    expect(written).toEqual([join(folder, "expected.json")]);
    expect(JSON.parse(readFileSync(written[0]!, "utf8"))).toEqual({ a: [1, 0] });
    const [trace] = await writeGoldens([{ ...traceAccept, folder }], swl, [traceAccept.id]);
    const steps = JSON.parse(readFileSync(trace!, "utf8")) as { readonly [member: string]: Json }[];
    expect(steps.map((step) => Object.keys(step).sort())).toEqual(
      Array(2).fill(["commands", "diagnostics", "disposition", "edges", "effect", "view"]),
    );
    const golden = {
      ...traceAccept,
      read: (name: string) => (name === "expected.json" ? readFileSync(trace!) : traceAccept.read(name)),
    };
    expect(await runCases([golden], swl)).toMatchObject([{ result: "passed" }]);
  });

  it("refuses a name that no case has, and a case that is refused [CNF-goldens]", async () => {
    await expect(writeGoldens([onDisk], swl, ["json/gone"])).rejects.toMatchObject({ code: "case.invalid" });
    const refused: Case = { ...readReject, folder, expect: "expected.json" };
    await expect(writeGoldens([refused], swl, [refused.id])).rejects.toMatchObject({ code: "case.invalid" });
  });
});
