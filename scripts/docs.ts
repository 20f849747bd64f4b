/**
 * The docs check: codes and their pages are the same list, every code is said by some source, rules are unique and
 * well-formed and every mentioned rule exists, links lead somewhere, decision records have the template's headings.
 * Reads sources only: nothing need be built.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { codes } from "../packages/base/src/codes.ts";
import { parts, profiles } from "../packages/definition/src/registry.ts";
import { semanticAttributes } from "../packages/source-notation/src/dot/attributes.ts";
import { Checks } from "./lib/checks.ts";
import {
  brokenLinks,
  decisionComplaints,
  membersOf,
  pageComplaints,
  saidCodes,
  unsaidWords,
} from "./lib/docs-check.ts";
import { mentions, readRules } from "./lib/spec.ts";
import { filesBelow, root, shown, workspaces } from "./lib/workspace.ts";

const checks = new Checks("docs");
const read = (path: string) => readFileSync(path, "utf8");

const pages = filesBelow(join(root, "docs", "errors"), [".md"]).map((file) => file.slice(0, -".md".length));
const listed: ReadonlySet<string> = new Set(codes);
checks.check(
  "every page under docs/errors is about a code",
  pages
    .filter((page) => !listed.has(page) && page !== "README")
    .map((page) => `docs/errors/${page}.md: no such code`),
);

const sources = workspaces()
  .filter(({ folder }) => folder.startsWith("packages/") || folder === "conformance")
  .flatMap(({ path }) => filesBelow(join(path, "src"), [".ts"]).map((file) => join(path, "src", file)));
const said = saidCodes(sources.filter((path) => !path.endsWith("/base/src/codes.ts")).map(read));
for (const code of codes) {
  const page = join(root, "docs", "errors", `${code}.md`);
  const complaints = existsSync(page)
    ? pageComplaints(code, read(page))
    : [`docs/errors/${code}.md does not exist`];
  const unsaid = said.has(code)
    ? []
    : ["no source says it: drop it from packages/base/src/codes.ts or say it"];
  checks.check(`code ${code}`, [...complaints, ...unsaid]);
}

const spec = filesBelow(join(root, "docs", "spec"), [".md"]);
const { rules, complaints } = readRules(
  spec.map((file) => ({
    chapter: file.slice(0, -".md".length),
    text: read(join(root, "docs", "spec", file)),
  })),
);
checks.check("rules are unique and well-formed", complaints);
checks.check("there are rules", rules.size === 0 ? ["docs/spec has no rule"] : []);

// The kit's own tests plant rules that do not exist.
const tests = workspaces()
  .filter(({ folder }) => folder.startsWith("packages/"))
  .flatMap(({ path }) => filesBelow(join(path, "test"), [".ts"]).map((file) => join(path, "test", file)));
for (const path of [...sources, ...tests]) {
  const unknown = mentions(read(path)).filter(({ id }) => !rules.has(id));
  if (unknown.length === 0) continue;
  checks.check(
    `rules mentioned in ${shown(path)}`,
    unknown.map(({ id, line }) => `line ${line}: docs/spec has no ${id}`),
  );
}

/** Pages of the guide that list what a source declares: nothing may be missing there. */
const model = read(join(root, "packages", "definition", "src", "model.ts"));
const hostTypes = read(join(root, "packages", "durable-state", "src", "host-types.ts"));
const notBuilt = [...parts, ...profiles].filter(({ built }) => !built).map(({ name }) => name);
const settings = membersOf(model, [
  ...["Definition", "Dialects", "Limits", "Meta", "ActionContract", "RetryPolicy"],
  ...["ActivityNode", "AwaitSignalNode", "CompleteNode", "FailNode"],
]);
// The release is the compiler's.
const written = [...settings.filter((member) => member !== "swl"), ...Object.keys(semanticAttributes)];
const lists: readonly (readonly [string, readonly string[]])[] = [
  ["refused.md", notBuilt],
  ["host-options.md", membersOf(hostTypes, ["HostOptions"])],
  ["writing-workflows.md", written],
];
for (const [page, words] of lists) {
  const missing = unsaidWords(read(join(root, "docs", "guide", page)), words);
  checks.check(
    `docs/guide/${page} is whole`,
    missing.map((word) => `it does not say \`${word}\``),
  );
}

const documents = [
  ...["README", "ARCHITECTURE", "CONTRIBUTING", "SECURITY"].map((name) => `${name}.md`),
  ...filesBelow(join(root, "docs"), [".md"]).map((file) => `docs/${file}`),
  ...workspaces()
    .map(({ folder }) => `${folder}/README.md`)
    .filter((file) => existsSync(join(root, file))),
];
for (const file of documents) {
  const path = join(root, file);
  checks.check(
    `links of ${file}`,
    existsSync(path) ? brokenLinks(dirname(path), path, read(path)) : ["it does not exist"],
  );
}

const decisions = filesBelow(join(root, "docs", "decisions"), [".md"]);
const template = join(root, "docs", "decisions", "000-template.md");
checks.check(
  "there is a template for decisions",
  existsSync(template) ? [] : ["docs/decisions/000-template.md does not exist"],
);
for (const file of decisions.filter((name) => existsSync(template) && name !== "README.md")) {
  checks.check(
    `docs/decisions/${file}`,
    decisionComplaints(file, read(join(root, "docs", "decisions", file)), read(template)),
  );
}
checks.finish();
