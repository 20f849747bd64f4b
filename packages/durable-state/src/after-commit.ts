/** The run as an accepted item left it: no need to read it again. */
import type { LoadedRun } from "./loaded-run.js";
import type { Proposal } from "./proposal.js";

export function afterCommit(run: LoadedRun, proposal: Proposal, position: number, now: number): LoadedRun {
  const { item } = proposal;
  const work = new Map(run.work);
  for (const id of item.settled ?? []) work.delete(id);
  for (const added of proposal.newWork) {
    work.set(added.id, { ...added, stream: run.id, notBefore: now + added.delay, withdraw: false });
  }
  const dues = new Map(run.dues);
  for (const { key, at } of item.dues ?? []) {
    if (at === null) dues.delete(key);
    else dues.set(key, at);
  }
  return {
    ...run,
    state: proposal.state,
    head: proposal.head,
    position,
    owner: item.owner === undefined ? run.owner : (item.owner ?? undefined),
    closed: proposal.disposition.kind === "closed",
    work,
    dues,
    unapplied: [],
    behind: false,
    released: false,
    facets: { ...run.facets, ...item.facets },
  };
}
