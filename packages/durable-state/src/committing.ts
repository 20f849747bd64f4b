/** What the commits of a host's runs have in common: whose they are, and the slots that they hold until they are answered. */
import type { Answer, Item } from "@swl/store-provider";
import type { HostCore } from "./host-core.js";
import type { LoadedRun } from "./loaded-run.js";
import type { Proposal, ProposalContext } from "./proposal.js";

type Common = "commit" | "holder" | "stamp" | "newEventId" | "reserve" | "observed" | "documentBytes";

export function contextOf(core: HostCore, run: LoadedRun): Pick<ProposalContext, Common> {
  return {
    commit: core.newId(),
    holder: core.lease.holder,
    stamp: core.storeClock.estimate(),
    newEventId: core.newId,
    reserve: (action) => core.dispatcher.reserveBorn(action, run.created.bindings[action]),
    documentBytes: core.store.info.limits.documentBytes,
    observed: core.observing !== undefined,
  };
}

/** Slots that the proposal had reserved are free again unless its item was accepted. */
export async function submitted(
  core: HostCore,
  proposal: Proposal,
  item: Item = proposal.item,
  delayed?: (error: unknown) => void,
): Promise<Answer> {
  let accepted = false;
  try {
    const answer = await core.committer.submit(item, delayed);
    accepted = answer.kind === "accepted";
    return answer;
  } finally {
    if (!accepted) for (const command of proposal.begin) core.dispatcher.release(command.action);
  }
}
