/**
 * One run in this host's memory: inputs in, at most one uncommitted transition, effects begun only after the commit.
 * A refused item drops what is cached and reads again; settlements are kept, notices are judged anew. Nothing is
 * decided from memory that the store could know better. Spec: DUR-accepted-order, DUR-dispatch-after-commit.
 */
import { type Code, excerpt, isSwlError } from "@swl/base";
import { type Answer, retryOf, type StoreFailure } from "@swl/store-provider";
import { afterCommit } from "./after-commit.js";
import { Attempts } from "./attempts.js";
import { sleep } from "./clock.js";
import { plainRecord } from "./formats.js";
import type { HostCore } from "./host-core.js";
import type { OwnInput } from "./inputs.js";
import { keepLateAnswer } from "./late-answer.js";
import { type LoadedRun, loadRun } from "./loaded-run.js";
import { narrate } from "./narrate.js";
import { type Judge, judged, keyOf, lostAttempts, type Notice } from "./notices.js";
import { fitted } from "./oversize.js";
import { refuseUnserved } from "./profiles.js";
import { type Proposal, propose } from "./proposal.js";

export class RunActor {
  readonly id: string;
  readonly #core: HostCore;
  readonly #attempts: Attempts;
  readonly #notices = new Map<string, Notice>();
  /** Notices that the commit under way takes in. */
  readonly #taken = new Set<string>();
  /** Settlements of this host's own attempts: never dropped before they are committed or noted. */
  #inputs: OwnInput[] = [];
  #run: LoadedRun | undefined;
  #stale = false;
  /** Read from the store since the last commit of this actor. */
  #fresh = false;
  #creation: Promise<void> | undefined;
  #running: Promise<void> | undefined;

  constructor(id: string, core: HostCore) {
    this.id = id;
    this.#core = core;
    this.#attempts = new Attempts(core);
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
    const key = keyOf(notice);
    if (this.#notices.has(key)) return;
    this.#notices.set(key, notice);
    this.hint();
  }

  /** Until the answer is called nothing is read or judged: the run's first commit is under way. */
  creating(): () => void {
    let over: () => void = () => undefined;
    this.#creation = new Promise((resolve) => {
      over = () => {
        this.#creation = undefined;
        resolve();
      };
    });
    this.#wake();
    return over;
  }

  /** The first commit of this run was accepted. */
  created(run: LoadedRun, proposal: Proposal, position: number): void {
    this.#accepted(run, proposal, position, []);
  }

  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  #wake(): void {
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined;
      if (this.#core.stopped) return;
      if (this.#stale || this.#inputs.length > 0 || this.#notices.size > 0) this.#wake();
      else if (this.#attempts.size === 0) this.#core.forget(this);
    });
  }

  async #work(): Promise<void> {
    try {
      while (this.#creation !== undefined) await this.#creation;
      for (;;) {
        const run = await this.#current();
        if (run === undefined) return this.#drop();
        if (run.closed || run.hold !== undefined) return await this.#keepAsNotes(run);
        const settlements = [...this.#inputs];
        const derived = this.#judged(run, settlements);
        if (
          run.state === undefined ||
          run.behind ||
          settlements.length + derived.length > 0 ||
          this.#adoptable(run)
        ) {
          await this.#commit(run, settlements, derived);
        } else if (!this.#stale && !this.#beginClaimed(run)) {
          // A claim that was heard of while this was read is not in it: read again before it is judged.
          return;
        }
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
    const run = await loadRun(stream, this.#core.definitions);
    refuseUnserved(run.served.requirements);
    this.#run = run;
    this.#fresh = true;
    this.#core.served(this.id);
    return this.#run;
  }

  /** What follows from the notices, and from attempts that this host should be running but is not. */
  #judged(run: LoadedRun, settlements: readonly OwnInput[]): readonly OwnInput[] {
    this.#taken.clear();
    if (run.state === undefined || !this.#fresh) return [];
    const judge: Judge = {
      run,
      outstanding: run.served.model.outstanding(run.state),
      holder: this.#core.lease.holder,
      isLive: (work) => this.#attempts.has(work),
      now: this.#core.storeClock.estimate(),
      isUnbegun: (work) => this.#isUnbegun(work),
    };
    // What this host knows not to have begun comes first, and alone: everything else is judged after it.
    const handbacks = this.#derived(judge, (notice) => notice.kind === "handback");
    if (handbacks.length > 0) return handbacks;
    const derived = this.#derived(judge, () => true);
    if (!this.#core.lease.isMine(run.owner)) return derived;
    return [...derived, ...lostAttempts(judge, [...settlements, ...derived])];
  }

  /** A notice from which nothing follows is out of date. */
  #derived(judge: Judge, wanted: (notice: Notice) => boolean): readonly OwnInput[] {
    const derived: OwnInput[] = [];
    for (const [key, notice] of this.#notices) {
      if (notice.kind === "claimed" || !wanted(notice)) continue;
      const inputs = judged(notice, judge);
      if (inputs.length === 0) this.#notices.delete(key);
      else this.#taken.add(key);
      derived.push(...inputs);
    }
    return derived;
  }

  #isUnbegun(work: string): boolean {
    return !this.#attempts.has(work) && !this.#core.isGivingBack(work);
  }

  #adoptable(run: LoadedRun): boolean {
    if (!this.#fresh || !this.#core.adoptEvidence || run.state === undefined) return false;
    const disposition = run.served.model.disposition(run.state);
    return disposition.kind === "parked" && disposition.adopt !== undefined;
  }

  async #commit(
    run: LoadedRun,
    settlements: readonly OwnInput[],
    derived: readonly OwnInput[],
  ): Promise<void> {
    const core = this.#core;
    const ending = new Set(settlements.map((input) => input.ends));
    const proposed = propose(run, [...settlements, ...derived], {
      commit: core.newId(),
      holder: core.lease.holder,
      stamp: core.storeClock.estimate(),
      adoptEvidence: core.adoptEvidence,
      newEventId: core.newId,
      reserve: (action) => core.dispatcher.reserve(action),
      keepsOwnership: this.#attempts.keepsOwnership(ending),
      ownsStream: core.lease.isMine(run.owner),
      isUnbegun: (work) => this.#isUnbegun(work),
    });
    if ("quarantine" in proposed) {
      return await this.#quarantine(run.position, proposed.quarantine.code, proposed.quarantine.message);
    }
    const answer = await this.#submitted(proposed);
    if (answer.kind === "accepted") {
      this.#inputs = this.#inputs.filter((input) => !settlements.includes(input));
      for (const id of ending) if (id !== undefined) this.#attempts.end(id);
      for (const key of this.#taken) this.#notices.delete(key);
      if (this.#notices.size > 0) this.#stale = true;
      this.#accepted(run, proposed, answer.last, [...settlements, ...derived]);
    } else {
      this.#run = undefined;
      if (answer.kind === "refused") await this.#refused(run, answer.failure);
    }
  }

  /** Slots that the proposal had reserved are free again unless it was accepted. */
  async #submitted(proposal: Proposal): Promise<Answer> {
    let accepted = false;
    try {
      const answer = await this.#core.committer.submit(proposal.item);
      accepted = answer.kind === "accepted";
      return answer;
    } finally {
      if (!accepted) for (const command of proposal.begin) this.#core.dispatcher.release(command.action);
    }
  }

  #accepted(run: LoadedRun, proposal: Proposal, position: number, settled: readonly OwnInput[]): void {
    const { item } = proposal;
    const next = afterCommit(run, proposal, position, this.#core.storeClock.estimate());
    this.#run = next;
    this.#fresh = false;
    narrate(this.#core.log, run, settled, proposal.disposition);
    this.#core.committed(this.id, proposal.disposition);
    if (this.#attempts.size > 0) {
      const closed = proposal.disposition.kind === "closed";
      this.#attempts.stopUnwanted(closed ? [] : next.served.model.outstanding(next.state));
    }
    for (const command of proposal.begin) {
      const notBegun = this.#attempts.beginBorn(next, command, item.owner);
      if (notBegun !== undefined) this.notice(notBegun);
    }
    if (proposal.newWork.some((added) => added.delay === 0)) this.#core.lookForWork();
  }

  /** Work claimed in the store begins when nothing else is open. True: something was left to be committed. */
  #beginClaimed(run: LoadedRun): boolean {
    for (const [key, notice] of this.#notices) {
      if (notice.kind !== "claimed") continue;
      this.#notices.delete(key);
      const input = this.#attempts.beginClaimed(run, notice.work);
      if (input !== undefined) this.#inputs.push(input);
    }
    return this.#inputs.length > 0;
  }

  async #refused(run: LoadedRun, failure: StoreFailure): Promise<void> {
    switch (failure.kind) {
      case "clock-ahead":
        if (failure.now !== undefined) this.#core.storeClock.correct(failure.now);
        return;
      case "lease-lost":
        this.#core.lease.doubt();
        break;
      case "claimed":
      case "not-found":
        break;
      default:
        if (retryOf[failure.kind] !== "never" || failure.kind === "closed") return;
        if (this.#fit(run, failure)) return;
        return await this.#quarantine(run.position, `store.${failure.kind}`, failure.message);
    }
    // What a precondition refused is out of date; the patrol finds again what still holds.
    for (const [key, notice] of this.#notices) {
      const kept = notice.kind === "claimed" || notice.kind === "handback";
      // A deadline that lost against a claim is judged again: if it was this host's own, nothing has begun yet.
      if (!kept && !(notice.kind === "due" && failure.kind === "claimed")) this.#notices.delete(key);
    }
  }

  /** True when a settlement that no document can hold was replaced by one that fits. */
  #fit(run: LoadedRun, failure: StoreFailure): boolean {
    const limit = this.#core.store.info.limits.documentBytes;
    const inputs = this.#inputs.map((input) => fitted(input, run, limit, failure.message));
    const changed = inputs.some((input, index) => input !== this.#inputs[index]);
    this.#inputs = inputs;
    return changed;
  }

  async #quarantine(position: number, code: Code, message: string): Promise<void> {
    const core = this.#core;
    core.log({ level: "error", code, run: this.id, message: `The run is quarantined: ${message}` });
    const answer = await core.committer.submit({
      stream: this.id,
      commit: core.newId(),
      expect: position,
      stamp: core.storeClock.estimate(),
      records: [plainRecord("hold", { hold: "quarantine", code, message: excerpt(message, 1_000) })],
      facets: { status: "quarantined" },
      hold: "quarantine",
    });
    this.#run = undefined;
    this.#stale = true;
    if (answer.kind === "refused" && answer.failure.kind !== "stale") await sleep(core.clock, 1_000);
  }

  /** DUR-late-answer: a closed or held run takes no settlements; they are kept beside the log as evidence. */
  async #keepAsNotes(run: LoadedRun): Promise<void> {
    this.#giveBackClaimed();
    this.#notices.clear();
    await this.#noteSettlements();
    if (run.closed) this.#core.seenClosed(run);
  }

  async #noteSettlements(): Promise<void> {
    while (this.#inputs.length > 0) {
      const { ends, event } = this.#inputs[0]!;
      if (ends !== undefined) {
        if (event !== undefined) await keepLateAnswer(this.#core, this.id, ends, event);
        this.#attempts.end(ends);
      }
      this.#inputs.shift();
    }
  }

  #drop(): void {
    this.#giveBackClaimed();
    this.#inputs = [];
    this.#notices.clear();
  }

  /** Never what is under way here: its claim is the licence to run. */
  #giveBackClaimed(): void {
    const claimed = [...this.#notices.values()]
      .flatMap((notice) => (notice.kind === "claimed" ? [notice.work.id] : []))
      .filter((id) => !this.#attempts.has(id));
    if (claimed.length > 0) this.#core.giveBack(claimed, 5_000);
  }

  async #failed(error: unknown): Promise<void> {
    this.#run = undefined;
    const code = isSwlError(error) ? error.code : undefined;
    const message = error instanceof Error ? error.message : String(error);
    if (code === "host.stopped") return;
    if (isSwlError(error) && code?.startsWith("host.")) {
      // Others may have what this host lacks; the patrol comes back to the run after a while.
      this.#giveBackClaimed();
      this.#notices.clear();
      this.#stale = false;
      this.#core.unserved(this.id, error);
      if (this.#inputs.length > 0) await sleep(this.#core.clock, 1_000);
    } else if (code === "store.unavailable" || code === "store.unknown-commit") {
      this.#core.log({
        level: "warn",
        code,
        run: this.id,
        message: `The run waits for its store: ${message}`,
      });
      this.#stale = true;
      await sleep(this.#core.clock, 100);
    } else {
      await this.#quarantineUnread(code ?? "host.quarantined", message);
    }
  }

  /** The engine or the stored state failed: the run is set aside with its reason and never loops. */
  async #quarantineUnread(code: Code, message: string): Promise<void> {
    try {
      const head = await this.#core.store.head(this.id);
      if (head === undefined) return this.#drop();
      if (head.closed || head.hold !== undefined) {
        await this.#noteSettlements();
        return this.#drop();
      }
      await this.#quarantine(head.position, code, message);
    } catch (error) {
      if (isSwlError(error) && error.code === "host.stopped") return;
      this.#stale = true;
      await sleep(this.#core.clock, 1_000);
    }
  }
}
