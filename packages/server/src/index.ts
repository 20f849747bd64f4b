// Server

export type { App, AppOptions } from "./app.js";
export { createApp } from "./app.js";
export type { NodeBindings, ServerLogEntry } from "./call.js";
export type { ServerLimits, ServerOptions } from "./options.js";
export type { RateLimit } from "./rate.js";
export type { ServeOptions, Server } from "./serve.js";
export { serve } from "./serve.js";
export type { StreamLimits } from "./streams/streams.js";

// Access

export type { AccessHook, AccessToken, Principal } from "./access.js";
export { tokenDigest } from "./access.js";
export { tokensFrom } from "./token-text.js";

// Routes

export { openApi } from "./openapi.js";
export type { Operation, Route, Scope } from "./routes.js";
export { pathTo, routes, scopes } from "./routes.js";
