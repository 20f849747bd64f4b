/**
 * One run in this host's memory: inputs in, at most one uncommitted transition, effects begun only after the commit.
 * A refused item drops what is cached and reads again; the inputs are kept. Nothing is decided from memory that the
 * store could know better. Spec: DUR-one-transition, DUR-refused-item.
 */
import { type Diagnostic, isSwlError, SwlError } from "@swl/base";
import type { Outstanding } from "@swl/execution/model";
import type { Answer, StoreFailure, Work } from "@swl/store-provider";
import { Attempts } from "./attempts.js";
import { sleep } from "./clock.js";
import { plainRecord, workId } from "./formats.js";
import type { HostCore } from "./host-core.js";
import { dueDeadline, type OwnInput, takeover, unknownAttempt } from "./inputs.js";
import { type LoadedRun, loadRun } from "./loaded-run.js";
import { shrunk } from "./oversize.js";
import { type Proposal, propose } from "./proposal.js";

/** What the patrol found and the actor judges against the state: a taken-over owner, a due key, claimed work. */
export interface Notice {
  readonly orphanOf?: string;
  readonly due?: string;
  readonly claimed?: Work;
}

export class RunActor {
  readonly id: string;
  readonly #core: HostCore;
  readonly #attempts: Attempts;
  readonly #notTakeable = new Set<string>();
  #inputs: OwnInput[] = [];
  #notices: Notice[] = [];
  #run: LoadedRun | undefined;
  #stale = false;
  /** Read from the store since the last commit of this actor. */
  #fresh = false;
  #running: Promise<void> | undefined;

  constructor(id: string, core: HostCore) {
    this.id = id;
    this.#core = core;
    this.#attempts = new Attempts(core, (input) => this.bring(input));
  }

  get busyHere(): boolean {
    return this.#attempts.size > 0;
  }

  isLive(work: string): boolean {
    return this.#attempts.has(work);
  }

  /** Something was appended by somebody else. */
  hint(): void {
    this.#stale = true;
    this.#wake();
  }

  bring(input: OwnInput): void {
    this.#inputs.push(input);
    this.#wake();
  }

  notice(notice: Notice): void {
    this.#notices.push(notice);
    this.#stale = true;
    this.#wake();
  }

  /** A run that this host has just created, with its first commit accepted. */
  created(run: LoadedRun, proposal: Proposal, position: number): void {
    this.#accepted(run, proposal, position);
    this.#wake();
  }

  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  #wake(): void {
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined;
      if (this.#stale || this.#inputs.length > 0 || this.#notices.length > 0) {
        if (!this.#core.stopped) this.#wake();
      } else if (this.#attempts.size === 0) {
        this.#core.forget(this);
      }
    });
  }

  async #work(): Promise<void> {
    try {
      for (;;) {
        const run = await this.#current();
        if (run === undefined) return this.#drop();
        if (run.closed || run.hold !== undefined) return await this.#keepAsNotes(run);
        const inputs = [...this.#inputs, ...this.#judged(run)];
        this.#notices = this.#notices.filter((notice) => notice.claimed !== undefined);
        this.#inputs = inputs;
        const starts = run.state === undefined || run.behind || inputs.length > 0 || this.#adoptable(run);
        if (!starts) {
          this.#beginClaimed(run);
          if (this.#inputs.length === 0) return;
          continue;
        }
        await this.#commit(run, inputs);
      }
    } catch (error) {
      await this.#failed(error);
    }
  }

  /** Reads again when anything may have changed. Undefined: there is no such run. */
  async #current(): Promise<LoadedRun | undefined> {
    if (this.#run !== undefined && !this.#stale) return this.#run;
    this.#stale = false;
    this.#run = undefined;
    const stream = await this.#core.store.load(this.id);
    if (stream === undefined) return undefined;
    this.#run = await loadRun(stream, this.#core.definitions);
    this.#fresh = true;
    return this.#run;
  }

  /** Notices against the state, and attempts that this host should be running but is not. */
  #judged(run: LoadedRun): OwnInput[] {
    if (run.state === undefined || !this.#fresh) return [];
    const outstanding = run.served.model.outstanding(run.state);
    const inputs: OwnInput[] = [];
    for (const notice of this.#notices) {
      if (notice.orphanOf !== undefined && run.owner === notice.orphanOf) {
        inputs.push(...takeover(run, outstanding, notice.orphanOf, this.#core.lease.holder));
      }
      if (notice.due !== undefined && run.dues.has(notice.due))
        inputs.push(dueDeadline(run, outstanding, notice.due));
    }
    const expected = this.#inputs.concat(inputs);
    if (run.owner !== undefined && this.#core.lease.isMine(run.owner)) {
      for (const command of outstanding) {
        if (this.#isLost(run, command, expected))
          inputs.push(unknownAttempt(command, "crash", { disowns: true }));
      }
    }
    return inputs;
  }

  /** Born claimed by this host, not in its memory, not settled by anything under way. */
  #isLost(
    run: LoadedRun,
    command: Outstanding,
    expected: readonly OwnInput[],
  ): command is Outstanding & { kind: "invoke" } {
    if (command.kind !== "invoke" || command.phase !== "scheduled") return false;
    const id = workId(command.invocation, command.attempt);
    if (this.#attempts.has(id) || run.work.has(id)) return false;
    return !expected.some(
      ({ event }) => event !== undefined && "invocation" in event && event.invocation === command.invocation,
    );
  }

  #adoptable(run: LoadedRun): boolean {
    if (!this.#fresh || !this.#core.adoptEvidence || run.state === undefined) return false;
    const disposition = run.served.model.disposition(run.state);
    return disposition.kind === "parked" && disposition.adopt !== undefined;
  }

  async #commit(run: LoadedRun, inputs: readonly OwnInput[]): Promise<void> {
    const core = this.#core;
    const ending = new Set(inputs.map((input) => input.ends));
    const proposed = propose(run, inputs, {
      commit: core.newId(),
      holder: core.lease.holder,
      stamp: core.storeClock.estimate(),
      adoptEvidence: core.adoptEvidence,
      newEventId: core.newId,
      reserve: (action) => core.dispatcher.reserve(action),
      keepsOwnership: this.#attempts.keepsOwnership(ending),
      ownsStream: run.owner !== undefined && core.lease.isMine(run.owner),
      notTakeable: this.#notTakeable,
    });
    if ("quarantine" in proposed) return await this.#quarantine(run, proposed.quarantine);
    let answer: Answer;
    try {
      answer = await core.committer.submit(proposed.item);
    } catch (error) {
      this.#unreserve(proposed);
      throw error;
    }
    if (answer.kind === "accepted") {
      this.#inputs = this.#inputs.filter((input) => !inputs.includes(input));
      for (const id of ending) if (id !== undefined) this.#attempts.end(id);
      this.#accepted(run, proposed, answer.last);
    } else {
      this.#unreserve(proposed);
      this.#run = undefined;
      if (answer.kind === "refused") this.#refused(run, inputs, answer.failure);
    }
  }

  #accepted(run: LoadedRun, proposal: Proposal, position: number): void {
    const { item } = proposal;
    const work = new Map(run.work);
    for (const id of item.settled ?? []) work.delete(id);
    const owner = item.owner === undefined ? run.owner : (item.owner ?? undefined);
    const closed = proposal.disposition.kind === "closed";
    const now = this.#core.storeClock.estimate();
    for (const added of proposal.newWork) {
      work.set(added.id, { ...added, stream: this.id, notBefore: now + added.delay, withdraw: false });
    }
    const dues = new Map(run.dues);
    for (const { key, at } of item.dues ?? []) {
      if (at === null) dues.delete(key);
      else dues.set(key, at);
    }
    this.#run = {
      ...run,
      state: proposal.state,
      head: proposal.head,
      position,
      owner,
      closed,
      work,
      dues,
      unapplied: [],
      behind: false,
      facets: { ...run.facets, ...item.facets },
    };
    this.#fresh = false;
    this.#core.committed(this.id, proposal.disposition);
    for (const command of proposal.begin) {
      const input = this.#attempts.begin(this.#run, command, undefined);
      if (input !== undefined) this.#inputs.push(input);
    }
    if (proposal.newWork.some((added) => added.delay === 0)) this.#core.lookForWork();
  }

  /** Work claimed in the store begins when nothing else is open. */
  #beginClaimed(run: LoadedRun): void {
    const notices = this.#notices;
    this.#notices = [];
    for (const { claimed } of notices) {
      const input = claimed === undefined ? undefined : this.#attempts.beginClaimed(run, claimed);
      if (input !== undefined) this.#inputs.push(input);
    }
  }

  #refused(run: LoadedRun, inputs: readonly OwnInput[], failure: StoreFailure): void {
    switch (failure.kind) {
      case "clock-ahead":
        if (failure.now !== undefined) this.#core.storeClock.correct(failure.now);
        break;
      case "claimed":
      case "not-found":
      case "lease-lost":
        this.#inputs = this.#inputs.flatMap((input) => {
          if (!inputs.includes(input) || input.require === undefined) return [input];
          return input.otherwise === undefined ? [] : [input.otherwise];
        });
        for (const id of run.work.keys()) this.#notTakeable.add(id);
        break;
      case "quota":
      case "incompatible":
        this.#inputs = shrunk(this.#inputs, run, failure);
        break;
      case "corrupt":
      case "unauthorized":
      case "conflict":
        throw new SwlError(`store.${failure.kind}`, failure.message);
    }
  }

  async #quarantine(run: LoadedRun, problem: Diagnostic): Promise<void> {
    const core = this.#core;
    const body = { hold: "quarantine", code: problem.code, message: problem.message };
    core.log({
      level: "error",
      code: problem.code,
      run: this.id,
      message: `The run is quarantined: ${problem.message}`,
    });
    await core.committer.submit({
      stream: this.id,
      commit: core.newId(),
      expect: run.position,
      stamp: core.storeClock.estimate(),
      records: [plainRecord("hold", body)],
      facets: { status: "quarantined" },
      hold: "quarantine",
    });
    this.#run = undefined;
  }

  /** A closed or held run takes no more settlements: they are kept beside the log as evidence. */
  async #keepAsNotes(run: LoadedRun): Promise<void> {
    const inputs = this.#inputs;
    this.#inputs = [];
    this.#notices = [];
    for (const input of inputs) {
      if (input.ends !== undefined && input.event !== undefined) {
        const note = `settlement:${input.ends}`;
        await this.#core.store.note(this.id, note, { ...input.event } as never);
        this.#attempts.end(input.ends);
      }
    }
    if (run.closed) this.#core.seenClosed(run);
  }

  #drop(): void {
    this.#inputs = [];
    this.#notices = [];
    this.#attempts.clear();
  }

  async #failed(error: unknown): Promise<void> {
    this.#run = undefined;
    const code = isSwlError(error) ? error.code : undefined;
    if (code === "host.stopped") return;
    if (code?.startsWith("host.")) {
      this.#notices = [];
      this.#inputs = this.#inputs.filter((input) => input.ends !== undefined);
      this.#core.unserved(this.id, error as SwlError);
      if (this.#inputs.length > 0) await sleep(this.#core.clock, 250);
      return;
    }
    const message = error instanceof Error ? error.message : String(error);
    this.#core.log({
      level: "error",
      ...(code && { code }),
      run: this.id,
      message: `The run could not be moved: ${message}`,
    });
    const helps = isSwlError(error) && code?.startsWith("store.") === true && code !== "store.corrupt";
    if (helps) {
      this.#stale = true;
      await sleep(this.#core.clock, 100);
      return;
    }
    await this.#quarantineUnread(code, message);
  }

  /** The engine or the stored state failed: the run is set aside with its reason and never loops. */
  async #quarantineUnread(code: string | undefined, message: string): Promise<void> {
    const head = await this.#core.store.head(this.id).catch(() => undefined);
    if (head === undefined || head.closed || head.hold !== undefined) return this.#drop();
    const problem = {
      code: code ?? "host.quarantined",
      severity: "error",
      message,
      pointer: "",
    } as Diagnostic;
    await this.#quarantine({ position: head.position } as LoadedRun, problem).catch(() => undefined);
    this.#stale = true;
  }

  #unreserve(proposal: Proposal): void {
    for (const command of proposal.begin) this.#core.dispatcher.release(command.action);
  }
}
