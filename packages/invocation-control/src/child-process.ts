// Provider

export type { ChildBinding } from "./child-process/binding.js";
export type { ChildProcessOptions } from "./child-process/provider.js";
export { childProcess, childProcessKind } from "./child-process/provider.js";
