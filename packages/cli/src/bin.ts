#!/usr/bin/env node
/**
 * The executable. It looks at the Node version before anything else is loaded, so that an old one gets a sentence
 * instead of a missing built-in.
 */
const oldest = [22, 13] as const;
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  const message = `this is Node ${process.versions.node}; swl needs Node ${oldest.join(".")} or newer`;
  const json = process.argv.includes("--json");
  const hint =
    "install a current Node, or give the project one of its own, which npx swl and npx node then use: npm install --save-dev node@24";
  const error = { code: "cli.runtime", docs: "docs/errors/cli.runtime.md", hint, message };
  if (json) process.stdout.write(`${JSON.stringify({ error })}\n`);
  else process.stderr.write(`error cli.runtime: ${message}\n  hint: ${hint}\n`);
  process.exitCode = 70;
} else {
  const { runProcess } = await import("./process.js");
  // Not awaited here: a module whose top level never settles could report nothing any more.
  void runProcess(process.argv.slice(2));
}

export {};
