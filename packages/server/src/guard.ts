/**
 * What a request must be before anything of it is believed: addressed to this server (a name that a stranger's DNS turned
 * to a loopback address is refused), not sent by a page of another site, with a path that is UTF-8 text.
 * Spec: INV-http-guard.
 */
import { isIP } from "node:net";
import { SwlError } from "@swl/base";
import type { HeaderSource } from "./call.js";

export interface GuardOptions {
  /** True when the server listens on a loopback address only. */
  readonly loopback: boolean;
  /** Host names beside the loopback ones; given, they are needed off loopback too. */
  readonly allowedHosts: readonly string[];
  /** `https://console.example`: pages that may call this server from a browser. */
  readonly allowedOrigins: readonly string[];
}

/** Throws `server.host-refused`, `server.origin-refused`, `request.invalid`. */
export function guard(headers: HeaderSource, path: string, options: GuardOptions): void {
  const host = headers.get("host") ?? "";
  if (!hostAllowed(host, options)) {
    throw new SwlError(
      "server.host-refused",
      "The Host header names a host that this server does not answer for.",
      {
        hint: "add the name to allowedHosts if it is this server's",
      },
    );
  }
  const origin = headers.get("origin");
  if (origin !== null && !originAllowed(origin, host, options)) {
    throw new SwlError("server.origin-refused", "Pages of this origin may not call this server.", {
      hint: "add the origin to allowedOrigins if it is yours",
    });
  }
  checkPath(path);
}

export function isLoopback(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, "").toLowerCase();
  if (bare === "localhost" || bare === "::1") return true;
  const mapped = bare.startsWith("::ffff:") ? bare.slice(7) : bare;
  return isIP(mapped) === 4 && mapped.startsWith("127.");
}

function hostAllowed(host: string, { loopback, allowedHosts }: GuardOptions): boolean {
  const name = /^(\[[^\]]*\]|[^:]*)(?::\d{1,5})?$/.exec(host)?.[1]?.toLowerCase();
  if (name === undefined || name === "") return false;
  if (allowedHosts.some((allowed) => allowed.toLowerCase() === name)) return true;
  return isLoopback(name) || (!loopback && allowedHosts.length === 0);
}

function originAllowed(origin: string, host: string, { allowedOrigins }: GuardOptions): boolean {
  if (allowedOrigins.includes(origin)) return true;
  return origin === `http://${host}` || origin === `https://${host}`;
}

function checkPath(path: string): void {
  let text: string;
  try {
    text = decodeURIComponent(path);
  } catch {
    throw new SwlError("request.invalid", "The path is not UTF-8 text in percent-encoding.");
  }
  if (text.includes("\0")) throw new SwlError("request.invalid", "The path holds NUL.");
}
