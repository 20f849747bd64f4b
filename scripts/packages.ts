/**
 * The packages check: one skeleton for all, exports one by one with their files, pinned export lists, README, claims,
 * and what publint and attw say about each tarball as it would be published.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validateClaims } from "../packages/definition/dist/claims.js";
import { Checks } from "./lib/checks.ts";
import { noticeComplaints } from "./lib/notices.ts";
import { packAll } from "./lib/pack.ts";
import {
  claimsComplaints,
  exportComplaints,
  folderComplaints,
  manifestComplaints,
  readmeComplaints,
} from "./lib/skeleton.ts";
import { publintComplaints, typesComplaints } from "./lib/tarball.ts";
import { readJson, type Workspace, workspaces } from "./lib/workspace.ts";

const checks = new Checks("packages");
const published = workspaces().filter(({ manifest }) => manifest.private !== true);
const packages = published.filter(({ folder }) => folder.startsWith("packages/"));

function registryComplaints({ path }: Workspace): readonly string[] {
  const file = join(path, "claims.json");
  if (!existsSync(file)) return [];
  const { findings } = validateClaims(readJson(file));
  return findings.map(({ code, message, pointer }) => `${pointer} ${code}: ${message}`);
}

for (const workspace of packages) {
  const name = workspace.folder;
  checks.check(`${name}/package.json`, manifestComplaints(workspace));
  checks.check(`${name} exports`, exportComplaints(workspace));
  checks.check(`${name} files`, folderComplaints(workspace));
  checks.check(`${name}/README.md`, readmeComplaints(workspace));
  checks.check(`${name} notices`, noticeComplaints(workspace));
}
for (const workspace of published) {
  const complaints = [...claimsComplaints(workspace), ...registryComplaints(workspace)];
  checks.check(`${workspace.folder}/claims.json`, complaints);
}

const into = mkdtempSync(join(tmpdir(), "swl-packages-"));
try {
  const tarballs = await packAll(published, into);
  for (const { folder, manifest } of published) {
    const tarball = tarballs.get(manifest.name);
    checks.check(`${folder} packs`, tarball === undefined ? ["pnpm pack left no tarball"] : []);
    if (tarball === undefined) continue;
    checks.check(`${folder} publint`, await publintComplaints(tarball));
    checks.check(`${folder} types`, await typesComplaints(tarball));
  }
} finally {
  rmSync(into, { recursive: true, force: true });
}
checks.finish();
