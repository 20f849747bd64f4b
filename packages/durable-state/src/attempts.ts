/**
 * The attempts of one run that are under way in this host's memory: begun only after their commit and only by the
 * incarnation that committed or claimed them, kept until their settlement is committed.
 * Spec: DUR-dispatch-after-commit, DUR-lease.
 */
import type { InvokeCommand, Outstanding } from "@swl/execution/model";
import type { ProviderAnswer } from "@swl/invocation-control";
import type { Work } from "@swl/store-provider";
import { commandOf, workId } from "./formats.js";
import type { HostCore } from "./host-core.js";
import { type OwnInput, settlement } from "./inputs.js";
import type { LoadedRun } from "./loaded-run.js";
import { idOf, isScheduled, type Notice } from "./notices.js";
import type { Proposal } from "./proposal.js";

interface Live {
  /** The work row, when it was claimed in the store; else it was born claimed. */
  readonly work?: string;
  /** Tells the provider to stop. */
  readonly stop: () => void;
  /** Estimate of the store's clock, where it is observed. */
  readonly begun: number;
}

export class Attempts {
  readonly #core: HostCore;
  readonly #live = new Map<string, Live>();

  constructor(core: HostCore) {
    this.#core = core;
  }

  get size(): number {
    return this.#live.size;
  }

  has(id: string): boolean {
    return this.#live.has(id);
  }

  /** DUR-observed-once: after the store's answer, before anything of the attempts is forgotten. */
  observe(run: LoadedRun, proposal: Proposal): void {
    const { observing, storeClock } = this.#core;
    observing?.committed(run, proposal, (work) => this.#live.get(work)?.begun, storeClock.estimate());
  }

  end(id: string): void {
    this.#live.delete(id);
  }

  /** True when an attempt born claimed stays under way after these have ended. */
  keepsOwnership(ending: ReadonlySet<string | undefined>): boolean {
    for (const [id, live] of this.#live) if (live.work === undefined && !ending.has(id)) return true;
    return false;
  }

  /** What the state has given up on is told to stop; what it answers then is evidence. */
  stopUnwanted(outstanding: readonly Outstanding[]): void {
    const wanted = new Set(outstanding.filter(isScheduled).map(idOf));
    for (const [id, live] of this.#live) if (!wanted.has(id)) live.stop();
  }

  /** Born claimed under `owner`; the slot is reserved. The notice returned, if any: it was not begun. */
  beginBorn(run: LoadedRun, command: InvokeCommand, owner: string | null | undefined): Notice | undefined {
    const { dispatcher, lease } = this.#core;
    if (owner === lease.holder && this.#begin(run, command, undefined)) return undefined;
    if (owner !== lease.holder) dispatcher.release(command.action);
    return { kind: "handback", command };
  }

  /** Work claimed in the store: begun if the state still wants it, withdrawn or given back otherwise. */
  beginClaimed(run: LoadedRun, claimed: Work): OwnInput | undefined {
    const { dispatcher, lease } = this.#core;
    const row = run.work.get(claimed.id);
    const command = row?.holder === lease.holder ? commandOf(claimed) : undefined;
    if (command === undefined || this.#live.has(claimed.id) || this.#core.isGivingBack(claimed.id)) {
      return undefined;
    }
    const outstanding = run.state === undefined ? [] : run.served.model.outstanding(run.state);
    const wanted = outstanding.filter(isScheduled).find((one) => idOf(one) === claimed.id);
    if (wanted === undefined) return { settles: [claimed.id] };
    if (wanted.withdraw) {
      const { invocation, attempt } = command;
      return { event: { type: "withdrawn", invocation, attempt }, settles: [claimed.id] };
    }
    const provider = run.created.bindings[command.action];
    const bound = dispatcher.providerOf(command.action)?.id === provider;
    if (dispatcher.reserve(command.action, provider)) {
      if (!this.#begin(run, command, claimed.id)) this.#core.giveBack([claimed.id], 0);
    } else if (bound) this.#core.giveBack([claimed.id], 0);
    else this.#core.leaveToOthers([claimed.id]);
    return undefined;
  }

  #begin(run: LoadedRun, command: InvokeCommand, work: string | undefined): boolean {
    const id = workId(command.invocation, command.attempt);
    const contract = run.served.requirements.actions.find((action) => action.action === command.action)!;
    // Through the host and not this object: a late answer may come when the run has left memory.
    const settle = (answer: ProviderAnswer): void =>
      this.#core.actor(run.id).bring(settlement(command, answer, work));
    const begun = this.#core.observing === undefined ? 0 : this.#core.storeClock.estimate();
    const stop = this.#core.dispatcher.begin(run.id, command, contract, settle, run.created.trace);
    if (stop === undefined) return false;
    this.#live.set(id, { stop, begun, ...(work !== undefined && { work }) });
    return true;
  }
}
