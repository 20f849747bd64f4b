/**
 * The boundaries check: arrows between rooms (imports and package.json agree with lib/arrows.ts, nothing undeclared,
 * nothing unused), purity by reading (lib/purity.ts) and by running (every pure entry is loaded by a Node that refuses
 * code from strings and built-in modules), and proof that the check itself catches what it must.
 */
import { parts } from "../packages/definition/dist/claims.js";
import { checkArrows, checkRegistry, inspect } from "./lib/arrow-check.ts";
import { rooms } from "./lib/arrows.ts";
import { Checks } from "./lib/checks.ts";
import { innocent, plantedViolations } from "./lib/planted.ts";
import { provePure } from "./lib/pure-load.ts";
import { workspaces } from "./lib/workspace.ts";

const checks = new Checks("boundaries");
const all = workspaces();

for (const workspace of all) {
  checks.check(`arrows of ${workspace.folder}`, checkArrows(workspace));
}
checks.check("every package folder is a part of the registry", checkRegistry(all, parts));
for (const workspace of all) {
  for (const entry of rooms[workspace.folder]?.pureEntries ?? []) {
    checks.check(`${workspace.manifest.name} ${entry} loads pure`, provePure(workspace, entry));
  }
}
for (const { name, caught } of plantedViolations()) {
  checks.check(`catches ${name}`, caught ? [] : ["a planted violation was not caught"]);
}
checks.check(
  "lets innocent code pass",
  inspect(innocent).map((complaint) => `found ${complaint}`),
);
checks.finish();
