// What whoever packs with an older Node than the packages need is told: npm would say it once for each package, as
// EBADENGINE, and `swl` would refuse to run.

const needed = [22, 13];

/**
 * The version of the Node that npm itself runs on, as npm says it (`npm_config_user_agent`): a script of a clone that
 * is installed runs on the clone's own, which says nothing of what another project would get. `own` where npm is silent.
 */
export function callersNode(agent, own) {
  return / node\/v(\d+\.\d+\.\d+)/.exec(` ${agent ?? ""}`)?.[1] ?? own;
}

/** Undefined where this Node will do. `folder`: where a newer one lies. */
export function engineNote(version, folder) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > needed[0] || (major === needed[0] && minor >= needed[1])) return undefined;
  return [
    `The packages need Node ${needed.join(".")} or newer, and this is Node ${version}: npm would warn of it (EBADENGINE), and`,
    "swl would not run. Use a current Node in your project, or give it one of its own (npm install --save-dev node@24);",
    "to try, the one of this clone:",
    "",
    `  export PATH="${folder}:$PATH"`,
  ].join("\n");
}
