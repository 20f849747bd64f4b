// Programs

export type { KitProgram, ProgramHarness } from "./program-checks.js";
export { programChecks } from "./program-checks.js";

// Servers

export type { BoundServer, ServerHarness } from "./server-checks.js";
export { serverChecks } from "./server-checks.js";

// Operations

export type { AskedFunctions, AskedHarness } from "./asked-checks.js";
export { askedChecks } from "./asked-checks.js";

// Bindings and tokens

export type { BindingsHarness, KitGrant, TokenHarness } from "./binding-checks.js";
export { bindingChecks, tokenChecks } from "./binding-checks.js";

// What they have in common

export type { SubjectCheck } from "./subject.js";
