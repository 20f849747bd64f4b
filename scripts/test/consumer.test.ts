import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { callersNode, engineNote } from "../lib/engine-note.mjs";
import { createProject, installedComplaints, plainEnv } from "../lib/projects.ts";
import { runExample, runReadme } from "../lib/run-example.ts";
import { walk } from "../lib/walk.ts";

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

describe("what npm run pack says", () => {
  it("tells an older Node than the packages need where a newer one lies, and others nothing", () => {
    expect(engineNote("20.20.2", "/clone/node")).toMatch(
      /^The packages need Node 22\.13 or newer, and this is Node 20\.20\.2: .*EBADENGINE[\s\S]*"\/clone\/node:\$PATH"$/,
    );
    expect(engineNote("22.12.0", "/n")).toBeDefined();
    for (const version of ["22.13.0", "22.18.1", "24.0.0"]) expect(engineNote(version, "/n")).toBeUndefined();
  });

  it("means the Node of the machine, not the one of the clone that its scripts run on", () => {
    const agent = "npm/11.19.1 node/v20.20.2 linux x64 workspaces/false";
    expect(callersNode(agent, "24.21.0")).toBe("20.20.2");
    for (const silent of [undefined, "", "npm/11.19.1"])
      expect(callersNode(silent, "24.21.0")).toBe("24.21.0");
  });
});

describe("walk", () => {
  it("keeps several commands going beside the rest, and ends all of them where the page says Ctrl-C", async () => {
    const beside = (name: string) =>
      `X=${name} node -e 'require("fs").writeFileSync(process.env.X, "up"); setInterval(() => {}, 1e3); process.once("SIGINT", () => { require("fs").writeFileSync(process.env.X, "down"); process.exit(0); })'`;
    const page = (last: string) =>
      [
        ...["```sh second-terminal", beside("one"), "```", "```sh third-terminal", beside("two"), "```", ""],
        ...["```sh", "until [ -s one ] && [ -s two ]; do sleep 0.1; done; cat one two", "```", ""],
        ...["```text", "upup", "```", "", "End both with Ctrl-C.", ""],
        ...["```sh", "cat one two", "```", "", "```text", last, "```", ""],
      ].join("\n");
    expect(await walk(project, page("downdown"))).toEqual([]);
    rmSync(join(path, "one"));
    rmSync(join(path, "two"));
    expect((await walk(project, page("upup"))).join("\n")).toContain("| downdown");
  });
});
