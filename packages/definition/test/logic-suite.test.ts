import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Json } from "@swl/base";
import { describe, expect, it } from "vitest";
import { compileLogic, logicFindings } from "../src/logic.js";

const here = dirname(fileURLToPath(import.meta.url));
const shared = process.env["SWL_SHARED"] ?? resolve(here, "../../../../shared");
const suite = join(shared, "corpora/json-logic");
const published = join(here, "../suites/json-logic.json");

interface Test {
  readonly description: string;
  readonly rule: Json;
  readonly data?: Json;
  readonly result?: Json;
  readonly error?: { readonly type: string };
}

/** `refused`: rules that validation does not take, though the suite has a value for them. */
interface FileReport {
  readonly passed: string[];
  readonly refused: string[];
  readonly failed: string[];
}

const codeOf = new Map([
  ["Invalid Arguments", "logic.arguments"],
  ["NaN", "logic.not-a-number"],
]);

function outcomeOf({ rule, data = null, result, error }: Test): keyof FileReport {
  const [problem] = logicFindings(rule);
  const answer = problem ? { ok: false, ...problem } : compileLogic(rule).apply(data);
  if (error) return "code" in answer && answer.code === codeOf.get(error.type) ? "passed" : "failed";
  if (problem) return "refused";
  return "value" in answer && JSON.stringify(answer.value) === JSON.stringify(result) ? "passed" : "failed";
}

function report(tests: readonly (Test | string)[]): FileReport {
  const found: FileReport = { passed: [], refused: [], failed: [] };
  for (const test of tests) {
    if (typeof test === "string") continue;
    found[outcomeOf(test)].push(test.description);
  }
  return found;
}

const there = existsSync(suite);

describe("compileLogic on the independent suite", () => {
  it.skipIf(!there)(
    `decides every test as the published list says${there ? "" : " (skipped: corpus not present)"} [DEF-logic]`,
    () => {
      const files: { [file: string]: FileReport } = {};
      const names = readdirSync(suite, { recursive: true, encoding: "utf8" });
      for (const file of names.filter((name) => name.endsWith(".json")).sort()) {
        files[file.replaceAll("\\", "/")] = report(JSON.parse(readFileSync(join(suite, file), "utf8")));
      }
      const list = { suite: "json-logic/compat-tables suites (part)", files };
      if (process.env["SWL_BLESS"] === "1") writeFileSync(published, `${JSON.stringify(list, null, 2)}\n`);
      expect(list).toEqual(JSON.parse(readFileSync(published, "utf8")));
    },
  );

  it("fails nothing, and refuses only rules with an operator that the dialect does not have", () => {
    const { files } = JSON.parse(readFileSync(published, "utf8")) as {
      files: { [file: string]: FileReport };
    };
    const all = Object.values(files);
    expect(all.flatMap(({ failed }) => failed)).toEqual([]);
    expect(all.reduce((sum, { passed }) => sum + passed.length, 0)).toBeGreaterThan(540);
    expect(all.flatMap(({ refused }) => refused).length).toBeLessThan(10);
  });
});
