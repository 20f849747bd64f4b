/** The page of the guide about the builder: its examples compile, and the errors that it shows are those of the compiler. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { errorsOf } from "./compile.js";

const page = readFileSync(join(import.meta.dirname, "../../../docs/guide/typed-builder.md"), "utf8");
const blocks = [...page.matchAll(/^```(ts|text)\n(.*?)^```$/gms)].map(([, kind, text = ""]) => ({
  kind,
  text,
}));
const [whole = "", elsewhere = ""] = blocks.filter(({ kind }) => kind === "ts").map(({ text }) => text);

/** A node of the whole workflow in place of the one with its name. */
function withNode(node: string): string {
  const [name] = node.split(":", 1);
  const indented = node.replace(/^(?=.)/gm, "    ");
  const before = new RegExp(
    `(?<=\\n  nodes: \\{\\n(?:.*\\n)*)    ${name}: \\{(?:.*\\},\\n|\\n(?:      .*\\n)*    \\},\\n)`,
  );
  expect(whole).toMatch(before);
  return whole.replace(before, () => indented);
}

/** Each example, with the text right after it. */
const shown = blocks.flatMap(({ kind, text }, index) =>
  kind === "text" ? [{ node: blocks[index - 1]?.text ?? "", says: text.trimEnd() }] : [],
);

describe("the guide to the builder", () => {
  const [first, second, ...found] = errorsOf([
    whole,
    `${elsewhere.replace('import { order } from "./order.js";', 'import { order } from "./source-0.js";')}`,
    ...shown.map(({ node }) => withNode(node)),
  ]);

  it("shows code that compiles", () => {
    expect([first, second]).toEqual([[], []]);
  });

  it("shows code that runs", () => {
    const program = `${whole}\nprocess.stdout.write(order.id);`;
    const run = spawnSync(process.execPath, ["--input-type=module-typescript", "--eval", program], {
      cwd: import.meta.dirname,
      encoding: "utf8",
    });
    expect([run.stdout, run.stderr]).toEqual(["order", ""]);
  });

  it("shows errors, and there are some", () => {
    expect(shown.length).toBeGreaterThan(9);
  });

  it.each(shown.map(({ node, says }, index) => ({ node: node.split("\n", 1)[0], says, index })))(
    "shows what the compiler says: $says",
    ({ says, index }) => {
      const messages = found[index]?.map(({ message }) => message) ?? [];
      expect(messages).toHaveLength(1);
      if (says.endsWith("…")) expect(messages[0]?.slice(0, says.length - 1)).toBe(says.slice(0, -1));
      else expect(messages[0]).toBe(says);
    },
  );
});
