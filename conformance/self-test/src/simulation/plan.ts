/**
 * What one seed does: how many hosts, which runs, what is sent to them, and which faults come at which call. Plain data,
 * so that a failing seed is made small by leaving parts of it out.
 */
import { Random } from "../differential/random.ts";
import {
  plainWorkflows,
  type Sort,
  type Surroundings,
  sortOf,
  surroundingsOf,
  workflowsOf,
} from "./sorts.ts";
import type { WorkflowName } from "./workflows.ts";

export interface Act {
  readonly kind: "cancel" | "signal" | "terminate" | "update";
  /** Request ID, and what a signal brings. */
  readonly name: string;
  /** Milliseconds after the start was acknowledged. */
  readonly at: number;
  /** How often it is sent, at random instants, through whoever answers. */
  readonly copies: number;
}

export interface PlannedRun {
  readonly workflow: WorkflowName;
  readonly at: number;
  /** Started where no host needs to be. */
  readonly unserved: boolean;
  /** Starts with one key. */
  readonly copies: number;
  readonly acts: readonly Act[];
}

/**
 * At a call of store or provider, counted from the beginning; `host` is meant where the caller is none.
 * `after`: once the call has been carried out, else before. Times in milliseconds.
 */
export interface Fault {
  readonly at: number;
  readonly kind: FaultKind;
  readonly after: boolean;
  readonly for: number;
  readonly host: number;
}

export const faultKinds = [
  "crash",
  "leave",
  "freeze",
  "lost-answer",
  "refused",
  "outage",
  "starved",
  "slow",
  "clock-jump",
  "deaf",
] as const;

export type FaultKind = (typeof faultKinds)[number];

export interface Plan extends Surroundings {
  readonly seed: number;
  readonly hosts: number;
  /** Attempts under way at once on a host; few: what follows waits in the store. */
  readonly slots: number;
  /** The first host does not serve this action; others do. */
  readonly lacking: string | undefined;
  readonly runs: readonly PlannedRun[];
  readonly faults: readonly Fault[];
}

export interface PlanOptions {
  /** Default: the seed's. */
  readonly sort?: Sort;
  readonly workflows?: readonly WorkflowName[];
  readonly kinds?: readonly FaultKind[];
  readonly faults?: number;
  readonly runs?: number;
  /** Nobody cancels, nothing is sent twice. */
  readonly quiet?: boolean;
  /** Milliseconds of every fault. */
  readonly lasts?: number;
}

export function planOf(seed: number, options: PlanOptions = {}): Plan {
  const random = new Random(seed);
  const { kinds = faultKinds, sort = options.workflows === undefined ? sortOf(seed) : "plain" } = options;
  // Numbers of their own: the same hosts, runs and faults whatever is around them.
  const around = new Random(seed, 3);
  const hosts = 2 + random.int(2);
  const runs = Array.from({ length: options.runs ?? 2 + random.int(3) }, () => {
    const workflows = options.workflows ?? workflowsOf(sort, around);
    return plannedRun(random, random.pick(workflows), options.quiet === true);
  });
  const faults: Fault[] = [];
  const most = options.faults ?? random.int(random.oneIn(4) ? 20 : 9);
  for (let at = 0; faults.length < most; ) {
    // Often soon after the one before: what recovers is hit while it does.
    at += 1 + random.int(random.oneIn(3) ? 12 : 60);
    const drawn = fault(random, at, random.pick(kinds), hosts);
    faults.push({ ...drawn, for: options.lasts ?? drawn.for });
  }
  const slots = random.oneIn(3) ? 1 + random.int(3) : 100;
  const lacking = random.oneIn(4) ? random.pick(["unsafe_charge", "work", "work_later"]) : undefined;
  const started = [...new Set(runs.map(({ workflow }) => workflow)), ...plainWorkflows.slice(0, 1)];
  return { seed, hosts, slots, lacking, runs, faults, ...surroundingsOf(sort, around, started) };
}

function plannedRun(random: Random, workflow: WorkflowName, quiet: boolean): PlannedRun {
  const acts: Act[] = [];
  const copies = (): number => (quiet || random.oneIn(2) ? 1 : 2 + random.int(2));
  if (workflow === "signal" || workflow === "fork" || workflow === "flawed") {
    acts.push({ kind: "signal", name: "signal", at: random.int(800), copies: copies() });
  }
  if (workflow === "buffered") {
    for (const name of ["one", "two", "three"])
      acts.push({ kind: "signal", name, at: random.int(600), copies: copies() });
  }
  if (workflow === "update")
    acts.push({ kind: "update", name: "update", at: random.int(800), copies: copies() });
  if (!quiet && random.oneIn(6)) {
    const kind = random.oneIn(4) ? "terminate" : "cancel";
    acts.push({ kind, name: kind, at: random.int(1_500), copies: copies() });
  }
  return { workflow, at: random.int(600), unserved: random.oneIn(4), copies: copies(), acts };
}

function fault(random: Random, at: number, kind: FaultKind, hosts: number): Fault {
  const after = random.oneIn(2);
  const host = random.int(hosts);
  const long = 2_500 + random.int(3_000);
  const lasts: { readonly [K in FaultKind]: () => number } = {
    crash: () => random.int(3_000),
    leave: () => random.int(1_500),
    freeze: () => (random.oneIn(4) ? random.int(1_500) : long),
    "lost-answer": () => 0,
    refused: () => 0,
    outage: () => random.int(1_500),
    starved: () => long,
    slow: () => 100 + random.int(4_000),
    // Further than a lease, or so little that nobody notices.
    "clock-jump": () => (random.oneIn(2) ? random.int(120_000) - 60_000 : random.int(3_000) - 1_500),
    deaf: () => random.int(5_000),
  };
  return { at, kind, after, for: lasts[kind](), host };
}

/** Which parts of a plan are kept; absent: all. */
export interface Kept {
  readonly runs?: readonly number[];
  readonly faults?: readonly number[];
  readonly sweeps?: readonly number[];
  readonly hosts?: number;
  readonly workers?: number;
  readonly operators?: number;
}

export function narrowed(plan: Plan, { runs, faults, sweeps, hosts, workers, operators }: Kept): Plan {
  const only = <T>(list: readonly T[], kept: readonly number[] | undefined): readonly T[] =>
    kept === undefined ? list : list.filter((_, index) => kept.includes(index));
  return {
    ...plan,
    hosts: hosts ?? plan.hosts,
    // A host that is alone serves everything.
    lacking: hosts === 1 ? undefined : plan.lacking,
    runs: only(plan.runs, runs),
    faults: only(plan.faults, faults),
    sweeps: only(plan.sweeps, sweeps),
    workers: workers ?? plan.workers,
    operators: operators ?? plan.operators,
  };
}
