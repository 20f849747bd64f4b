/**
 * What a request must be before anything of it is believed: addressed to this server (a name that a stranger's DNS turned
 * to a loopback address is refused), not sent by a page of another site, with a path that is UTF-8 text.
 * Spec: INV-http-guard.
 */
import { isIP } from "node:net";
import { quoted, SwlError } from "@swl/base";
import type { HeaderSource } from "./call.js";
import type { Addressed } from "./wire.js";

export interface GuardOptions {
  /** True when the server listens on a loopback address only. */
  readonly loopback: boolean;
  /** Host names beside the loopback ones; given, they are needed off loopback too. */
  readonly allowedHosts: readonly string[];
  /** `https://console.example`: pages that may call this server from a browser. */
  readonly allowedOrigins: readonly string[];
}

/** Throws `server.host-refused`, `server.origin-refused`, `request.invalid`. */
export function guard(
  headers: HeaderSource,
  { hosts, target }: Addressed,
  path: string,
  options: GuardOptions,
): void {
  // Whoever stands between may have believed the other one.
  if (hosts.length > 1) throw new SwlError("request.invalid", "The request has more than one Host header.");
  const [host = ""] = hosts;
  if (!hostAllowed(host, options)) throw hostRefused("Host header");
  if (target !== undefined && !hostAllowed(target, options)) throw hostRefused("target");
  const origin = headers.get("origin");
  if (origin !== null && !originAllowed(origin, host, options)) {
    throw new SwlError("server.origin-refused", "Pages of this origin may not call this server.", {
      hint: "add the origin to allowedOrigins if it is yours",
    });
  }
  checkPath(path);
}

/** A name without scheme and port, as `Host` has it. Throws `server.option-invalid` for what no request could ever name. */
export function checkHostName(host: string): void {
  if (/^([a-z0-9_]([a-z0-9._-]*[a-z0-9_.])?|\[[0-9a-f:.]+\])$/i.test(host)) return;
  const message = `Option allowedHosts has ${quoted(host, 64)}, which is no host name.`;
  const hint =
    "write a name alone, as in swl.example or [fd00::1]: without scheme, port, path or *, in ASCII (xn--…)";
  throw new SwlError("server.option-invalid", message, { hint });
}

/** As a browser writes it. Throws `server.option-invalid`. */
export function checkOrigin(origin: string): void {
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/?#*\sA-Z]+$/.test(origin)) return;
  const message = `Option allowedOrigins has ${quoted(origin, 64)}, which is no origin.`;
  const hint = "write it as a browser does, as in https://console.example: in lower case, without path or *";
  throw new SwlError("server.option-invalid", message, { hint });
}

export function isLoopback(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, "").toLowerCase();
  if (bare === "localhost" || bare === "::1") return true;
  const mapped = bare.startsWith("::ffff:") ? bare.slice(7) : bare;
  return isIP(mapped) === 4 && mapped.startsWith("127.");
}

function hostRefused(where: string): SwlError {
  return new SwlError(
    "server.host-refused",
    `The ${where} names a host that this server does not answer for.`,
    { hint: "add the name to allowedHosts if it is this server's" },
  );
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
