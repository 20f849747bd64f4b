/**
 * The attempts of one run that are under way in this host's memory: begun only after their commit, kept until their
 * settlement is committed. Spec: DUR-dispatch-after-commit, DUR-claim-is-the-licence.
 */
import type { InvokeCommand } from "@swl/execution/model";
import type { Work } from "@swl/store-provider";
import { plainRecord, workId } from "./formats.js";
import type { HostCore } from "./host-core.js";
import { type OwnInput, settlement } from "./inputs.js";
import type { LoadedRun } from "./loaded-run.js";
import { workOf } from "./proposal.js";

interface Live {
  readonly command: InvokeCommand;
  /** The work row, when it was claimed in the store; else it was born claimed. */
  readonly work?: string;
}

export class Attempts {
  readonly #core: HostCore;
  readonly #bring: (input: OwnInput) => void;
  readonly #live = new Map<string, Live>();

  constructor(core: HostCore, bring: (input: OwnInput) => void) {
    this.#core = core;
    this.#bring = bring;
  }

  get size(): number {
    return this.#live.size;
  }

  has(id: string): boolean {
    return this.#live.has(id);
  }

  end(id: string): void {
    this.#live.delete(id);
  }

  clear(): void {
    this.#live.clear();
  }

  /** True when an attempt born claimed stays under way after these have ended. */
  keepsOwnership(ending: ReadonlySet<string | undefined>): boolean {
    for (const [id, live] of this.#live) if (live.work === undefined && !ending.has(id)) return true;
    return false;
  }

  /** The slot is reserved. The input returned, if any, says durably that the attempt was not begun. */
  begin(run: LoadedRun, command: InvokeCommand, work: string | undefined): OwnInput | undefined {
    const { dispatcher } = this.#core;
    const id = workId(command.invocation, command.attempt);
    const contract = run.served.requirements.actions.find((action) => action.action === command.action)!;
    this.#live.set(id, { command, ...(work !== undefined && { work }) });
    const settle = (answer: Parameters<typeof settlement>[1]): void =>
      this.#bring(settlement(command, answer, work));
    if (dispatcher.begin(run.id, command, contract, settle)) return undefined;
    this.#live.delete(id);
    if (work !== undefined) {
      this.#giveBack(work, 0);
      return undefined;
    }
    const { invocation, attempt } = command;
    return {
      record: plainRecord("handback", { invocation, attempt }),
      work: [workOf(run, id, { ...command, delay: 0 })],
      disowns: true,
    };
  }

  /** Work claimed in the store: begun if the state still wants it, withdrawn or given back otherwise. */
  beginClaimed(run: LoadedRun, claimed: Work): OwnInput | undefined {
    const command = run.work.has(claimed.id) ? commandOf(claimed) : undefined;
    if (command === undefined || this.#live.has(claimed.id)) return undefined;
    const outstanding = run.state === undefined ? [] : run.served.model.outstanding(run.state);
    const wanted = outstanding.find(
      (one) =>
        one.kind === "invoke" && one.invocation === command.invocation && one.attempt === command.attempt,
    );
    if (wanted?.kind !== "invoke") return { settles: [claimed.id] };
    if (wanted.withdraw) {
      const { invocation, attempt } = command;
      return { event: { type: "withdrawn", invocation, attempt }, settles: [claimed.id] };
    }
    const bound =
      this.#core.dispatcher.providerOf(command.action)?.id === run.created.bindings[command.action];
    if (bound && this.#core.dispatcher.reserve(command.action)) return this.begin(run, command, claimed.id);
    this.#giveBack(claimed.id, bound ? 0 : 250);
    return undefined;
  }

  /** Lost give-backs are found again: the work stays held by this host and shows up when it asks what it holds. */
  #giveBack(work: string, delay: number): void {
    const { store, lease } = this.#core;
    store.unclaim(lease.holder, [work], { delay }).catch(() => this.#core.reconcileClaims());
  }
}

export function commandOf(work: Work): InvokeCommand | undefined {
  const document = work.document as { readonly command?: InvokeCommand } | null;
  return document?.command;
}
