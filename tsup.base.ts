import type { Options } from "tsup";

/** How every package turns `src` into `dist`: ESM, one file per entry, shared chunks split out. Declarations come from tsc. */
export function library(options: { readonly entries: readonly string[] }): Options {
  return {
    entry: [...options.entries],
    format: ["esm"],
    target: "node22",
    platform: "neutral",
    splitting: true,
    sourcemap: true,
    clean: false,
    dts: false,
    external: [/^node:/],
    // "node:sqlite" has no name without the prefix.
    removeNodeProtocol: false,
  };
}
