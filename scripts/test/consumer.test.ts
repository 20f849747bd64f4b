import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createProject, installedComplaints, plainEnv } from "../lib/projects.ts";
import { runExample, runReadme } from "../lib/run-example.ts";

const path = mkdtempSync(join(tmpdir(), "swl-consumer-test-"));
const project = { path, remove: () => rmSync(path, { recursive: true, force: true }) };
afterAll(() => project.remove());

const example = (source: string, output: string) => ({ source, output, line: 7 });

describe("runExample", () => {
  it("accepts TypeScript that prints exactly its output", () => {
    expect(runExample(project, "a", example("const n: number = 1;\nconsole.log(n);\n", "1\n"))).toEqual([]);
  });

  it("says what another one prints", () => {
    const found = runExample(project, "packages/b", example("console.log(2);\n", "1\n"));
    expect(found).toEqual(["line 7: it prints", "  | 2", "and the README says", "  | 1"]);
  });

  it("says how one that fails ends", () => {
    const found = runExample(project, "c", example('throw new Error("broken");\n', ""));
    expect(found[0]).toBe("line 7: it ends with 1:");
    expect(found.join("\n")).toContain("Error: broken");
  });
});

describe("runReadme", () => {
  it("demands an example", () => {
    expect(runReadme(project, "d", "# d\n\n```ts\n1;\n```\n")).toEqual(["it has no example with its output"]);
  });
});

describe("installedComplaints", () => {
  it("names what came along, what is missing and what came from the registry", () => {
    const packages = {
      "": {},
      "node_modules/@swl/base": { resolved: "file:../base.tgz" },
      "node_modules/@swl/cli": { resolved: "file:../cli.tgz" },
      "node_modules/@swl/definition": { resolved: "https://registry.example/definition.tgz" },
      "node_modules/zod": { resolved: "https://registry.example/zod.tgz" },
    };
    writeFileSync(join(path, "package-lock.json"), JSON.stringify({ packages }));
    const wanted = new Set(["@swl/base", "@swl/definition", "@swl/execution"]);
    expect(installedComplaints(project, wanted)).toEqual([
      "@swl/cli was installed and is not needed",
      "@swl/definition came from https://registry.example/definition.tgz",
      "@swl/execution was not installed",
    ]);
  });
});

describe("createProject", () => {
  it("refuses a package that was not packed, by code", async () => {
    await expect(createProject("e", ["@swl/nothing"], new Map())).rejects.toMatchObject({
      code: "consumer.unknown-package",
    });
  });
});

describe("plainEnv", () => {
  it("leaves out what a package manager put there", () => {
    process.env["npm_config_planted"] = "1";
    expect(plainEnv()).not.toHaveProperty("npm_config_planted");
    delete process.env["npm_config_planted"];
  });
});
