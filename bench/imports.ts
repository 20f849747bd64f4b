/**
 * Cold imports: a new process for every measurement, which imports one entry and says how long that took. Ours are
 * the entries for parts that execute, that check data, and the whole of `@swl/definition` and `@swl/source-notation`;
 * what they are compared with is the import of a built-in module that every process has loaded already.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Bench, median, type Subject } from "./lib/harness.ts";

const times = new Map<string, number[]>();
const folder = fileURLToPath(new URL(".", import.meta.url));

function imported(name: string, entries: readonly string[], processes: number): Subject {
  const loads = entries.map((entry) => `await import(${JSON.stringify(entry)});`).join(" ");
  const source = `const began = performance.now(); ${loads} process.stdout.write(String(performance.now() - began));`;
  return {
    name,
    unit: "import",
    run() {
      for (let index = 0; index < processes; index++) {
        const output = execFileSync(process.execPath, ["--input-type=module", "-e", source], {
          cwd: folder,
          encoding: "utf8",
        });
        const figures = times.get(name) ?? [];
        figures.push(Number(output));
        times.set(name, figures);
      }
      return processes;
    },
  };
}

const entries: readonly (readonly [name: string, ...entries: string[]])[] = [
  ["definition, the whole", "@swl/definition"],
  ["node:path alone", "node:path"],
  ["definition/model + /mappings", "@swl/definition/model", "@swl/definition/mappings"],
  ["definition/schema", "@swl/definition/schema"],
  ["source-notation, the whole", "@swl/source-notation"],
  ["execution, checks of schemas with it", "@swl/execution"],
];

export const imports: Bench = {
  name: "imports",
  question: "processes per second that import an entry; the times of the imports alone stand below",
  async open({ quick }) {
    const [first, second, ...rest] = entries.map(([name, ...list]) => imported(name, list, quick ? 2 : 3));
    return [first!, second!, ...rest];
  },
  notes() {
    return entries.map(([name]) => {
      const figures = times.get(name) ?? [];
      const least = Math.min(...figures).toFixed(1);
      return `${name}: median ${median(figures).toFixed(1)} ms, least ${least} ms (${figures.length} processes)`;
    });
  },
};
