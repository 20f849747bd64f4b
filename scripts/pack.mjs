// `npm run pack -- DIR`: installs, builds all packages and packs those that are published into DIR, as they would be
// published. `npm install DIR/*.tgz` in any project then installs them.
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { callersNode, engineNote } from "./lib/engine-note.mjs";
import { packInto } from "./lib/pack.mjs";
import { build, explain, install, localNode, root, Stop, step, workspaceFolders } from "./lib/toolchain.mjs";

const usage = "usage: npm run pack -- DIR\n";

/** The folder that was asked for, relative to where npm was called; ends with the usage when there is none. */
function askedFor(args) {
  if (args.includes("--help")) {
    process.stdout.write(`${usage}Builds all packages and packs them into DIR, for npm install DIR/*.tgz\n`);
    process.exit(0);
  }
  if (args.length === 1 && args[0] !== "" && !args[0].startsWith("-")) {
    return resolve(process.env.INIT_CWD ?? process.cwd(), args[0]);
  }
  process.stderr.write(usage);
  process.exit(2);
}

function published() {
  return workspaceFolders()
    .map((folder) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")))
    .filter((manifest) => manifest.private !== true)
    .map(({ name }) => name);
}

const into = askedFor(process.argv.slice(2));
try {
  const names = published();
  await install();
  await build();
  const { status, output } = await step("pack packages", () => packInto(names, into));
  if (status !== 0) {
    process.stderr.write(`\n${output}\n`);
    throw new Stop(
      "pack.failed",
      "pnpm could not pack (its output is above)",
      "fix what it says, then run the same command again",
    );
  }
  process.stdout.write(
    `\n${names.length} packages; in your own project:\n\n  npm install ${join(into, "*.tgz")}\n`,
  );
  const version = callersNode(process.env.npm_config_user_agent, process.versions.node);
  const note = engineNote(version, dirname(localNode()));
  if (note !== undefined) process.stdout.write(`\n${note}\n`);
} catch (error) {
  explain(error);
}
