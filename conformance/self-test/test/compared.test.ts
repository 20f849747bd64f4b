/** The page that compares: what it says of this project is backed line by line. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const page = resolve(import.meta.dirname, "../../../docs/guide/compared.md");

const cellsOf = (line: string): readonly string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

/** First cell and "shown by" cell of every line of every table. */
const rows = readFileSync(page, "utf8")
  .split("\n\n")
  .filter((block) => block.startsWith("| "))
  .flatMap((block) => {
    const [head = "", , ...lines] = block.trim().split("\n");
    const column = cellsOf(head).indexOf("shown by");
    return lines.map(cellsOf).map((cells) => ({ point: cells[0] ?? "", shown: cells[column] ?? "" }));
  });

/** What a cell's links lack: a file that is not there, or a test of that name in it. */
function missing(cell: string): readonly string[] {
  const links = [...cell.matchAll(/\[([^\]]+)\]\(([^)#]+)[^)]*\)/g)];
  if (links.length === 0) return ["no case and no test"];
  return links.flatMap(([, title = "", target = ""]) => {
    const file = resolve(dirname(page), target);
    if (!existsSync(file)) return [`${target} is not there`];
    const text = readFileSync(file, "utf8").replaceAll('\\"', '"');
    return target.endsWith(".json") || text.includes(title) ? [] : [`${target} has no ${title}`];
  });
}

describe("the comparison with other systems", () => {
  it("has lines", () => {
    expect(rows.length).toBeGreaterThan(20);
  });

  it.each(rows)("backs what it says here of: $point", ({ shown }) => {
    expect(missing(shown)).toEqual([]);
  });

  it("notices a line that nothing backs", () => {
    expect(missing("somebody said so")).toEqual(["no case and no test"]);
    expect(missing("[it](nowhere.test.ts)")).toEqual(["nowhere.test.ts is not there"]);
  });
});
