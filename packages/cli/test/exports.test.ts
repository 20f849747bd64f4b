import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as root from "../src/index.js";
import { version } from "../src/version.js";

describe("exports", () => {
  it("are these", () => {
    expect(Object.keys(root).sort()).toEqual(["exit", "exitMeanings", "exitOf", "main", "processIo"]);
  });

  it("go with the version in package.json", () => {
    const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "..", "package.json"), "utf8"));
    expect(version).toBe(manifest.version);
  });
});
