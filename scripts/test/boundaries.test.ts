import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { checkRegistry, inspect } from "../lib/arrow-check.ts";
import { allows, packageOf } from "../lib/arrows.ts";
import { innocent, plantedViolations } from "../lib/planted.ts";
import { loadPure } from "../lib/pure-load.ts";

const made: string[] = [];

afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

function file(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "swl-scripts-"));
  made.push(folder);
  const path = join(folder, "entry.mjs");
  writeFileSync(path, text);
  return path;
}

describe("inspect", () => {
  it.each(plantedViolations())("catches $name", ({ caught }) => {
    expect(caught).toBe(true);
  });

  it("finds nothing in innocent code that looks the same", () => {
    expect(inspect(innocent)).toEqual([]);
  });
});

describe("allows", () => {
  it("opens an entry, every entry of a package, or everything of ours", () => {
    expect(allows(["@swl/definition/model"], "@swl/definition/model")).toBe(true);
    expect(allows(["@swl/definition/model"], "@swl/definition")).toBe(false);
    expect(allows(["@swl/definition/*"], "@swl/definition/schema")).toBe(true);
    expect(allows(["@swl/definition/*"], "@swl/definition")).toBe(true);
    expect(allows(["@swl/*"], "@swl/cli")).toBe(true);
    expect(packageOf("@swl/definition/model")).toBe("@swl/definition");
    expect(packageOf("zod/v4/core")).toBe("zod");
  });
});

describe("checkRegistry", () => {
  const workspace = (folder: string) => ({ folder, path: "", manifest: { name: "x" } });
  const all = ["packages/base", "conformance", "conformance/self-test", "examples/orders", "bench"].map(
    workspace,
  );
  const parts = [
    { name: "base", built: true },
    { name: "conformance", built: true },
    { name: "server", built: false },
  ];

  it("accepts folders and registry that say the same", () => {
    expect(checkRegistry(all, parts)).toEqual([]);
  });

  it("names a folder that is no part, one that is called not built, and a built part without a folder", () => {
    const more = [...all, workspace("packages/other"), workspace("packages/server")];
    const found = checkRegistry(more, [...parts, { name: "cli", built: true }]);
    expect(found).toEqual([
      expect.stringContaining("packages/other"),
      expect.stringContaining("server: "),
      expect.stringContaining("cli: "),
    ]);
  });
});

describe("loadPure", () => {
  it("accepts a module that keeps to itself", () => {
    expect(loadPure(file("export const a = 1;"), [])).toEqual([]);
  });

  it("catches a module that loads what it must not, even indirectly", () => {
    const inner = file("export const a = 1;");
    const outer = file(`export { a } from ${JSON.stringify(pathToFileURL(inner).href)};`);
    expect(loadPure(outer, ["/entry.mjs"]).length).toBeGreaterThan(0);
    expect(loadPure(outer, ["/other.mjs"])).toEqual([]);
  });

  it("catches a module that loads the world, reads the clock or makes code while it loads", () => {
    expect(loadPure(file('import "node:fs";'), [])).toEqual(["loads node:fs"]);
    expect(loadPure(file("export const now = Date.now();"), [])[0]).toContain("Date.now");
    expect(loadPure(file('export const f = new Function("return 1");'), [])[0]).toContain("does not load");
    expect(loadPure(file('export const f = (0, eval)("1");'), [])[0]).toContain("does not load");
  });
});
