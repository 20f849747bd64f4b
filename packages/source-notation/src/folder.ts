// Source folders on disk
export type { Compiled, CompileOptions } from "./compile/compile.js";
export type { Sources } from "./compile/sources.js";
export { compileFolder, readSourceFolder } from "./disk/folder.js";
