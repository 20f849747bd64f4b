/**
 * `swl serve`: a host and the control plane over HTTP on one store, until it is told to stop. The first interrupt drains,
 * the second one leaves at once. Tokens and keys come from the environment, never from the command line, which others can
 * read.
 */
import { isSwlError, SwlError } from "@swl/base";
import { createControl, createRemoteWork, type Host } from "@swl/durable-state";
import { core } from "@swl/execution";
import type { Authorize, BindingSet, ControlService, RemoteWork } from "@swl/invocation-control";
import type { CallbackKey } from "@swl/invocation-control/tokens";
import { type Server, serve as serveHttp, tokensFrom } from "@swl/server";
import type { Store } from "@swl/store-provider";
import { type ExitCode, exit } from "../exit-codes.js";
import { type HostCommandOptions, openHost } from "../lib/host-options.js";
import type { Interrupts } from "../lib/interrupts.js";
import { leaving, logLine, say, stopped, withOpened } from "../lib/serving.js";
import type { Session } from "../lib/session.js";
import { storePlace } from "../lib/store.js";
import { oneLine } from "../lib/visible.js";

export interface ServeCommandOptions extends HostCommandOptions {
  readonly listen: string;
  /** Further host names that requests may be addressed to. */
  readonly allowHost?: readonly string[];
  readonly drain?: number;
}

/** With `--json` one line an event: `ready`, `log`, `draining`, `stopped`. */
export async function serve(session: Session, options: ServeCommandOptions): Promise<ExitCode> {
  const address = addressOf(options.listen);
  const { io } = session;
  const tokens = tokensFrom(io.env["SWL_TOKENS"] ?? "");
  const callbackKeys = keysFrom(io.env["SWL_CALLBACK_KEYS"] ?? "");
  return withOpened(session, options, async (opened) => {
    const { bindings, store, interrupts } = opened;
    // The address is had first: whoever is refused there has begun nothing of what waits in the store.
    let control: ControlService = createControl({ store, models: [core] });
    const work = remoteWork(session, store, bindings);
    const server = await listening(() =>
      serveHttp({
        ...address,
        control: following(() => control),
        work,
        hints: store,
        tokens,
        callbackKeys,
        allowedHosts: options.allowHost ?? [],
        log: ({ level, code, message }) =>
          logLine(session, { level, message: code === undefined ? message : `${code}: ${message}` }),
      }),
    );
    const host = await hosting(server, () => openHost(opened, options, (entry) => logLine(session, entry)));
    if (host === undefined) return stopped(session, interrupts);
    control = host.control;
    return await until(session, options, { host, work, server, interrupts });
  });
}

interface Parts {
  readonly host: Host;
  readonly work: RemoteWork;
  readonly server: Server;
  readonly interrupts: Interrupts;
}

async function until(
  session: Session,
  options: ServeCommandOptions,
  { host, work, server, interrupts }: Parts,
): Promise<ExitCode> {
  const place = storePlace(session, options);
  const draining = options.drain === undefined ? {} : { drain: options.drain };
  const left = leaving(interrupts, place, async () => {
    say(session, { event: "draining" }, "draining; interrupt again to leave at once");
    work.close();
    await server.close(draining);
    await host.close(draining);
  });
  if (!interrupts.asked.aborted) {
    const ready = { event: "ready", holder: host.holder, store: place.shown, url: server.url };
    say(session, ready, `serving ${oneLine(place.shown)} as ${host.holder} on ${server.url}`);
  }
  try {
    const code = await left;
    if (code === exit.ok) say(session, { event: "stopped" }, "stopped");
    return code;
  } catch (error) {
    work.close();
    await server.close({ drain: 0 });
    await host.close({ drain: 0 });
    throw error;
  }
}

async function listening(listen: () => Promise<Server>): Promise<Server> {
  try {
    return await listen();
  } catch (error) {
    throw withListen(error);
  }
}

/** What can serve no runs leaves no server behind. */
async function hosting(server: Server, open: () => Promise<Host | undefined>): Promise<Host | undefined> {
  let host: Host | undefined;
  try {
    host = await open();
    return host;
  } finally {
    if (host === undefined) await server.close({ drain: 0 });
  }
}

/** The service that there is at the time of each call: the store's alone until there is a host. */
function following(current: () => ControlService): ControlService {
  return new Proxy(current(), {
    get: (_, name) => {
      if (name === "as") return (may: Authorize) => following(limited(current, may));
      const service = current();
      const member: unknown = Reflect.get(service, name);
      return typeof member === "function" ? member.bind(service) : member;
    },
  });
}

/** Made once for each service, not for each call. */
function limited(current: () => ControlService, may: Authorize): () => ControlService {
  let whole: ControlService | undefined;
  let part: ControlService | undefined;
  return () => {
    if (part !== undefined && whole === current()) return part;
    whole = current();
    part = whole.as(may);
    return part;
  };
}

/** What the server has against the address, with what to type instead. */
function withListen(error: unknown): unknown {
  if (!isSwlError(error)) return error;
  const { code, message, cause } = error;
  const hint = {
    "server.address-in-use":
      "another port with --listen HOST:PORT; port 0 takes any that is free, and the line that says serving has it",
    "server.open-address": "give it SWL_TOKENS, or listen on a loopback address",
  }[code as string];
  return hint === undefined ? error : new SwlError(code, message, { hint, cause });
}

function remoteWork(session: Session, store: Store, bindings: readonly BindingSet[]): RemoteWork {
  const providers = bindings.filter(({ provider }) => provider.remote).map(({ provider }) => provider.id);
  const log = (entry: Parameters<typeof logLine>[1]): void => logLine(session, entry);
  return createRemoteWork({ store, models: [core], log, ...(providers.length > 0 && { providers }) });
}

/** `HOST:PORT`, `:PORT` or `PORT`; an IPv6 address stands in brackets. Throws `cli.usage`. */
function addressOf(listen: string): { readonly host: string; readonly port: number } {
  const parts = /^(?:(\[[0-9A-Fa-f:.]+\]|[^:[\]\s]*):)?(\d{1,5})$/.exec(listen);
  const port = Number(parts?.[2]);
  if (parts === null || port > 65_535) {
    throw new SwlError("cli.usage", `--listen ${JSON.stringify(listen.slice(0, 80))} is no HOST:PORT`, {
      hint: "as in --listen 127.0.0.1:4777; a port alone is one of 127.0.0.1, port 0 any that is free",
    });
  }
  const host = (parts[1] ?? "").replace(/^\[|\]$/g, "");
  return { host: host === "" ? "127.0.0.1" : host, port };
}

/** `id:secret`, several apart by white space, the newest first. Whether they are usable is said before anything listens. */
function keysFrom(text: string): readonly CallbackKey[] {
  const parts = text.split(/\s+/).filter((part) => part !== "");
  return parts.map((part, index) => {
    const [, id, secret] = /^([A-Za-z0-9_-]{1,32}):(.{32,})$/s.exec(part) ?? [];
    if (id !== undefined && secret !== undefined) return { id, secret };
    const message = `key ${index + 1} of SWL_CALLBACK_KEYS must be id:secret, with a secret of 32 characters at least`;
    throw new SwlError("cli.usage", message);
  });
}
