// Running

// Exit codes
export type { ExitCode, ExitName } from "./exit-codes.js";
export { exit, exitMeanings, exitOf } from "./exit-codes.js";
export type { Io } from "./io.js";
export { processIo } from "./io.js";
export { main } from "./main.js";
