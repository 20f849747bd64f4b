/** The options of a host that `swl run` and `swl worker` share. */
import type { HostOptions } from "@swl/durable-state";

export interface HostCommandOptions {
  readonly store?: string;
  readonly lease?: number;
  readonly waitForLease?: number;
  readonly concurrency?: { readonly [action: string]: number };
  /** Capabilities that the bindings are granted. */
  readonly grant?: readonly string[];
}

export function hostOptions(
  options: HostCommandOptions,
): Pick<HostOptions, "lease" | "waitForLease" | "concurrency" | "grants"> {
  const { lease, waitForLease, concurrency, grant = [] } = options;
  return {
    grants: grant,
    ...(lease !== undefined && { lease }),
    ...(waitForLease !== undefined && { waitForLease }),
    ...(concurrency !== undefined && { concurrency: { actions: concurrency } }),
  };
}
