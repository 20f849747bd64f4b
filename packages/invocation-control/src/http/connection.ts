/**
 * Connections that are made before a request is given to them: the name is resolved once, every address that it has is
 * judged, and a connection goes to an address that was judged, not to the name. While there is no connection, nothing
 * of a request can have left. Spec: INV-call-sent, INV-call-guard.
 */
import { lookup } from "node:dns/promises";
import * as http from "node:http";
import * as https from "node:https";
import { connect, isIP, type Socket } from "node:net";
import * as tls from "node:tls";
import { mayReach, type Range } from "./address.js";

/** Every address of a name. */
export type Lookup = (name: string) => Promise<readonly { readonly address: string }[]>;

export interface ConnectionOptions {
  readonly allowed: readonly Range[];
  /** Milliseconds for name, connection and TLS together. */
  readonly connectMs: number;
  readonly lookup: Lookup;
  /** PEM; default: what Node trusts. */
  readonly ca?: string;
}

/** Why a request did not leave. `errno`: as the system or TLS names it. */
export class NotConnected extends Error {
  readonly refused: boolean;
  readonly errno: string;

  constructor(errno: string, refused = false) {
    super(errno);
    this.errno = errno;
    this.refused = refused;
  }
}

export const systemLookup: Lookup = (name) => lookup(name, { all: true });

export interface Agents {
  readonly http: http.Agent;
  readonly https: https.Agent;
}

/** `keepAlive` keeps connections for later requests; without it every request has a fresh one. */
export function agentsOf(options: ConnectionOptions, keepAlive: boolean): Agents {
  const agents: Agents = {
    http: new http.Agent({ keepAlive, maxSockets: Number.POSITIVE_INFINITY }),
    https: new https.Agent({ keepAlive, maxSockets: Number.POSITIVE_INFINITY }),
  };
  agents.http.createConnection = creator(options, false);
  agents.https.createConnection = creator(options, true);
  return agents;
}

type Create = http.Agent["createConnection"];

function creator(options: ConnectionOptions, secure: boolean): Create {
  return (target, callback) => {
    const { host, port } = target as { readonly host?: string; readonly port?: number };
    const name = (host ?? "").replace(/^\[|\]$/g, "");
    open(name, Number(port), secure, options).then(
      (socket) => callback?.(null, socket),
      (error: unknown) => callback?.(asNotConnected(error), undefined as never),
    );
    return undefined;
  };
}

async function open(
  name: string,
  port: number,
  secure: boolean,
  options: ConnectionOptions,
): Promise<Socket> {
  const deadline = AbortSignal.timeout(options.connectMs);
  const addresses = await within(deadline, addressesOf(name, options));
  let last = new NotConnected("ENOTFOUND");
  for (const address of addresses) {
    try {
      return await connected(address, port, secure ? name : undefined, options.ca, deadline);
    } catch (error) {
      last = asNotConnected(error);
      if (deadline.aborted) break;
    }
  }
  throw last;
}

/** One address that may not be reached refuses the name: which one is taken is not for its server to say. */
async function addressesOf(
  name: string,
  { lookup: find, allowed }: ConnectionOptions,
): Promise<readonly string[]> {
  const found = isIP(name) > 0 ? [name] : (await find(name)).map(({ address }) => address);
  if (!found.every((address) => mayReach(address, allowed))) throw new NotConnected("EACCES", true);
  return found;
}

function connected(
  address: string,
  port: number,
  servername: string | undefined,
  ca: string | undefined,
  deadline: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const plain = { host: address, port };
    const named = servername !== undefined && isIP(servername) === 0 ? { servername } : {};
    const socket =
      servername === undefined
        ? connect(plain)
        : tls.connect({ ...plain, ...named, ALPNProtocols: ["http/1.1"], ...(ca !== undefined && { ca }) });
    const over = (): void => {
      deadline.removeEventListener("abort", late);
      socket.off("error", fail);
    };
    const fail = (error: Error): void => {
      over();
      // Whatever else it has to say is of no interest.
      socket.on("error", () => undefined);
      socket.destroy();
      reject(asNotConnected(error));
    };
    const late = (): void => fail(new NotConnected("ETIMEDOUT"));
    deadline.addEventListener("abort", late, { once: true });
    socket.once("error", fail);
    socket.once(servername === undefined ? "connect" : "secureConnect", () => {
      over();
      socket.setNoDelay(true);
      resolve(socket);
    });
  });
}

function within<T>(deadline: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(new NotConnected("ETIMEDOUT"));
    deadline.addEventListener("abort", late, { once: true });
    promise.then(resolve, reject).finally(() => deadline.removeEventListener("abort", late));
  });
}

/** By its code alone: messages hold names and addresses. */
export function asNotConnected(error: unknown): NotConnected {
  return error instanceof NotConnected ? error : new NotConnected(errnoOf(error));
}

export function errnoOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === "string" && /^[A-Z0-9_]{1,64}$/.test(code) ? code : "EUNKNOWN";
}
