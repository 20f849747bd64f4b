/**
 * The one shape of a package: package.json field by field, what lies beside it, its README, its claims. Complaints say
 * what to change. There is no exemption list: what a package may do differently is written here for all.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { examplesOf } from "./markdown.ts";
import { notices } from "./notices.ts";
import { readJson, type Workspace } from "./workspace.ts";

/** Documents for other programs, which stand in `schema`. */
const published = /(?:\.schema|\/openapi)\.json$/;

/** Fields in their order; those with `?` may be absent. */
const order = [
  "name",
  "version",
  "description",
  "license",
  "type",
  "sideEffects",
  "repository",
  "engines",
  "bin?",
  "exports",
  "files",
  "scripts",
  "dependencies?",
  "devDependencies",
  "peerDependencies?",
  "peerDependenciesMeta?",
  "publishConfig",
];

const home = "git+https://github.com/spore-workflow/swl-typescript.git";

export function manifestComplaints({ folder, path, manifest }: Workspace): readonly string[] {
  const part = folder.split("/").at(-1)!;
  const schemas = Object.keys(manifest.exports ?? {}).some((entry) => published.test(entry));
  const suites = Object.keys(manifest.exports ?? {}).some((entry) => entry.startsWith("./suites/"));
  const expected: { readonly [field: string]: unknown } = {
    name: `@swl/${part}`,
    license: "Apache-2.0",
    type: "module",
    sideEffects: false,
    repository: { type: "git", url: home, directory: folder },
    engines: { node: ">=22.13" },
    files: [
      "dist",
      ...(schemas ? ["schema"] : []),
      "src",
      ...(suites ? ["suites"] : []),
      "claims.json",
      ...(existsSync(join(path, notices)) ? [notices] : []),
    ],
    publishConfig: { access: "public", provenance: true },
  };
  const complaints: string[] = [];
  const fields = Object.keys(manifest);
  const wanted = order.map((field) => field.replace("?", ""));
  const sorted = wanted.filter((field) => fields.includes(field));
  for (const field of order) {
    if (!field.endsWith("?") && !fields.includes(field)) complaints.push(`${field} is missing`);
  }
  for (const field of fields) {
    if (!wanted.includes(field)) complaints.push(`${field} is not in the skeleton`);
  }
  if (complaints.length === 0 && fields.join() !== sorted.join()) {
    complaints.push(`fields are not in the order ${sorted.join(", ")}`);
  }
  const actual = manifest as unknown as { readonly [field: string]: unknown };
  for (const [field, value] of Object.entries(expected)) {
    if (JSON.stringify(actual[field]) !== JSON.stringify(value)) {
      complaints.push(`${field} is ${JSON.stringify(actual[field])}, not ${JSON.stringify(value)}`);
    }
  }
  if (!/^\d+\.\d+\.\d+/.test(manifest.version ?? "")) complaints.push("version is not a version");
  return [...complaints, ...scriptComplaints(manifest.scripts ?? {}), ...dependencyComplaints(manifest)];
}

function scriptComplaints(scripts: { readonly [name: string]: string }): readonly string[] {
  const complaints: string[] = [];
  if (Object.keys(scripts).join() !== "build,types,test")
    complaints.push("scripts are not build, types, test");
  // A generator may run before; what makes `dist` is the same everywhere.
  if (!/^(\S.* && )?tsup && tsc -p tsconfig\.build\.json$/.test(scripts["build"] ?? "")) {
    complaints.push("scripts.build does not end with: tsup && tsc -p tsconfig.build.json");
  }
  if (scripts["types"] !== "tsc -p tsconfig.json")
    complaints.push("scripts.types is not: tsc -p tsconfig.json");
  if (scripts["test"] !== "node ../../scripts/run-vitest.mjs") {
    complaints.push("scripts.test is not: node ../../scripts/run-vitest.mjs");
  }
  return complaints;
}

function dependencyComplaints(manifest: Workspace["manifest"]): readonly string[] {
  const complaints: string[] = [];
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
    const wanted = name.startsWith("@swl/") ? /^workspace:[\^*]$/ : /^catalog:$/;
    if (!wanted.test(version))
      complaints.push(`${name} is ${version}: versions come from the workspace or the catalog`);
  }
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    if (name.startsWith("@swl/") && manifest.dependencies?.[name] !== "workspace:^") {
      complaints.push(`${name} as a dependency is workspace:^`);
    }
  }
  return complaints;
}

/** Exports are listed one by one, types first, and each has its files after the build. */
export function exportComplaints({ path, manifest }: Workspace): readonly string[] {
  const complaints: string[] = [];
  const entries = Object.entries(manifest.exports ?? {});
  for (const required of [".", "./claims.json", "./package.json"]) {
    if (!entries.some(([entry]) => entry === required)) complaints.push(`${required} is not exported`);
  }
  for (const [entry, target] of entries) {
    if (entry.includes("*") || entry.startsWith("./internal")) complaints.push(`${entry} is no public entry`);
    const named = entry === "." ? "index" : entry.slice(2);
    const data = published.test(entry) ? `./schema/${named}` : entry;
    const expected = entry.endsWith(".json")
      ? data
      : { types: `./dist/${named}.d.ts`, default: `./dist/${named}.js` };
    if (JSON.stringify(target) !== JSON.stringify(expected)) {
      complaints.push(`${entry} is ${JSON.stringify(target)}, not ${JSON.stringify(expected)}`);
    }
    const files = typeof target === "string" ? [target] : [target.types, target.default];
    complaints.push(...missing(path, files));
  }
  return [...complaints, ...missing(path, Object.values(manifest.bin ?? {}))];
}

function missing(path: string, files: readonly (string | undefined)[]): readonly string[] {
  return files
    .filter((file) => file !== undefined)
    .filter((file) => !existsSync(join(path, file)))
    .map((file) => `${file} does not exist (is it built?)`);
}

/** Configuration and the pinned export list. */
export function folderComplaints({ path, manifest }: Workspace): readonly string[] {
  const files = ["tsconfig.json", "tsconfig.build.json", "tsup.config.ts", "vitest.config.ts"];
  const complaints = [...missing(path, [...files, "test/exports.test.ts"])];
  const pinned = join(path, "test", "exports.test.ts");
  if (existsSync(pinned)) {
    const text = readFileSync(pinned, "utf8");
    for (const entry of Object.keys(manifest.exports ?? {})) {
      if (entry.endsWith(".json")) continue;
      const source = entry === "." ? "index" : entry.slice(2);
      if (!text.includes(`../src/${source}.js`))
        complaints.push(`test/exports.test.ts does not pin ${entry}`);
    }
  }
  return complaints;
}

/** Name, sentence, chapter, what it is for, install, an example with its output, claims. */
export function readmeComplaints({ path, manifest }: Workspace): readonly string[] {
  const file = join(path, "README.md");
  if (!existsSync(file)) return ["README.md does not exist"];
  const text = readFileSync(file, "utf8");
  const demands: readonly (readonly [RegExp, string])[] = [
    [
      new RegExp(`^# ${manifest.name}\\n\\n\\S`),
      `it does not begin with "# ${manifest.name}" and a sentence`,
    ],
    [/docs\/spec\/[a-z-]+\.md/, "it does not link to its chapter under docs/spec"],
    [/\buse\b/i, "it does not say when to use something else"],
    [new RegExp(`npm install.* ${manifest.name}\\b`), `it does not say npm install ${manifest.name}`],
    [/claims\.json/, "it does not link to claims.json"],
  ];
  const complaints = [
    ...demands.filter(([pattern]) => !pattern.test(text)).map(([, complaint]) => complaint),
    ...nodeComplaints(text, manifest.engines?.node),
  ];
  const languages = manifest.bin === undefined ? ["ts"] : ["ts", "sh"];
  return examplesOf(text, languages).length > 0
    ? complaints
    : [...complaints, `it has no example (${languages.join(" or ")}) followed directly by its output (text)`];
}

/** The Node that a README asks for is the one that the manifest asks for. */
function nodeComplaints(text: string, engine = ""): readonly string[] {
  return [...text.matchAll(/^Node (\d+(?:\.\d+)*) or newer/gm)]
    .filter(([, version]) => `>=${version}` !== engine)
    .map(([said]) => `it says "${said}", package.json says ${engine}`);
}

/** Claims that say the same as the package they are in. */
export function claimsComplaints({ folder, path, manifest }: Workspace): readonly string[] {
  const file = join(path, "claims.json");
  if (!existsSync(file)) return ["claims.json does not exist"];
  const claims = readJson(file) as {
    readonly part?: unknown;
    readonly package?: unknown;
    readonly version?: unknown;
    readonly suites?: { readonly [suite: string]: { readonly list?: unknown } };
  };
  const complaints: string[] = [];
  for (const [suite, { list }] of Object.entries(claims.suites ?? {})) {
    if (manifest.exports?.[String(list)] === undefined)
      complaints.push(`the list of suite ${suite} is not exported`);
  }
  const part = folder.split("/").at(-1);
  if (claims.part !== part) complaints.push(`part is ${JSON.stringify(claims.part)}, not "${part}"`);
  if (claims.package !== manifest.name)
    complaints.push(`package is ${JSON.stringify(claims.package)}, not "${manifest.name}"`);
  if (claims.version !== manifest.version) {
    complaints.push(`version is ${JSON.stringify(claims.version)}, package.json says "${manifest.version}"`);
  }
  return complaints;
}
