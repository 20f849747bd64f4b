import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { noticeComplaints } from "../lib/notices.ts";

const made: string[] = [];

afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

function complaints(sources: readonly string[], text: string | undefined, dependencies = {}): string[] {
  const path = mkdtempSync(join(tmpdir(), "swl-notices-"));
  made.push(path);
  mkdirSync(join(path, "dist"));
  writeFileSync(join(path, "dist", "index.js.map"), JSON.stringify({ sources }));
  if (text !== undefined) writeFileSync(join(path, "THIRD-PARTY-NOTICES.md"), text);
  return [...noticeComplaints({ folder: "packages/a", path, manifest: { name: "@swl/a", dependencies } })];
}

const scoped = "../../../node_modules/.pnpm/@a+b@1.0.0/node_modules/@a/b/dist/index.js";
const plain = "../node_modules/zod/v4/core.js";

describe("noticeComplaints", () => {
  it("accepts a package without code of others, and one that names whose it is", () => {
    expect(complaints(["../src/index.ts", "../../base/dist/index.js"], undefined)).toEqual([]);
    expect(complaints([scoped, plain], "# Notices\n\n## zod\n\n## @a/b\n\n## The licence\n")).toEqual([]);
  });

  it("names code without a notice, a notice without code, and what is bundled and installed", () => {
    expect(complaints([scoped], undefined)).toEqual([expect.stringContaining("does not name @a/b")]);
    expect(complaints([], "## zod\n")).toEqual([expect.stringContaining("zod is not in dist")]);
    expect(complaints([plain], "## zod\n", { zod: "catalog:" })).toEqual([
      expect.stringContaining("a dependency"),
    ]);
  });
});
