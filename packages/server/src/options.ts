/** Options of a server, checked once and with every default written out. */
import { SwlError } from "@swl/base";
import type { ControlService, RemoteWork } from "@swl/invocation-control";
import type { CallbackKey } from "@swl/invocation-control/tokens";
import type { Store } from "@swl/store-provider";
import type { AccessHook, AccessToken } from "./access.js";
import type { ServerLogEntry } from "./call.js";
import { checkHostName, checkOrigin } from "./guard.js";
import type { RateLimit } from "./rate.js";
import type { StreamLimits } from "./streams/streams.js";

export interface ServerOptions {
  readonly control: ControlService;
  /** Absent: no work is handed out. */
  readonly work?: RemoteWork;
  /** The store, for its hints alone: event streams then look sooner. */
  readonly hints?: Pick<Store, "watch">;
  /** Keys of callback tokens, the newest first. Absent: every callback is refused. */
  readonly callbackKeys?: readonly CallbackKey[];
  /** Absent or empty: nobody has to say who they are, which is allowed on loopback addresses only. */
  readonly tokens?: readonly AccessToken[];
  /** Asked beside the scopes, for each operation and run. */
  readonly authorize?: AccessHook;
  /** Host names beside the loopback ones that requests may be addressed to. */
  readonly allowedHosts?: readonly string[];
  /** Origins of pages that may call this server from a browser. Default: its own. */
  readonly allowedOrigins?: readonly string[];
  readonly limits?: ServerLimits;
  readonly log?: (entry: ServerLogEntry) => void;
}

export interface ServerLimits {
  /** Bytes of a body; default 1 MiB. */
  readonly bodyBytes?: number;
  /** Of each bearer, or address where nobody says who they are; default 10,000 a second, burst 20,000. */
  readonly rate?: RateLimit;
  /** Requests of one address that are refused for their token or callback token; default 5 a second, burst 50. */
  readonly failures?: RateLimit;
  readonly streams?: Partial<StreamLimits>;
}

export interface CheckedOptions extends Omit<ServerOptions, "limits"> {
  readonly tokens: readonly AccessToken[];
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly callbackKeys: readonly CallbackKey[];
  readonly limits: Required<Omit<ServerLimits, "streams">> & { readonly streams: StreamLimits };
  readonly log: (entry: ServerLogEntry) => void;
}

/** Throws `server.option-invalid` naming the option and its range. */
export function checkedOptions(options: ServerOptions): CheckedOptions {
  const { limits = {}, log } = options;
  const { streams = {} } = limits;
  options.allowedHosts?.forEach(checkHostName);
  options.allowedOrigins?.forEach(checkOrigin);
  return {
    ...options,
    tokens: options.tokens ?? [],
    allowedHosts: options.allowedHosts ?? [],
    allowedOrigins: options.allowedOrigins ?? [],
    callbackKeys: options.callbackKeys ?? [],
    limits: {
      bodyBytes: within("limits.bodyBytes", limits.bodyBytes ?? 1_048_576, 1_024, 268_435_456),
      rate: rate("limits.rate", limits.rate ?? { perSecond: 10_000, burst: 20_000 }),
      failures: rate("limits.failures", limits.failures ?? { perSecond: 5, burst: 50 }),
      streams: {
        total: within("limits.streams.total", streams.total ?? 1_000, 0, 1_000_000),
        each: within("limits.streams.each", streams.each ?? 100, 0, 1_000_000),
        heartbeat: within("limits.streams.heartbeat", streams.heartbeat ?? 15_000, 10, 3_600_000),
        poll: within("limits.streams.poll", streams.poll ?? 1_000, 10, 3_600_000),
      },
    },
    log: (entry) => {
      try {
        log?.(entry);
      } catch {
        // A log that throws is its own affair.
      }
    },
  };
}

export function within(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new SwlError(
    "server.option-invalid",
    `Option ${name} is ${value}; it must be a whole number from ${least} to ${most}.`,
  );
}

function rate(name: string, { perSecond, burst }: RateLimit): RateLimit {
  within(`${name}.perSecond`, perSecond, 1, 1_000_000_000);
  within(`${name}.burst`, burst, 1, 1_000_000_000);
  return { perSecond, burst };
}
