// JSON

// Identity
export { canonicalize, contentDigest } from "./canonical.js";
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
export { defaultMaxBytes, defaultMaxDepth, hardMaxDepth } from "./limits.js";
export { nearest } from "./nearest.js";
export type { NumberDomain } from "./number-token.js";
export type { JsonDocument, ReadJsonOptions } from "./read-json.js";
export { pointerSegments, readJson } from "./read-json.js";
export { sha256 } from "./sha256.js";
// Text
export { excerpt, quoted } from "./text.js";
export type { ToJsonOptions } from "./to-json.js";
export { toJson } from "./to-json.js";
// Collections
export { TurnoverMap } from "./turnover-map.js";
