/** The run as an accepted item left it: no need to read it again. */
import type { Item } from "@swl/store-provider";
import { type LoadedRun, noTraces } from "./loaded-run.js";
import type { Proposal } from "./proposal.js";

export function afterCommit(run: LoadedRun, proposal: Proposal, position: number, now: number): LoadedRun {
  const { item } = proposal;
  return {
    ...run,
    state: proposal.state,
    head: proposal.head,
    position,
    owner: item.owner === undefined ? run.owner : (item.owner ?? undefined),
    closed: proposal.disposition.kind === "closed",
    work: workAfter(run, proposal, now),
    dues: duesAfter(run, item),
    unapplied: [],
    traces: noTraces,
    behind: false,
    released: false,
    facets: item.facets === undefined ? run.facets : { ...run.facets, ...item.facets },
  };
}

/** The same map where nothing changed, as with most visits. */
function workAfter(run: LoadedRun, { item, newWork }: Proposal, now: number): LoadedRun["work"] {
  if (item.settled === undefined && newWork.length === 0) return run.work;
  const work = new Map(run.work);
  for (const id of item.settled ?? []) work.delete(id);
  for (const added of newWork) {
    work.set(added.id, { ...added, stream: run.id, notBefore: now + added.delay, withdraw: false });
  }
  return work;
}

function duesAfter(run: LoadedRun, item: Item): LoadedRun["dues"] {
  if (item.dues === undefined) return run.dues;
  const dues = new Map(run.dues);
  for (const { key, at } of item.dues) {
    if (at === null) dues.delete(key);
    else dues.set(key, at);
  }
  return dues;
}
