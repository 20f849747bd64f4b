/**
 * One run in this host's memory: inputs in, at most one uncommitted transition, effects begun only after the commit.
 * A refused item drops what is cached and reads again; settlements are kept, notices are judged anew. Nothing is
 * decided from memory that the store could know better. Spec: DUR-accepted-order, DUR-dispatch-after-commit.
 */
import { type Code, isSwlError } from "@swl/base";
import type { AskCommand } from "@swl/execution/model";
import type { Appended } from "@swl/invocation-control";
import { retryOf, type StoreFailure, type Work } from "@swl/store-provider";
import { afterCommit } from "./after-commit.js";
import { Asks } from "./asks.js";
import { Attempts } from "./attempts.js";
import { sleep } from "./clock.js";
import { contextOf, submitted } from "./committing.js";
import { broughtInto, type DirectEvent, isTaken, Offered, proposedWith, toldOf } from "./direct-event.js";
import { askOf } from "./formats.js";
import type { HostCore } from "./host-core.js";
import type { OwnInput } from "./inputs.js";
import type { Told } from "./inquiries.js";
import { broughtOnce, keptAnswers, underNote } from "./late-answer.js";
import { hasAdoptable, type LoadedRun, loadRun } from "./loaded-run.js";
import { narrate } from "./narrate.js";
import { Noticed } from "./noticed.js";
import type { Judge, Notice } from "./notices.js";
import { allFitted } from "./oversize.js";
import { delaysOf, isElsewhere } from "./ownership.js";
import { refuseUnserved } from "./profiles.js";
import type { Proposal } from "./proposal.js";
import { noted, quarantine } from "./set-aside.js";

export class RunActor {
  readonly id: string;
  readonly #core: HostCore;
  readonly #attempts: Attempts;
  readonly #asks: Asks;
  readonly #notices = new Noticed();
  readonly #offered = new Offered();
  /** Settlements of this host's own attempts: never dropped before they are committed or noted. */
  #inputs: OwnInput[] = [];
  #run: LoadedRun | undefined;
  #stale = false;
  /** Read from the store since the last commit of this actor. */
  #fresh = false;
  #creation: Promise<void> | undefined;
  #running: Promise<void> | undefined;
  /** Commits in a row that came too late because others had written. */
  #losses = 0;

  constructor(id: string, core: HostCore) {
    this.id = id;
    this.#core = core;
    this.#attempts = new Attempts(core);
    this.#asks = new Asks(core);
  }

  /** As far as this host knows, which has something of the run under way: nobody has closed it. */
  get isOpen(): boolean {
    return this.isCommitting || (this.mayRest && this.#attempts.size > 0);
  }

  /** A commit of it may be under way: what it says is about to be known. */
  get isCommitting(): boolean {
    return this.mayRest && this.#running !== undefined;
  }

  /** The run is in memory, and open as far as this host knows. */
  get mayRest(): boolean {
    return this.#run !== undefined && !this.#stale && !this.#run.closed;
  }

  /** Undefined, at once or later: it goes the long way, and behind what is being taken in. */
  takeIn(event: DirectEvent): Promise<Appended | undefined> | undefined {
    if (this.#running !== undefined) return this.#offered.over;
    if (this.#stale || this.#run === undefined || !isTaken(this.#run, event, this.#core)) return undefined;
    const told = this.#offered.open(this.#run, event);
    this.#core.actor(this.id);
    this.#wake();
    return told;
  }

  isLive(work: string): boolean {
    return this.#attempts.has(work) || this.#asks.has(work);
  }

  /** Handed to it, and neither begun nor given back yet. */
  readonly isClaimed = (work: Work): boolean => this.#notices.isClaimed(work);

  /** A provider has answered what it was asked. */
  told(id: string, ask: AskCommand, said: Told, since: number): void {
    const input = this.#asks.answered(id, ask, said, since);
    if (input !== undefined) this.#inputs.push(input);
    this.#wake();
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
    if (this.#notices.add(notice)) this.hint();
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
    this.#attempts.observe(run, proposal);
    this.#accepted(run, proposal, position, []);
  }

  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  #wake(): void {
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined;
      this.#offered.close(undefined);
      if (this.#core.stopped) return;
      if (this.#stale || this.#inputs.length > 0 || this.#notices.size > 0) this.#wake();
      else if (this.#attempts.size + this.#asks.size === 0) this.#core.rest(this);
    });
  }

  async #work(): Promise<void> {
    try {
      while (this.#creation !== undefined) await this.#creation;
      for (;;) {
        const run = await this.#current();
        if (run === undefined) return this.#drop();
        if (run.closed || run.hold !== undefined) return await this.#keepAsNotes(run);
        // What was kept beside the log while the run was held comes first: it was said first.
        const once = broughtOnce(await keptAnswers(this.#core.store, run, this.#inputs), this.#inputs);
        for (const { ends } of once.over) if (ends !== undefined) this.#attempts.end(ends);
        this.#inputs = [...once.own];
        this.#dropUnasked(run);
        const settlements = [...once.kept, ...this.#inputs];
        const direct = this.#offered.for(run);
        const elsewhere = isElsewhere(run, this.#core.lease);
        if (elsewhere) this.#notices.forgetDues();
        const derived = this.#judged(run, settlements);
        const adopts = this.#fresh && this.#core.adoptEvidence && hasAdoptable(run);
        const waits = run.state === undefined || run.behind || adopts;
        if (direct || settlements.length + derived.length > 0 || (waits && !elsewhere)) {
          await this.#commit(run, settlements, derived, direct);
          continue;
        }
        if (elsewhere) this.#core.leave(this.id);
        if (!this.#stale && !this.#beginClaimed(run)) {
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
    const loaded = await loadRun(stream, this.#core.definitions);
    refuseUnserved(loaded.served.requirements);
    this.#run = this.#core.bound(loaded);
    this.#fresh = true;
    this.#core.served(this.id);
    return this.#run;
  }

  /** An answer counts only while its question is there. */
  #dropUnasked({ work }: LoadedRun): void {
    this.#inputs = this.#inputs.filter(({ answers }) => answers === undefined || work.has(answers));
    this.#asks.keepOnly(work);
  }

  /** What follows from the notices, and from attempts that this host should be running but is not. */
  #judged(run: LoadedRun, settlements: readonly OwnInput[]): readonly OwnInput[] {
    this.#notices.begin();
    if (run.state === undefined || !this.#fresh) return [];
    const judge: Judge = {
      run,
      outstanding: run.served.model.outstanding(run.state),
      holder: this.#core.lease.holder,
      isLive: (work) => this.#attempts.has(work),
      now: this.#core.storeClock.estimate(),
      isUnbegun: (work) => this.#isUnbegun(work),
    };
    return this.#notices.follows(judge, this.#core.lease.isMine(run.owner), settlements);
  }

  #isUnbegun(work: string): boolean {
    return !this.#attempts.has(work) && !this.#core.isGivingBack(work);
  }

  async #commit(
    run: LoadedRun,
    settlements: readonly OwnInput[],
    derived: readonly OwnInput[],
    direct: DirectEvent | undefined,
  ): Promise<void> {
    const core = this.#core;
    const ending = new Set(settlements.map((input) => input.ends));
    const context = contextOf(core, run);
    const { run: seen, brings } = broughtInto(run, direct, context.stamp);
    const proposed = proposedWith(direct, seen, [...settlements, ...derived], {
      ...context,
      brings,
      adoptEvidence: core.adoptEvidence,
      keepsOwnership: this.#attempts.keepsOwnership(ending),
      ownsStream: core.lease.isMine(run.owner),
      isUnbegun: (work) => this.#isUnbegun(work),
    });
    if (proposed === undefined) return this.#offered.close(undefined);
    if ("quarantine" in proposed) {
      return await this.#quarantine(run.position, proposed.quarantine.code, proposed.quarantine.message);
    }
    const answer = await submitted(core, proposed, proposed.item, this.#offered.delayed);
    if (direct !== undefined) this.#offered.close(toldOf(proposed, answer));
    if (answer.kind === "accepted") {
      this.#losses = 0;
      this.#attempts.observe(seen, proposed);
      this.#inputs = this.#inputs.filter((input) => !settlements.includes(input));
      for (const id of ending) if (id !== undefined) this.#attempts.end(id);
      for (const { answers } of settlements) if (answers !== undefined) this.#asks.end(answers);
      this.#notices.committed();
      if (this.#notices.size > 0) this.#stale = true;
      this.#accepted(run, proposed, answer.last, [...settlements, ...derived]);
    } else {
      this.#run = undefined;
      // Of what came together with an event, nothing is held against the run: it is tried again without it.
      if (answer.kind === "refused" && direct === undefined) await this.#refused(run, answer.failure);
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
    this.#asks.keepOnly(next.work);
    for (const command of proposal.begin) {
      const notBegun = this.#attempts.beginBorn(next, command, item.owner);
      if (notBegun !== undefined) this.notice(notBegun);
    }
    if (proposal.newWork.some((added) => added.delay === 0)) this.#core.lookForWork();
    for (const delay of delaysOf(proposal, this.#core.storeClock.estimate())) this.#core.dueIn(delay);
  }

  /** Work claimed in the store begins when nothing else is open. True: something was left to be committed. */
  #beginClaimed(run: LoadedRun): boolean {
    for (const work of this.#notices.takeClaimed()) {
      const doer = askOf(work) === undefined ? this.#attempts : this.#asks;
      const input = doer.beginClaimed(run, work);
      if (input !== undefined) this.#inputs.push(input);
    }
    return this.#inputs.length > 0;
  }

  async #refused(run: LoadedRun, failure: StoreFailure): Promise<void> {
    switch (failure.kind) {
      case "stale":
        return await this.#giveWay();
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
        return await this.#fitOrQuarantine(run, failure);
    }
    this.#notices.refused(failure.kind);
  }

  /** DUR-shared-runs: who lost twice in a row waits a little, by chance, so that whoever else writes here gets on. */
  async #giveWay(): Promise<void> {
    if (++this.#losses < 2) return;
    await sleep(this.#core.clock, this.#core.jitter(Math.min(250, 5 * 2 ** this.#losses)));
  }

  /** A settlement that no document can hold is replaced by one that fits. */
  async #fitOrQuarantine(run: LoadedRun, { kind, message }: StoreFailure): Promise<void> {
    const { documentBytes } = this.#core.store.info.limits;
    const made = allFitted(this.#inputs, run, documentBytes, message);
    if (made === undefined) return await this.#quarantine(run.position, `store.${kind}`, message);
    this.#inputs = made;
  }

  async #quarantine(position: number, code: Code, message: string): Promise<void> {
    await quarantine(this.#core, this.id, position, { code, message });
    this.#run = undefined;
    this.#stale = true;
  }

  /** DUR-late-answer: a closed or held run takes no settlements; they are kept beside the log as evidence. */
  async #keepAsNotes(run: LoadedRun): Promise<void> {
    this.#forgetNotices();
    if (run.closed) {
      this.#attempts.stopUnwanted([]);
      this.#asks.keepOnly(new Map());
    }
    await this.#noteSettlements(run.closed);
    if (run.closed) this.#core.seenClosed(run);
  }

  async #noteSettlements(over: boolean): Promise<void> {
    for (let input = this.#inputs[0]; input !== undefined; input = this.#inputs[0]) {
      // Whoever lifts the hold takes it in under this name, perhaps before this host hears that it is kept.
      if (input.ends !== undefined) this.#inputs[0] = underNote(input);
      if (!(await noted(this.#core, this.id, input, over))) return this.hint();
      const { ends, answers } = input;
      if (ends !== undefined) this.#attempts.end(ends);
      if (answers !== undefined) this.#asks.end(answers);
      if (answers !== undefined && !over) this.#core.giveBack([answers], 1_000);
      this.#inputs.shift();
    }
  }

  #drop(): void {
    this.#forgetNotices();
    this.#inputs = [];
  }

  /** What was claimed is given back, but never what is under way here: its claim is the licence to run. */
  #forgetNotices(): void {
    const claimed = this.#notices.claimed.map(({ id }) => id).filter((id) => !this.isLive(id));
    if (claimed.length > 0) this.#core.leaveToOthers(claimed);
    this.#notices.clear();
  }

  async #failed(error: unknown): Promise<void> {
    this.#run = undefined;
    const code = isSwlError(error) ? error.code : undefined;
    const message = error instanceof Error ? error.message : String(error);
    if (code === "host.stopped") return;
    if (isSwlError(error) && (code?.startsWith("host.") || code?.startsWith("binding."))) {
      // Others may have what this host lacks; the patrol comes back to the run after a while.
      this.#forgetNotices();
      this.#stale = false;
      this.#core.unserved(this.id, error);
      if (this.#inputs.length > 0) await sleep(this.#core.clock, 1_000);
    } else if (code === "store.unavailable" || code === "store.unknown-commit") {
      const waits = `The run waits for its store: ${message}`;
      this.#core.log({ level: "warn", code, run: this.id, message: waits });
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
        await this.#noteSettlements(head.closed);
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
