// Provider

export type { HttpBinding, InspectBinding } from "./http/binding.js";
export type { Lookup } from "./http/connection.js";
export type { HttpOptions } from "./http/provider.js";
export { http, httpKind } from "./http/provider.js";
