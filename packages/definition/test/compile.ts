/** What the compiler says of pieces of TypeScript: one run of `tsc` for all of them, as an editor would show it. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import current from "typescript/package.json" with { type: "json" };
import before from "typescript-5/package.json" with { type: "json" };

const here = import.meta.dirname;

/** For each source its errors: the code that it stands at, and the message without what follows it on further lines. */
export function errorsOf(
  sources: readonly string[],
  compiler: Compiler = "typescript",
): readonly (readonly CompileError[])[] {
  const folder = mkdtempSync(join(here, ".compiled-"));
  try {
    sources.forEach((source, index) => {
      writeFileSync(join(folder, `source-${index}.ts`), source);
    });
    const settings = {
      extends: "../../../../tsconfig.base.json",
      compilerOptions: {
        noEmit: true,
        noUnusedLocals: false,
        paths: {
          "@swl/definition": ["../../src/index.ts"],
          "@swl/invocation-control/in-process": ["../../../invocation-control/src/in-process.ts"],
        },
      },
      files: sources.map((_, index) => `source-${index}.ts`),
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
    const run = spawnSync(process.execPath, [tsc(compiler), "-p", folder, "--pretty", "false"], {
      cwd: folder,
      encoding: "utf8",
    });
    const elsewhere = run.stdout
      .split("\n")
      .filter((line) => /^[^(\s]/.test(line) && !/^source-\d+\.ts\(/.test(line));
    if (elsewhere.length > 0 || run.error) throw new Error(`tsc says ${elsewhere.join("; ")}`);
    return sources.map((source, index) => errorsIn(run.stdout, `source-${index}.ts`, source));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface CompileError {
  readonly at: string;
  readonly message: string;
}

function errorsIn(output: string, file: string, source: string): readonly CompileError[] {
  const found: CompileError[] = [];
  const lines = source.split("\n");
  for (const line of output.split("\n")) {
    const [, name, row, column, message] = /^(\S+)\((\d+),(\d+)\): error TS\d+: (.*)$/.exec(line) ?? [];
    if (name !== file || message === undefined) continue;
    const rest = lines[Number(row) - 1]?.slice(Number(column) - 1) ?? "";
    found.push({ at: /^(?:"[^"]*"|\w+)/.exec(rest)?.[0] ?? "", message });
  }
  return found;
}

/** The current compiler, and the one before it. */
export const compilers = { typescript: current.version, "typescript-5": before.version };
export type Compiler = keyof typeof compilers;

/** The compiler, to be run with Node. */
export function tsc(compiler: Compiler = "typescript"): string {
  const manifest = createRequire(import.meta.url).resolve(`${compiler}/package.json`);
  return join(dirname(manifest), "bin", "tsc");
}
