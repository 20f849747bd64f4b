// JSON

// Errors
export type { Code } from "./codes.js";
export { codes, isCode } from "./codes.js";
// Diagnostics
export type { Diagnostic, Outcome, Place, Severity } from "./diagnostic.js";
export { formatDiagnostic, pointerTo } from "./diagnostic.js";
export type { SwlErrorOptions } from "./error.js";
export { docsPage, isSwlError, raise, SwlError } from "./error.js";
export type { Json, JsonArray, JsonObject, JsonPrimitive } from "./json.js";
export { isJsonObject, own, setOwn } from "./json.js";
