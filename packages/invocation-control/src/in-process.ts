// Provider

export type { ActionBinding, ActionFunctions, InProcessOptions } from "./in-process/provider.js";
export { inProcess } from "./in-process/provider.js";

// Actions

export type { AcceptedResult, ActionContext, ActionFunction, ActionResult } from "./in-process/action.js";
export { accepted, ok } from "./in-process/action.js";
export type { FailOptions } from "./in-process/failure.js";
export { ActionFailure, fail, isActionFailure } from "./in-process/failure.js";
export type { InspectResult, OperationFunctions } from "./in-process/operations.js";
export type { FunctionsOf } from "./in-process/typed.js";
export type { LogEntry } from "./log-entry.js";
