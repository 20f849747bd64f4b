/**
 * Code of others that the build puts into `dist` travels with its licence: every package that a source map names has a
 * heading in THIRD-PARTY-NOTICES.md, which is published, and nothing that is no longer in there has one.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readJson, type Workspace } from "./workspace.ts";

export const notices = "THIRD-PARTY-NOTICES.md";

export function noticeComplaints({ path, manifest }: Workspace): readonly string[] {
  const file = join(path, notices);
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const named = [...text.matchAll(/^## (\S+)$/gm)].map(([, name]) => name!);
  const bundled = bundledInto(join(path, "dist"));
  const installed = { ...manifest.dependencies };
  return [
    ...bundled.filter((name) => !named.includes(name)).map((name) => `${notices} does not name ${name}`),
    ...named.filter((name) => !bundled.includes(name)).map((name) => `${notices}: ${name} is not in dist`),
    ...bundled.filter((name) => name in installed).map((name) => `${name} is in dist and a dependency`),
  ];
}

/** Packages from the registry whose code is in built files, by the source maps of these. */
function bundledInto(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const maps = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".js.map"),
  );
  const sources = maps.flatMap(
    (file) => (readJson(join(folder, file)) as { readonly sources: readonly string[] }).sources,
  );
  const packages = sources.map((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1]);
  return [...new Set(packages.filter((name) => name !== undefined))].sort();
}
