import { existsSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Options } from "tsup";

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

/** How every package turns `src` into `dist`: ESM, one file per entry, shared chunks split out. Declarations come from tsc. */
export function library(options: {
  readonly entries: readonly string[];
  /** Entries that another configuration of the package writes to the same `dist`. */
  readonly beside?: readonly string[];
}): Options {
  const beside = (options.beside ?? []).flatMap((entry) => {
    const file = entry.replace(/^src/, "dist").replace(/\.ts$/, ".js");
    return [file, `${file}.map`];
  });
  return {
    entry: [...options.entries],
    format: ["esm"],
    target: "node22",
    platform: "neutral",
    splitting: true,
    sourcemap: true,
    // tsup would empty `dist` with what tsc knows of it, and leave nothing there while it builds.
    clean: false,
    plugins: [
      {
        name: "clean",
        buildEnd: ({ writtenFiles }) => clean([...writtenFiles.map(({ name }) => name), ...beside]),
      },
    ],
    dts: false,
    external: [/^node:/],
    // "node:sqlite" has no name without the prefix.
    removeNodeProtocol: false,
  };
}

/**
 * Entries that others import stay whole: they import the entry, as a file beside them, where the bundler would move
 * what is in it into a chunk. Whoever loads such an entry alone loads one file less. All outputs are in one folder.
 */
export function wholeEntries(entries: readonly string[]): Plugin {
  const files = new Set(entries.map((entry) => resolve(entry)));
  return {
    name: "whole-entries",
    setup(build) {
      build.onResolve({ filter: /^\.\.?\// }, ({ importer, path }) => {
        const file = resolve(dirname(importer), path).replace(/\.js$/, ".ts");
        const imported = importer !== "" && files.has(file);
        return imported ? { path: `./${basename(file, ".ts")}.js`, external: true } : undefined;
      });
    },
  };
}

/** Takes from `dist` what this build did not write: code of earlier builds, and declarations of sources that are gone. */
function clean(written: readonly string[]): void {
  const fresh = new Set(written.map((file) => resolve(file)));
  if (fresh.size === 0 || !existsSync("dist")) return;
  for (const file of readdirSync("dist", { recursive: true, encoding: "utf8" })) {
    const source = /^(.*)\.d\.ts(?:\.map)?$/.exec(file)?.[1];
    const stale =
      source === undefined
        ? /\.js(?:\.map)?$/.test(file) && !fresh.has(resolve("dist", file))
        : !existsSync(join("src", `${source}.ts`));
    if (stale) rmSync(join("dist", file), { force: true });
  }
}
