import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** What repeats without end, and where it stands: in a graph, or alone. */
const repeated: readonly string[] = [
  "a;",
  "a -> b [on=c];\n",
  "a -> ",
  "a [k=v] ",
  "a [",
  "[",
  "]",
  "[]",
  "{",
  "}",
  "{}",
  "subgraph ",
  "subgraph s {",
  "digraph d {",
  "strict ",
  "node ",
  "node []",
  "a [k=v,\n",
  "a [k v=1, ",
  "a [k v=1]; ",
  "a > b;",
  "a > b ",
  "a > b\n",
  "a = ",
  "a = b ",
  "=",
  ";",
  ",",
  ":",
  "a:b:c ",
  "a:b -> ",
  "-> ",
  "-- a ",
  "-",
  "--",
  "->",
  '"a" + ',
  '"a"+"b" ',
  '"',
  '""',
  '"\\"',
  "\\",
  "<",
  "<a>",
  "<-",
  ">",
  "/",
  "/*",
  "/**/",
  "//\n",
  "//\r",
  "#\n",
  "# ",
  "1.",
  "1 ",
  "-.5",
  ".",
  "1a",
  "\u0000",
  "\u00a0",
  "é",
  "\u202e",
  "'",
  "\r",
  "\r\n",
  " ",
];

const contexts: readonly (readonly [string, (text: string) => string])[] = [
  ["in a graph", (text) => `digraph d { ${text}`],
  ["in a list", (text) => `digraph d { a [${text}] }`],
  ["in a string", (text) => `digraph d { a [label="${text}"] }`],
  ["alone", (text) => text],
];

type Asked = readonly ["parse" | "compile" | "edit" | "format", string];

/** How many steps each takes, one after the other in one process. */
function countSteps(asked: readonly Asked[]): readonly number[] {
  const counter = fileURLToPath(new URL("step-counter.mjs", import.meta.url));
  const flags = ["--no-opt", "--no-sparkplug", "--no-flush-bytecode"];
  const options = { input: JSON.stringify(asked), encoding: "utf8", maxBuffer: 1 << 26 } as const;
  return JSON.parse(execFileSync(process.execPath, [...flags, counter], options)) as number[];
}

const LENGTH = 6_000;
/** Blocks that may run for a character of any text. */
const STEPS_PER_CHARACTER = 60;
/** Findings of a file are listed up to a number, so that half a text may have a few of them less. */
const STEPS_FOR_FINDINGS = 20_000;

describe("reading costs steps in proportion to the text", () => {
  it("counts what it is asked to count", () => {
    const text = "digraph d { a; b; a -> b }";
    const [once = 0, again, longer = 0] = countSteps([
      ["parse", text],
      ["parse", text],
      ["parse", `${text} // and more`],
    ]);
    expect(once).toBeGreaterThan(100);
    expect(again).toBe(once);
    expect(longer).toBeGreaterThan(once);
  });

  for (const [where, within] of contexts) {
    it(`twice the text is twice the work at most, for anything that repeats ${where} [DOT-lexical]`, () => {
      const asked = repeated.flatMap((part): Asked[] => {
        const times = Math.floor(LENGTH / part.length);
        return [
          ["parse", within(part.repeat(times))],
          ["parse", within(part.repeat(2 * times))],
        ];
      });
      const counts = countSteps(asked);
      const wrong = repeated.filter((_, index) => {
        const [less = 0, more = 0] = counts.slice(2 * index, 2 * index + 2);
        return (
          more > 2.1 * less + STEPS_FOR_FINDINGS ||
          more > 2 * LENGTH * STEPS_PER_CHARACTER + STEPS_FOR_FINDINGS
        );
      });
      expect(wrong).toEqual([]);
    });
  }

  it("so does finding out what a graph means [DOT-compile]", () => {
    const chain = (nodes: number): Asked => {
      const ids = Array.from({ length: nodes }, (_, index) => `n${index}`);
      const last = `n${nodes - 1} [kind=complete];`;
      return ["compile", `digraph d { start=n0; ${ids.join(";")}; ${last} ${ids.join(" -> ")} }`];
    };
    const [less = 0, more = 0] = countSteps([chain(250), chain(500)]);
    expect(less).toBeGreaterThan(250);
    expect(more).toBeLessThan(2.1 * less);
  });

  it("so do laying out and editing, whatever stands between [DOT-format, DOT-edit]", () => {
    const parts = [
      "a [x_y=1] /* c */; // d\n",
      "a /* c */ [x_y=1\n]\n",
      "/* c */ ",
      "// c\n",
      "a [x_y=1 label=l]; ",
      "a; ",
      "\n",
      "/* c\n*/",
    ];
    const text = (part: string, times: number) =>
      `digraph d { start=a; a [x_y=1]; // c${" ".repeat(times)}d\n${part.repeat(times)} }`;
    const asked = parts.flatMap((part) =>
      (["edit", "format"] as const).flatMap((operation): Asked[] => [
        [operation, text(part, 200)],
        [operation, text(part, 400)],
      ]),
    );
    const counts = countSteps(asked);
    for (let index = 0; index < asked.length; index += 2) {
      const [less = 0, more = 0] = counts.slice(index, index + 2);
      expect(less, asked[index]?.[1].slice(0, 80)).toBeGreaterThan(200);
      expect(more, asked[index]?.[1].slice(0, 80)).toBeLessThan(2.2 * less);
    }
  });
});
