// Cases

export { writeGoldens } from "./goldens.js";
export type { ReadCasesOptions } from "./read-cases.js";
export { bundledCases, readCases } from "./read-cases.js";

// Rules

export { rulesOfProject } from "../rules/project.js";
export type { Rule } from "../rules/read-rules.js";
export { readRules } from "../rules/read-rules.js";
export type { ShownRule, ShownSources } from "../rules/shown.js";
export { rulesShown } from "../rules/shown.js";
