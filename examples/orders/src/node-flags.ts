/** How Node is asked to run the TypeScript of this example: not at all from 22.18 and 23.6 on, by a flag before. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const asked = (major === 22 && minor < 18) || (major === 23 && minor < 6);

export const nodeFlags: readonly string[] = [
  "--disable-warning=ExperimentalWarning",
  ...(asked ? ["--experimental-strip-types"] : []),
];
