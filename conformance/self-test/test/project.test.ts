/** This project under its own kit: every case, every rule, every claim, every code. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { codes, type Json } from "@swl/base";
import { checkAssembly, codePageProblems, runCases, runRefusals } from "@swl/conformance";
import { bundledCases, readCases, readRules, rulesOfProject, rulesShown } from "@swl/conformance/cases";
import { parts, validateClaims } from "@swl/definition/claims";
import { describe, expect, it } from "vitest";
import { swl } from "../src/subject.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));

function json(path: string): Json {
  return JSON.parse(readFileSync(`${root}/${path}`, "utf8")) as Json;
}

function chapters(): readonly string[] {
  const rules = readRules(`${root}/docs/spec`);
  if (!rules.ok) throw new Error(JSON.stringify(rules.findings, null, 2));
  return rules.value.map((rule) => rule.id);
}

describe("the cases", () => {
  const read = readCases(bundledCases, { rules: chapters(), name: "conformance/cases" });

  it("are all in their format [CNF-case-format]", () => {
    expect(read.findings).toEqual([]);
  });

  it("are passed by this implementation, each of them [CNF-verdicts]", async () => {
    const results = await runCases(read.ok ? read.value : [], swl);
    expect(results.filter((result) => result.result !== "passed")).toEqual([]);
    expect(results.length).toBeGreaterThan(0);
  });

  it("that are generated for what is not claimed are refused as they must be [CNF-absent-means-no]", async () => {
    const results = await runRefusals(swl);
    expect(results.filter((result) => result.result !== "passed")).toEqual([]);
  });
});

describe("the rules", () => {
  it("are all shown [CNF-rules-shown]", () => {
    const shown = rulesOfProject(root);
    if (!shown.ok) throw new Error(JSON.stringify(shown.findings, null, 2));
    const unshown = shown.value.filter((rule) => rule.lacking.length > 0);
    expect(unshown.map(({ rule, lacking }) => `${rule}: ${lacking.join("; ")}`)).toEqual([]);
  });

  it("that nothing shows are named, each with what it lacks [CNF-rules-shown]", () => {
    // Made-up rules, put together here so that nobody looks for them in the chapters.
    const [def, exe, half, none, gone] = ["DEF", "EXE", "STO", "STO", "STO"].map(
      (prefix, index) => `${prefix}-sample-${index}`,
    ) as [string, string, string, string, string];
    const rules = [def, exe, half, none].map((id) => ({
      id,
      prefix: id.slice(0, 3),
      place: { file: "x.md", line: 1, column: 5 },
    }));
    const base = { id: "definition/a", title: "a", requires: ["definition"], input: { file: "a.json" } };
    const cases = [
      { ...base, rules: [def], phase: "validate", verdict: "accept" },
      { ...base, rules: [exe], phase: "transition", verdict: "accept", shows: "must-not-act" },
    ] as const;
    const named = (name: string) => ({ file: "a.test.ts", name });
    const tests = new Map<string, Json>([
      ["STO", { [half]: { test: named("does it"), broken: named("catches it") }, [gone]: {} }],
    ]);
    const shown = rulesShown({ rules, cases, tests, source: () => 'it("does it", ' });
    expect(shown.map(({ rule, lacking }) => [rule, lacking])).toEqual([
      [def, ["a rejected case"]],
      [exe, ["a trace in which it acts"]],
      [half, ['a broken subject that it catches: a.test.ts has no test "catches it"']],
      [none, ["a named test", "a broken subject that it catches"]],
      [gone, ["is in no chapter"]],
    ]);
  });
});

describe("the claims", () => {
  const folders = readdirSync(`${root}/packages`).map((name) => `packages/${name}`);
  const rooms = [...folders, "conformance"];

  it("of every package are valid and agree with its package.json [CNF-claims]", () => {
    for (const room of rooms) {
      const claims = validateClaims(json(`${room}/claims.json`));
      expect({ room, findings: claims.findings }).toEqual({ room, findings: [] });
      if (!claims.ok) continue;
      const manifest = json(`${room}/package.json`) as { readonly name: string; readonly version: string };
      const { part, package: name, version } = claims.value;
      expect({ room, name, version }).toEqual({ room, name: manifest.name, version: manifest.version });
      expect(room.split("/").at(-1)).toBe(part);
    }
  });

  it("cover every part that is built, and no other [CNF-claims]", () => {
    const built = parts.filter((part) => part.built).map((part) => part.name);
    expect(rooms.map((room) => room.split("/").at(-1)).sort()).toEqual([...built].sort());
  });

  const all = () =>
    rooms.map((room) => {
      const claims = validateClaims(json(`${room}/claims.json`));
      if (!claims.ok) throw new Error(`${room}: ${JSON.stringify(claims.findings)}`);
      return claims.value;
    });

  it("need only what some package provides [CNF-claims]", () => {
    const assembled = checkAssembly(all());
    expect(assembled.findings).toEqual([]);
    expect(swl.claims.filter((claim) => !(assembled.ok && assembled.value.includes(claim)))).toEqual([]);
  });

  it("that name a part which is not built, or one that is not there, are refused by name [CNF-absent-means-no]", () => {
    const [base, ...others] = all();
    const needy = { ...base!, needs: ["distribution", "parallel", "source-notation"] };
    const rest = others.filter((claims) => claims.part !== "source-notation");
    const found = checkAssembly([needy, ...rest]).findings.filter((finding) =>
      finding.pointer.startsWith("/0/"),
    );
    expect(found).toMatchObject([
      {
        code: "part.not-built",
        message: expect.stringContaining("needs distribution"),
        pointer: "/0/needs/0",
      },
      { code: "part.not-built", pointer: "/0/needs/1" },
      { code: "claims.invalid", pointer: "/0/needs/2" },
    ]);
  });

  it("that are false or unknown are refused [CNF-claims]", () => {
    const claims = json("packages/definition/claims.json") as { readonly [member: string]: Json };
    const broken: readonly { readonly [member: string]: Json }[] = [
      { claims: ["definition", "corre"] },
      { claims: ["definition", "parallel"] },
      { claims: ["distribution"] },
      { part: "definitions" },
      { refused: { timers: "no.such-code" } },
      { refused: { definition: "definition.profile-unsupported" } },
      { spec: { written: "0.1" } },
    ];
    for (const change of broken) {
      const answer = validateClaims({ ...claims, ...change });
      expect({ change, ok: answer.ok }).toEqual({ change, ok: false });
      expect(new Set(answer.findings.map((finding) => finding.code))).toEqual(new Set(["claims.invalid"]));
    }
  });
});

describe("the codes", () => {
  const pages = new Map(
    readdirSync(`${root}/docs/errors`).map((file) => [
      file,
      readFileSync(`${root}/docs/errors/${file}`, "utf8"),
    ]),
  );

  it("and their pages are the same list [CNF-codes-documented]", () => {
    expect(codePageProblems(codes, pages)).toEqual([]);
  });

  it("are caught without a page, and pages without a code or a remedy [CNF-codes-documented]", () => {
    const page = pages.get("case.invalid.md")!;
    const broken = new Map([
      ["case.invalid.md", page.replace("## Remedy", "## Solution")],
      ["case.odd.md", page],
    ]);
    expect(codePageProblems(["case.invalid", "part.not-built", "part.not-built"], broken)).toEqual([
      "a code is listed twice",
      "part.not-built has no page",
      'case.invalid.md has no part "## Remedy"',
      "case.odd.md is the page of no code",
      'case.odd.md does not begin with "# case.odd"',
    ]);
  });
});
