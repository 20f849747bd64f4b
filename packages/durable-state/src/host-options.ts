/** Options of a host, checked once and with every default written out. */
import { SwlError } from "@swl/base";
import type { BindingSet, Provider } from "@swl/invocation-control";
import type { Bindings, HostOptions } from "./host-types.js";

export interface CheckedOptions
  extends Pick<HostOptions, "store" | "models" | "clock" | "holder">,
    Required<
      Pick<HostOptions, "lease" | "waitForLease" | "poll" | "grace" | "adoptEvidence" | "grants" | "log">
    > {
  readonly bindings: readonly BindingSet[];
  readonly total: number;
  readonly actions: { readonly [action: string]: number };
}

/** Throws `host.option-invalid` naming the option and its range. */
export function checkedOptions(options: HostOptions): CheckedOptions {
  const actions = options.concurrency?.actions ?? {};
  for (const [action, limit] of Object.entries(actions))
    within(`concurrency.actions.${action}`, limit, 1, 1_000_000);
  if (options.holder !== undefined && !/^[\x21-\x7e]{1,64}$/.test(options.holder)) {
    throw new SwlError("host.option-invalid", "Option holder is not 1..64 printable ASCII characters.");
  }
  if (options.models.length === 0) throw new SwlError("host.option-invalid", "Option models is empty.");
  return {
    store: options.store,
    models: options.models,
    ...(options.clock !== undefined && { clock: options.clock }),
    ...(options.holder !== undefined && { holder: options.holder }),
    bindings: setsOf(options.bindings),
    grants: options.grants ?? [],
    lease: within("lease", options.lease ?? 10_000, 100, 3_600_000),
    waitForLease: within("waitForLease", options.waitForLease ?? 0, 0, 3_600_000),
    poll: within("poll", options.poll ?? 50, 1, 60_000),
    grace: within("grace", options.grace ?? 2_000, 0, 3_600_000),
    total: within("concurrency.total", options.concurrency?.total ?? 1_000, 1, 1_000_000),
    actions,
    adoptEvidence: options.adoptEvidence ?? true,
    log: quiet(options.log),
  };
}

/** A log that throws is its own affair, never the host's. */
function quiet(log: HostOptions["log"]): CheckedOptions["log"] {
  return (entry) => {
    try {
      log?.(entry);
    } catch {
      // Nothing to tell it to.
    }
  };
}

function setsOf(bindings: Bindings): BindingSet[] {
  const given = (Array.isArray(bindings) ? bindings : [bindings]) as readonly (Provider | BindingSet)[];
  return given.map((one) => ("provider" in one ? one : { provider: one }));
}

function within(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new SwlError(
    "host.option-invalid",
    `Option ${name} is ${value}; it must be a whole number from ${least} to ${most}.`,
  );
}
