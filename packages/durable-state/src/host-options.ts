/** Options of a host, checked once and with every default written out. */
import { SwlError } from "@swl/base";
import type { BindingSet, Provider } from "@swl/invocation-control";
import type { Store } from "@swl/store-provider";
import { randomId } from "./clock.js";
import type { Bindings, HostOptions } from "./host-types.js";
import { checkHostForms, invalid } from "./option-forms.js";

export interface CheckedOptions
  extends Pick<HostOptions, "store" | "models" | "clock" | "holder" | "signal" | "retention" | "observe">,
    Required<
      Pick<
        HostOptions,
        | "lease"
        | "exclusive"
        | "waitForLease"
        | "poll"
        | "idlePoll"
        | "random"
        | "newId"
        | "grace"
        | "askFor"
        | "adoptEvidence"
        | "grants"
        | "log"
      >
    > {
  readonly bindings: readonly BindingSet[];
  readonly total: number;
  readonly actions: { readonly [action: string]: number };
  readonly providers: { readonly [provider: string]: number };
}

/** Throws `host.option-invalid` naming the option and its range. */
export function checkedOptions(options: HostOptions): CheckedOptions {
  checkHostForms(options);
  const actions = options.concurrency?.actions ?? {};
  for (const [action, limit] of Object.entries(actions))
    within(`concurrency.actions.${action}`, limit, 1, 1_000_000);
  const providers = options.concurrency?.providers ?? {};
  for (const [provider, limit] of Object.entries(providers))
    within(`concurrency.providers.${provider}`, limit, 1, 1_000_000);
  if (options.holder !== undefined && !/^[\x21-\x7e]{1,64}$/.test(options.holder)) {
    throw new SwlError("host.option-invalid", "Option holder is not 1..64 printable ASCII characters.");
  }
  if (options.models.length === 0) throw new SwlError("host.option-invalid", "Option models is empty.");
  if (options.waitForLease !== undefined && options.exclusive !== true) {
    throw new SwlError("host.option-invalid", "Option waitForLease goes with exclusive; others never wait.");
  }
  // Leases would go by one clock and waiting by another: right only where somebody moves both.
  if (options.store.info.capabilities.clock === "injected" && options.clock === undefined) {
    throw new SwlError(
      "host.option-invalid",
      "The store goes by a clock that it was given, which is for tests.",
      {
        hint: "open the store without a clock; in a test give the host a clock too (option clock)",
      },
    );
  }
  const poll = checkPoll(options.poll ?? 50);
  const { retention } = options;
  return {
    store: options.store,
    models: options.models,
    ...(options.clock !== undefined && { clock: options.clock }),
    ...(options.holder !== undefined && { holder: options.holder }),
    ...(options.signal !== undefined && { signal: options.signal }),
    ...(options.observe !== undefined && { observe: options.observe }),
    bindings: setsOf(options.bindings),
    grants: options.grants ?? [],
    lease: within("lease", options.lease ?? 10_000, 100, 3_600_000),
    exclusive: options.exclusive ?? false,
    waitForLease: within("waitForLease", options.waitForLease ?? 0, 0, 3_600_000),
    poll,
    idlePoll: within("idlePoll", options.idlePoll ?? idlePollOf(poll, options.store), poll, 60_000),
    ...(retention !== undefined && {
      retention: { closedRuns: within("retention.closedRuns", retention.closedRuns, 1, CENTURY) },
    }),
    random: chance(options.random ?? Math.random),
    newId: options.newId ?? randomId,
    grace: within("grace", options.grace ?? 2_000, 0, 3_600_000),
    askFor: within("askFor", options.askFor ?? 600_000, 0, 604_800_000),
    total: within("concurrency.total", options.concurrency?.total ?? 1_000, 1, 1_000_000),
    actions,
    providers,
    adoptEvidence: options.adoptEvidence ?? true,
    log: quiet(options.log),
  };
}

/** What it gives first is looked at, and used first. From then on what is out of range counts as 0: nothing waits for NaN. */
function chance(random: () => number): () => number {
  const inRange = (given: number): boolean => given >= 0 && given < 1;
  let first: number | undefined = random();
  if (typeof first !== "number" || !inRange(first)) {
    throw invalid(`random gives ${String(first)}; it must give numbers from 0 to 1, without 1`);
  }
  return () => {
    const given = first ?? random();
    first = undefined;
    return inRange(given) ? given : 0;
  };
}

/** Milliseconds. */
const CENTURY = 3_155_760_000_000;

/** Where no wake-up comes from other processes, looking is the only way to hear of what they did. */
function idlePollOf(poll: number, { info }: Store): number {
  const { wakeUps, multiProcess } = info.capabilities;
  const reached = wakeUps === "everywhere" || (wakeUps === "process" && !multiProcess);
  return Math.min(60_000, poll * (reached ? 20 : 4));
}

/** A log that throws or rejects is its own affair, never the host's. */
function quiet(log: HostOptions["log"]): CheckedOptions["log"] {
  return (entry) => {
    try {
      const logged: unknown = log?.(entry);
      if (logged instanceof Promise) logged.catch(() => undefined);
    } catch {
      // Nothing to tell it to.
    }
  };
}

/** Throws `host.option-invalid` for what is no name that nobody else has. */
export function checkName(made: unknown): string {
  if (typeof made === "string" && /^[\x21-\x7e]{20,128}$/.test(made)) return made;
  throw invalid("newId makes something else than names of 20 to 128 letters and digits");
}

/** Milliseconds that somebody waits, for ever too. Throws `host.option-invalid`. */
export function checkDrain(drain: number): number {
  if (typeof drain === "number" && drain >= 0) return drain;
  throw invalid(`drain is ${drain}; it must be a number from 0`);
}

/** Throws `host.option-invalid`. */
export function checkPoll(poll: number): number {
  return within("poll", poll, 1, 60_000);
}

function setsOf(bindings: Bindings): BindingSet[] {
  const given = (Array.isArray(bindings) ? bindings : [bindings]) as readonly (Provider | BindingSet)[];
  return given.map((one) => ("provider" in one ? one : { provider: one }));
}

/** Throws `host.option-invalid`. */
export function within(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new SwlError(
    "host.option-invalid",
    `Option ${name} is ${typeof value === "number" ? value : typeof value}; it must be a whole number from ${least} to ${most}.`,
  );
}
