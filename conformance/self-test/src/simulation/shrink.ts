/** A failing seed with as few faults, runs and processes as still fail in the same way. */
import type { Sabotage } from "./fleet.ts";
import { type Kept, narrowed, type Plan } from "./plan.ts";
import { simulate, type Verdict } from "./simulate.ts";

export interface Shrunk {
  readonly kept: Required<Kept>;
  readonly verdict: Verdict;
}

/** The first word of what went wrong: which oracle said so. */
export const kindOf = (broken: readonly string[]): string => broken[0]?.split(":")[0] ?? "";

/** `sabotage`: made anew for every try. */
export async function shrink(plan: Plan, sabotage: () => Sabotage = () => ({})): Promise<Shrunk> {
  const attempt = (kept: Kept, told = false): Promise<Verdict> =>
    simulate(narrowed(plan, kept), { sabotage: sabotage(), told });
  const kind = kindOf((await attempt({})).broken);
  let kept: Required<Kept> = {
    runs: [...plan.runs.keys()],
    faults: [...plan.faults.keys()],
    sweeps: [...plan.sweeps.keys()],
    hosts: plan.hosts,
    workers: plan.workers,
    operators: plan.operators,
  };
  for (let smaller = true; smaller; ) {
    smaller = false;
    for (const candidate of smallerThan(kept)) {
      if (kindOf((await attempt(candidate)).broken) !== kind) continue;
      kept = candidate;
      smaller = true;
      break;
    }
  }
  return { kept, verdict: await attempt(kept, true) };
}

function* smallerThan(kept: Required<Kept>): Generator<Required<Kept>> {
  if (kept.faults.length > 0) yield { ...kept, faults: [] };
  for (const run of kept.runs)
    if (kept.runs.length > 1) yield { ...kept, runs: kept.runs.filter((one) => one !== run) };
  for (const fault of kept.faults) yield { ...kept, faults: kept.faults.filter((one) => one !== fault) };
  for (const sweep of kept.sweeps) yield { ...kept, sweeps: kept.sweeps.filter((one) => one !== sweep) };
  if (kept.hosts > 1) yield { ...kept, hosts: kept.hosts - 1 };
  // Somebody is left to do what nobody else does.
  if (kept.workers > 1) yield { ...kept, workers: kept.workers - 1 };
  if (kept.operators > 1) yield { ...kept, operators: kept.operators - 1 };
}

/** The command that shows it again. */
export function commandOf(seed: number, kept: Required<Kept>): string {
  const { runs, faults, sweeps, hosts, workers, operators } = kept;
  const lists = `--runs=${runs.join(",")} --faults=${faults.join(",")} --sweeps=${sweeps.join(",")}`;
  const counts = `--hosts=${hosts} --workers=${workers} --operators=${operators}`;
  return `pnpm --filter @swl/conformance-self-test simulate --seed=${seed} ${lists} ${counts}`;
}
