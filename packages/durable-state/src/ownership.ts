/**
 * Who sees to a run when several hosts share its store. The host that has an attempt of it under way does: its lease
 * says how long. Everything else is anybody's, and the log decides who was first. Spec: DUR-shared-runs.
 */
import type { Lease } from "./lease.js";
import type { LoadedRun } from "./loaded-run.js";
import type { Proposal } from "./proposal.js";

/**
 * Another host has begun something here, and holds it under its own lease. Whether that runs is the store's to say: if
 * it does not, the look for what dead hosts left behind finds the run. A worker's claim has a lease of its own.
 */
export function isElsewhere(run: LoadedRun, lease: Pick<Lease, "isMine">): boolean {
  if (run.owner !== undefined) return !lease.isMine(run.owner);
  return [...run.work.values()].some(
    ({ holder, until }) => holder !== undefined && until === undefined && !lease.isMine(holder),
  );
}

/** Milliseconds until what this commit has put off falls due; `now` estimates the store's clock. */
export function delaysOf({ item, newWork }: Proposal, now: number): readonly number[] {
  const work = newWork.filter(({ delay }) => delay > 0).map(({ delay }) => delay);
  const dues = (item.dues ?? []).flatMap(({ at }) => (at === null ? [] : [Math.max(0, at - now)]));
  return [...work, ...dues];
}
