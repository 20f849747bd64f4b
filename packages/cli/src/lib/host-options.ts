/** The options of a host that `swl run` and `swl worker` share, and the host that they make. */
import { isSwlError, nearest, SwlError } from "@swl/base";
import { createHost, type Host, type HostLogEntry, type HostOptions } from "@swl/durable-state";
import { core } from "@swl/execution";
import type { BindingSet } from "@swl/invocation-control";
import type { Store } from "@swl/store-provider";
import { namesOf, serves } from "./bindings.js";
import { type Interrupts, unlessAborted } from "./interrupts.js";

export interface HostParts {
  readonly store: Store;
  readonly bindings: readonly BindingSet[];
  readonly interrupts: Interrupts;
}

export interface HostCommandOptions {
  /** Files of bindings. */
  readonly bindings: readonly string[];
  readonly store?: string;
  readonly lease?: number;
  /** Only while no other host serves the store. */
  readonly exclusive?: boolean;
  readonly waitForLease?: number;
  /** Milliseconds after its end when a run is removed. */
  readonly retention?: number;
  readonly concurrency?: { readonly [action: string]: number };
  /** Capabilities that the bindings are granted. */
  readonly grant?: readonly string[];
}

/**
 * A limit of an action that nobody serves, or waiting for what nobody asked for, is a typing mistake: `cli.usage`,
 * before there is a store.
 */
export function checkHostOptions(options: HostCommandOptions, bindings: readonly BindingSet[]): void {
  if (options.waitForLease !== undefined && options.exclusive !== true) {
    throw new SwlError("cli.usage", "--wait-for-lease goes with --exclusive", {
      hint: "hosts share a store, so that there is nothing to wait for",
    });
  }
  for (const action of Object.keys(options.concurrency ?? {})) {
    if (bindings.some((set) => serves(set, action))) continue;
    const near = nearest(action, bindings.flatMap(namesOf));
    throw new SwlError("cli.usage", `--concurrency: the bindings have no action ${action}`, {
      ...(near !== undefined && { hint: `did you mean ${near}?` }),
    });
  }
}

/**
 * Undefined when it is interrupted before it is open. Throws `store.host-active` with what the command line has against
 * it.
 */
export async function openHost(
  { store, bindings, interrupts }: HostParts,
  options: HostCommandOptions,
  log: (entry: HostLogEntry) => void,
): Promise<Host | undefined> {
  const { asked, insisted } = interrupts;
  try {
    const opening = createHost({
      ...{ store, models: [core], bindings, log, signal: asked },
      ...hostOptions(options),
    });
    return await unlessAborted(insisted, opening, (late) => late.close({ drain: 0 }));
  } catch (cause) {
    if (isSwlError(cause) && cause.code === "host.stopped" && asked.aborted) return undefined;
    if (!isSwlError(cause) || cause.code !== "store.host-active") throw cause;
    const { until } = cause.details ?? {};
    const left = typeof until === "number" ? until - Date.now() : 0;
    const wait = Math.ceil(Math.max(options.lease ?? 10_000, left) / 1_000) * 1_000;
    throw new SwlError("store.host-active", cause.message, {
      ...(cause.details !== undefined && { details: cause.details }),
      hint: `stop the other host, or leave out --exclusive; the lease of one that died ends by itself: --wait-for-lease ${wait} waits for that`,
      cause,
    });
  }
}

function hostOptions(
  options: HostCommandOptions,
): Pick<HostOptions, "lease" | "exclusive" | "waitForLease" | "retention" | "concurrency" | "grants"> {
  const { lease, exclusive, waitForLease, retention, concurrency, grant = [] } = options;
  return {
    grants: grant,
    ...(exclusive !== undefined && { exclusive }),
    ...(retention !== undefined && { retention: { closedRuns: retention } }),
    ...(lease !== undefined && { lease }),
    ...(waitForLease !== undefined && { waitForLease }),
    ...(concurrency !== undefined && { concurrency: { actions: concurrency } }),
  };
}
