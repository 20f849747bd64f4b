// Tokens

export type { CallbackGrant, CallbackKey } from "./tokens/callback-token.js";
export { maxTokenLength, signCallback, verifyCallback } from "./tokens/callback-token.js";
