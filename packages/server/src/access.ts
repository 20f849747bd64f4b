/**
 * Who asks and what they may: bearer tokens with scopes. Tokens are known by their SHA-256 alone and compared in a time
 * that does not depend on which one fits. Spec: INV-http-access.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { nearest, quoted, SwlError } from "@swl/base";
import type { Access, Authorize, ChangingOperation } from "@swl/invocation-control";
import { type Scope, scopes } from "./routes.js";

export interface AccessToken {
  /** For logs, rate limits and the names of workers; never secret. 1..64 printable ASCII characters without `/`. */
  readonly id: string;
  /** Of the token's UTF-8 bytes, 64 hex digits; `swl serve` and `tokenDigest` make it. */
  readonly sha256: string;
  readonly scopes: readonly Scope[];
  /** Milliseconds since the epoch from which it is refused. */
  readonly expires?: number;
}

/** Whoever asks. */
export interface Principal {
  readonly id: string;
  readonly scopes: ReadonlySet<Scope>;
}

/** Asked beside the scopes: false is refused as `request.unauthorized`. */
export type AccessHook = (principal: Principal, access: Access) => boolean | Promise<boolean>;

/** A server on a loopback address that was given no tokens: the machine's users are trusted. */
export const anonymous: Principal = { id: "anonymous", scopes: new Set(scopes) };

export function tokenDigest(token: string): string {
  return createHash("sha256").update(token, "utf8").digest("hex");
}

export class Tokens {
  readonly #known: readonly {
    readonly digest: Buffer;
    readonly principal: Principal;
    readonly expires: number;
  }[];

  /** Throws `server.option-invalid`, never with a digest in its message. */
  constructor(tokens: readonly AccessToken[]) {
    this.#known = tokens.map(({ id, sha256, scopes: given, expires }) => {
      // A worker is named BEARER/NAME: with a slash in the bearer's id one could take the name of another's worker.
      if (!/^[\x21-\x2e\x30-\x7e]{1,64}$/.test(id))
        throw invalid("a token's id must be 1 to 64 printable ASCII characters without /");
      if (!/^[0-9a-f]{64}$/i.test(sha256)) throw invalid(`sha256 of token ${id} must be 64 hex digits`);
      for (const scope of given) checkScope(scope, id);
      return {
        digest: Buffer.from(sha256, "hex"),
        principal: { id, scopes: new Set(given) },
        expires: expires ?? Number.POSITIVE_INFINITY,
      };
    });
    checkSecrets(tokens);
  }

  get none(): boolean {
    return this.#known.length === 0;
  }

  /** Throws `server.unauthenticated`, the same for a token that is missing, unknown or expired. */
  principalOf(authorization: string | undefined, now: number): Principal {
    const given = /^Bearer ([\x21-\x7e]{1,4096})$/i.exec(authorization ?? "")?.[1];
    const digest = createHash("sha256")
      .update(given ?? "")
      .digest();
    let found: Principal | undefined;
    // Every digest is compared, whichever fits.
    for (const { digest: known, principal, expires } of this.#known) {
      if (timingSafeEqual(known, digest) && given !== undefined && now < expires) found = principal;
    }
    if (found !== undefined) return found;
    throw new SwlError("server.unauthenticated", "The request needs a bearer token that this server knows.");
  }
}

/** Throws `request.unauthorized`. */
export function requireScope(principal: Principal, scope: Scope): void {
  if (principal.scopes.has(scope)) return;
  throw new SwlError("request.unauthorized", `This needs the scope ${scope}.`, { details: { scope } });
}

/** The control service's question, answered by the scopes and the hook. */
export function authorizeFor(principal: Principal, hook: AccessHook | undefined): Authorize {
  return (access) => {
    if (!principal.scopes.has(scopeOf(access))) return false;
    if (access.reveal && !principal.scopes.has("operate")) return false;
    return hook === undefined ? true : hook(principal, access);
  };
}

const changing: { readonly [operation in ChangingOperation]: Scope } = {
  publish: "operate",
  start: "start",
  signal: "signal",
  update: "signal",
  complete: "signal",
  resolve: "operate",
  cancel: "operate",
  terminate: "operate",
  redrive: "operate",
  release: "operate",
};

function scopeOf({ operation }: Access): Scope {
  return Object.hasOwn(changing, operation) ? changing[operation as ChangingOperation] : "read";
}

/** Of two tokens with one secret nobody could say whose the request is. */
function checkSecrets(tokens: readonly AccessToken[]): void {
  const holders = new Map<string, string>();
  for (const { id, sha256 } of tokens) {
    const digest = sha256.toLowerCase();
    const other = holders.get(digest);
    if (other !== undefined)
      throw invalid(`tokens ${quoted(other, 64)} and ${quoted(id, 64)} have one secret`);
    holders.set(digest, id);
  }
}

function checkScope(scope: string, token: string): void {
  if ((scopes as readonly string[]).includes(scope)) return;
  const near = nearest(scope, scopes);
  const hint = near === undefined ? `scopes are ${scopes.join(", ")}` : `did you mean ${near}?`;
  throw invalid(
    `token ${token} names the scope ${JSON.stringify(scope.slice(0, 64))}, which there is not; ${hint}`,
  );
}

function invalid(message: string): SwlError {
  return new SwlError("server.option-invalid", message);
}
