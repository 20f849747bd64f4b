import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exportComplaints, manifestComplaints, readmeComplaints } from "../lib/skeleton.ts";
import { type Manifest, readJson, root, type Workspace } from "../lib/workspace.ts";

const path = join(root, "packages", "base");
const base = readJson(join(path, "package.json")) as Manifest;
const workspace = (manifest: Manifest): Workspace => ({ folder: "packages/base", path, manifest });

describe("manifestComplaints", () => {
  it("finds nothing in a package that keeps to the skeleton", () => {
    expect(manifestComplaints(workspace(base))).toEqual([]);
  });

  it.each([
    ["another name", { ...base, name: "@swl/other" }, "name"],
    ["another licence", { ...base, license: "MIT" }, "license"],
    ["another directory", { ...base, repository: { ...base.repository, directory: "base" } }, "repository"],
    ["a field of its own", { ...base, main: "x.js" }, "main is not in the skeleton"],
    ["a version of its own", { ...base, devDependencies: { vitest: "^5.0.0" } }, "catalog"],
    ["a script of its own", { ...base, scripts: { ...base.scripts, postinstall: "x" } }, "scripts"],
    ["another order", { version: "0.1.0", ...base, name: base.name }, "order"],
  ])("refuses %s", (_, manifest, complaint) => {
    expect(manifestComplaints(workspace(manifest)).join("\n")).toContain(complaint);
  });
});

describe("exportComplaints", () => {
  it.each([
    ["a wildcard", { "./*": { types: "./dist/*.d.ts", default: "./dist/*.js" } }, "no public entry"],
    ["types that are not first", { ".": { default: "./dist/index.js", types: "./dist/index.d.ts" } }, ". is"],
    [
      "an entry without files",
      { "./no": { types: "./dist/no.d.ts", default: "./dist/no.js" } },
      "does not exist",
    ],
  ])("refuses %s", (_, exports, complaint) => {
    const manifest = { ...base, exports: { ...base.exports, ...exports } };
    expect(exportComplaints(workspace(manifest)).join("\n")).toContain(complaint);
  });

  it("demands claims and manifest as entries", () => {
    const found = exportComplaints(workspace({ ...base, exports: {} }));
    expect(found).toEqual([
      ". is not exported",
      "./claims.json is not exported",
      "./package.json is not exported",
    ]);
  });
});

describe("readmeComplaints", () => {
  it("refuses another Node than the manifest's", () => {
    expect(readmeComplaints(workspace(base))).toEqual([]);
    const found = readmeComplaints(workspace({ ...base, engines: { node: ">=24" } }));
    expect(found).toEqual([expect.stringContaining('"Node 22.13 or newer"')]);
  });
});

describe(".ci/run", () => {
  it("runs npm test, quietly and without input, and says so with its exit code", () => {
    const text = readFileSync(join(root, ".ci", "run"), "utf8");
    expect(text).toMatch(/^exec npm --silent test .*<\/dev\/null$/m);
  });
});
