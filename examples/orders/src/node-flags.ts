/** How Node is asked to run the TypeScript of this example: not at all from 22.18 on, by a flag before. */
export const nodeFlags: readonly string[] = [
  "--disable-warning=ExperimentalWarning",
  ...(process.features.typescript ? [] : ["--experimental-strip-types"]),
];
