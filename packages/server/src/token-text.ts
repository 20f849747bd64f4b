/**
 * Tokens as an environment variable holds them: `id:scope+scope:secret`, several apart by white space. The secret is the
 * token itself, or `sha256=` and its digest. Nothing of it is ever printed.
 */
import { SwlError } from "@swl/base";
import { type AccessToken, Tokens, tokenDigest } from "./access.js";
import type { Scope } from "./routes.js";

const SHORTEST = 16;

/** Throws `server.option-invalid`, saying which one by its place and never what is in it. */
export function tokensFrom(text: string): readonly AccessToken[] {
  const parts = text.split(/\s+/).filter((part) => part !== "");
  const tokens = parts.map((part, index) => {
    const [id, scopes, ...rest] = part.split(":");
    const secret = rest.join(":");
    if (id === undefined || id === "" || scopes === undefined || secret === "") {
      throw wrong(index, "must be id:scope+scope:secret");
    }
    const digest = /^sha256=([0-9a-fA-F]{64})$/.exec(secret)?.[1];
    if (digest === undefined && secret.length < SHORTEST) {
      throw wrong(index, `has a secret of fewer than ${SHORTEST} characters`);
    }
    return { id, sha256: digest ?? tokenDigest(secret), scopes: scopes.split("+") as readonly Scope[] };
  });
  // Checked here, so that a misspelt scope is told before anything listens.
  new Tokens(tokens);
  return tokens;
}

function wrong(index: number, what: string): SwlError {
  const hint =
    "tokens are written id:scope+scope:secret, several apart by white space; swl reads them from SWL_TOKENS";
  return new SwlError("server.option-invalid", `Token ${index + 1} ${what}.`, { hint });
}
