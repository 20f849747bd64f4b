import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const home = join(import.meta.dirname, "..");

/** Every file and package that a built file reaches, with what `from` finds in it. */
function reached(file: string, from: RegExp, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(from)) {
    if (!specifier.startsWith(".")) seen.add(specifier);
    else {
      const target = join(dirname(file), specifier);
      reached(file.endsWith(".d.ts") ? target.replace(/\.js$/, ".d.ts") : target, from, seen);
    }
  }
  return seen;
}

const imports = /(?:from|import)\s*\(?\s*"([^"]+)"/g;
const entries = ["index", "model", "mappings", "schema", "identity", "inspect", "claims"];
const bundled = (entry: string) =>
  [...reached(join(home, "dist", `${entry}.js`), imports)]
    .filter((file) => file.endsWith(".js"))
    .some((file) => readFileSync(file, "utf8").includes("ZodMiniType"));

describe("the built entries", () => {
  it("hold zod where definitions or claims are validated, and nowhere else", () => {
    expect(entries.filter(bundled)).toEqual(["index", "claims"]);
  });

  it("need no zod installed, neither to run nor for their types, except ./zod", () => {
    const needs = (entry: string, end: string) =>
      [...reached(join(home, "dist", `${entry}${end}`), imports)].some((name) => /^zod\b/.test(name));
    for (const end of [".js", ".d.ts"]) {
      expect(entries.filter((entry) => needs(entry, end))).toEqual([]);
      expect(needs("zod", end)).toBe(true);
    }
  });

  it("need nothing from the registry, and the small ones not even base", () => {
    const outside = (entry: string, end: string) =>
      [...reached(join(home, "dist", `${entry}${end}`), imports)].filter((name) => /^[@a-z]/.test(name));
    for (const entry of entries) {
      for (const end of [".js", ".d.ts"]) {
        expect(outside(entry, end).filter((name) => name !== "@swl/base")).toEqual([]);
      }
    }
    for (const entry of ["model", "mappings", "durations", "logic", "identity"]) {
      expect(outside(entry, ".js")).toEqual([]);
    }
  });

  it("make no code at run time, and do not try to, nor change the zod of others", () => {
    const program = `
      let tried = 0;
      globalThis.Function = new Proxy(Function, {
        construct() { tried++; throw new EvalError("no"); },
        apply() { tried++; throw new EvalError("no"); },
      });
      const { validate } = await import(process.argv[1]);
      const definition = {
        swl: "0.1", id: "a", requires: ["core"], dialects: { numbers: "binary64", expressions: "minimal" },
        start: "a", nodes: { a: { kind: "complete" } },
      };
      const right = validate(definition).ok;
      const wrong = validate({ ...definition, limits: { maxActivations: 0 } }).ok;
      const config = JSON.stringify(globalThis.__zod_globalConfig ?? {});
      process.stdout.write(JSON.stringify({ right, wrong, tried, config }));
    `;
    const run = spawnSync(
      process.execPath,
      [
        "--disallow-code-generation-from-strings",
        "--input-type=module",
        "--eval",
        program,
        join(home, "dist/index.js"),
      ],
      { encoding: "utf8" },
    );
    expect(run.stderr).toBe("");
    expect(JSON.parse(run.stdout)).toEqual({ right: true, wrong: false, tried: 0, config: "{}" });
  });
});
