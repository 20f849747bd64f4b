/** What the guide says of the size of this example is so: its code, neither blank lines nor lines of comment. */
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";

async function codeLines(files: readonly string[]): Promise<number> {
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, import.meta.url), "utf8")));
  const lines = texts.flatMap((text) => text.split("\n"));
  return lines.filter((line) => line.trim() !== "" && !/^\s*(?:\/?\*|\/\/)/.test(line)).length;
}

it("is a store of less than 300 lines", async () => {
  expect(await codeLines(["../src/json-store.ts", "../src/rows.ts"])).toBeLessThan(300);
});

it("is tested by ten", async () => {
  expect(await codeLines(["suite.test.ts"])).toBeLessThanOrEqual(10);
});
