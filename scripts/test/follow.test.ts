import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { followLines } from "../lib/follow.mjs";

describe("followLines", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "swl-follow-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("tells each whole line once, forgets what was there before, and removes the file", async () => {
    const file = join(folder, "progress");
    const said: string[] = [];
    writeFileSync(file, "of a run before\n");
    const end = followLines(file, (line) => said.push(line));
    appendFileSync(file, "one\ntw");
    await vi.waitFor(() => expect(said).toEqual(["one"]), 10_000);
    appendFileSync(file, "o\nthree\nfou");
    end();
    expect(said).toEqual(["one", "two", "three"]);
    expect(existsSync(file)).toBe(false);
  });
});
