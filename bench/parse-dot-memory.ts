/**
 * Peak memory of reading 100,000 edges: a process each that reads the graph once and keeps what it got, with nothing
 * else in it, and one that reads nothing. What counts are the megabytes below, not how many processes there are in a
 * second.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { dotGraph } from "./lib/dot-graphs.ts";
import type { ReaderName } from "./lib/dot-readers.ts";
import { type Bench, median, type Subject } from "./lib/harness.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const megabytes = new Map<string, number[]>();

/** The readers of lib/dot-readers.ts as source text: a process that strips types has used more memory than reading takes. */
const sources: Readonly<Record<ReaderName | "nothing", string>> = {
  "@swl/source-notation parseDot":
    'const { parseDot } = await import("@swl/source-notation"); const read = (text) => parseDot(text, { file: "g", maxBytes: 1e9 });',
  dotparser: 'const { default: read } = await import("dotparser");',
  "@ts-graphviz/ast parse":
    'const { parse } = await import("@ts-graphviz/ast"); const read = (text) => parse(text, { maxASTNodes: 1e9, maxInputSize: 1e9 });',
  "Graphviz-WASM acyclic":
    'const { Graphviz } = await import("@hpcc-js/wasm-graphviz"); const graphviz = await Graphviz.load(); const read = (text) => graphviz.acyclic(text);',
  "Graphviz-WASM nop":
    'const { Graphviz } = await import("@hpcc-js/wasm-graphviz"); const graphviz = await Graphviz.load(); const read = (text) => graphviz.nop(text);',
  nothing: "const read = (text) => text;",
};

function reading(name: string, load: string, text: string): Subject {
  const source = `import { readFileSync } from "node:fs"; ${load}
    const result = read(readFileSync(0, "utf8"));
    process.stdout.write(String(process.resourceUsage().maxRSS));
    if (result === undefined) process.exitCode = 1;`;
  return {
    name,
    unit: "process",
    run() {
      const output = execFileSync(process.execPath, ["--input-type=module", "-e", source], {
        cwd: folder,
        input: text,
        encoding: "utf8",
      });
      const figures = megabytes.get(name) ?? [];
      figures.push(Number(output) / 1_024);
      megabytes.set(name, figures);
      return 1;
    },
  };
}

export const parseDotMemory: Bench = {
  name: "parse-dot-memory",
  question: "processes a second that read 100,000 edges; their peak memory stands below",
  async open() {
    const text = dotGraph(100_000);
    const subjects = Object.entries(sources).map(([name, load]) => reading(name, load, text));
    const [first, second, ...rest] = subjects;
    return [first!, second!, ...rest];
  },
  notes() {
    return Object.keys(sources).map((name) => {
      const figures = megabytes.get(name) ?? [0];
      const range = `${Math.min(...figures).toFixed(0)} .. ${Math.max(...figures).toFixed(0)}`;
      return `${name}: peak ${median(figures).toFixed(0)} MB (${range})`;
    });
  },
};
