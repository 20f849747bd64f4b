/** The options of a host that `swl run` and `swl worker` share. */
import type { HostOptions } from "@swl/durable-state";

export interface HostCommandOptions {
  readonly store?: string;
  readonly lease?: number;
  readonly waitForLease?: number;
  readonly concurrency?: { readonly [action: string]: number };
}

export function hostOptions(
  options: HostCommandOptions,
): Pick<HostOptions, "lease" | "waitForLease" | "concurrency"> {
  const { lease, waitForLease, concurrency } = options;
  return {
    ...(lease !== undefined && { lease }),
    ...(waitForLease !== undefined && { waitForLease }),
    ...(concurrency !== undefined && { concurrency: { actions: concurrency } }),
  };
}
