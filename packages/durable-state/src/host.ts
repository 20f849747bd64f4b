/**
 * The durable host: accept, transition, commit, dispatch, settle, over any execution model, store and provider. It
 * reads no status word of a model, dispatches nothing that a commit has not made durable, and decides nothing from
 * memory that the store could know better. Spec: docs/spec/durable-state.md.
 */
import { SwlError, TurnoverMap } from "@swl/base";
import type { Disposition } from "@swl/execution/model";
import type { Appended, BindingSet, ResultOptions, RunResult } from "@swl/invocation-control";
import type { Work } from "@swl/store-provider";
import { Actors } from "./actors.js";
import { StoreClock, sleep, systemClock } from "./clock.js";
import { Committer } from "./committer.js";
import { type ControlCore, controlOf } from "./control.js";
import { Definitions } from "./definitions.js";
import type { DirectEvent } from "./direct-event.js";
import { Dispatcher } from "./dispatcher.js";
import type { HostCore } from "./host-core.js";
import { checkDrain, checkedOptions, checkName } from "./host-options.js";
import type { Control, Host, HostOptions, RunHandle, StartOptions } from "./host-types.js";
import { boundHere } from "./late-binding.js";
import { Lease } from "./lease.js";
import type { LoadedRun } from "./loaded-run.js";
import { Observing } from "./observing.js";
import { LaterEachTime, PassedOver } from "./passed-over.js";
import { Patrol } from "./patrol.js";
import { Retention } from "./retention.js";
import { Rhythm } from "./rhythm.js";
import { RunActor } from "./run-actor.js";
import { awaitResult, resultOf } from "./run-result.js";
import { startRun } from "./start-run.js";
import { WakeUps } from "./wake-ups.js";
import { Watchers } from "./watchers.js";

/**
 * Opens a host: takes a lease, then serves until `close`, beside any other hosts of the store. Throws
 * `host.option-invalid`, with `exclusive` `store.host-active` while another host's lease runs, or what the store says.
 */
export async function createHost(options: HostOptions): Promise<Host> {
  const host = new DurableHost(options);
  await host.open();
  return host;
}

class DurableHost implements Host, HostCore {
  readonly control: Control;
  readonly store: HostCore["store"];
  readonly clock: HostCore["clock"];
  readonly storeClock: StoreClock;
  readonly lease: Lease;
  readonly committer: Committer;
  readonly definitions: Definitions;
  readonly dispatcher: Dispatcher;
  readonly adoptEvidence: boolean;
  readonly log: HostCore["log"];
  readonly observing: Observing | undefined;
  readonly newId: () => string;
  stopped = false;
  readonly #bindings: readonly BindingSet[];
  readonly #grants: readonly string[];
  readonly #random: () => number;
  readonly #unique: () => string;
  readonly #rhythm: Rhythm;
  readonly #patrol: Patrol;
  readonly #wakeUps: WakeUps;
  readonly #retention: Retention | undefined;
  readonly #actors = new Actors((run) => new RunActor(run, this));
  readonly #watchers: Watchers;
  readonly #controlCore: ControlCore;
  readonly #unserved: PassedOver;
  readonly #left: PassedOver;
  readonly #toOthers = new LaterEachTime();
  /** Milliseconds: a host that dies meanwhile is noticed by its lease. */
  readonly #leaveFor: number;
  readonly #starting = new TurnoverMap<Promise<string>, true>();
  readonly #givingBack = new Set<string>();
  readonly #givenBack = new Set<Promise<void>>();
  #closing: Promise<void> | undefined;

  constructor(given: HostOptions) {
    const options = checkedOptions(given);
    const { store } = options;
    this.store = store;
    this.clock = options.clock ?? systemClock;
    this.storeClock = new StoreClock(this.clock);
    this.log = options.log;
    this.observing = options.observe && new Observing(options.observe);
    this.adoptEvidence = options.adoptEvidence;
    this.#bindings = options.bindings;
    this.#grants = options.grants;
    const nonce = checkName(options.newId()).slice(0, 13);
    // A host is an incarnation, not a name: what one of the same name began before is not in this one's memory.
    const holder = `${options.holder ?? "host"}-${nonce}`;
    let count = 0;
    this.newId = () => `${nonce}.${++count}`;
    this.definitions = new Definitions(store, options.models);
    this.committer = new Committer(store, this.clock, this.log, this.observing);
    const { clock, storeClock, log } = this;
    const { lease, exclusive, waitForLease, signal, grace, askFor, poll, idlePoll, random, retention } =
      options;
    const regained = (): void => this.lookForWork();
    this.lease = new Lease({
      ...{ store, clock, storeClock, log, holder, lease, exclusive, waitForLease, signal, regained },
    });
    this.#random = random;
    this.#unique = options.newId;
    this.#watchers = new Watchers(store);
    this.#unserved = new PassedOver(clock);
    this.#left = new PassedOver(clock);
    this.#leaveFor = lease / 4;
    this.dispatcher = new Dispatcher({
      bindings: options.bindings,
      clock,
      grace,
      askFor,
      total: options.total,
      actions: options.actions,
      providers: options.providers,
      observing: this.observing,
      leaseRuns: () => this.lease.running(),
      onFree: () => this.lookForWork(),
    });
    this.#rhythm = new Rhythm({ clock, poll, idlePoll, random });
    this.#patrol = new Patrol(this, this.#rhythm, lease / 4);
    this.#wakeUps = new WakeUps(this, poll, (run) => this.#actors.isAwake(run));
    this.#retention =
      retention && new Retention({ store, clock, lease: this.lease, random, log, ...retention });
    this.#controlCore = {
      store,
      definitions: this.definitions,
      clock,
      storeClock,
      poll,
      isOpenHere: (run) => this.#actors.find(run)?.isOpen ?? false,
      appended: (run) => {
        if (!this.stopped) this.actor(run).hint();
      },
      isCommittingHere: (run) => this.#actors.find(run)?.isCommitting ?? false,
      direct: (run) => (this.#actors.find(run)?.mayRest ? (event) => this.#takenIn(run, event) : undefined),
      watchers: this.#watchers,
      newId: this.#unique,
    };
    this.control = controlOf(this.#controlCore);
  }

  get holder(): string {
    return this.lease.holder;
  }

  async open(): Promise<void> {
    await this.lease.open();
    this.#wakeUps.start();
    this.#patrol.start();
    this.#retention?.start();
  }

  async start(definition: unknown, options: StartOptions = {}): Promise<RunHandle> {
    if (this.stopped || this.#closing !== undefined)
      throw new SwlError("host.stopped", "The host is stopping.");
    const context = { core: this, bindings: this.#bindings, grants: this.#grants, newId: this.#unique };
    const starting = startRun(context, definition, options);
    this.#starting.set(starting, true);
    try {
      return this.run(await starting);
    } finally {
      this.#starting.delete(starting);
    }
  }

  run(id: string): RunHandle {
    return { id, result: (options) => this.#result(id, options) };
  }

  async close(options: { readonly drain?: number } = {}): Promise<void> {
    this.#closing ??= this.#close(checkDrain(options.drain ?? 5_000));
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  actor(run: string): RunActor {
    return this.#actors.wake(run);
  }

  rest(actor: RunActor): void {
    this.#actors.rest(actor);
  }

  committed(run: string, disposition: Disposition): void {
    this.#watchers.changed(run, resultOf(disposition));
  }

  seenClosed(run: LoadedRun): void {
    if (run.state !== undefined) this.committed(run.id, run.served.model.disposition(run.state));
  }

  unserved(run: string, need: SwlError): void {
    if (this.#unserved.pass(run, 4_500))
      this.log({ level: "warn", code: need.code, run, message: need.message });
  }

  isUnserved(run: string): boolean {
    return this.#unserved.has(run);
  }

  bound(run: LoadedRun): LoadedRun {
    return boundHere(run, this.#bindings, this.#grants);
  }

  served(run: string): void {
    this.#unserved.delete(run);
  }

  leave(run: string): void {
    this.#left.pass(run, this.#leaveFor * (1 - this.#random() / 2));
  }

  isPassedOver(run: string): boolean {
    return this.#unserved.has(run) || this.#left.has(run);
  }

  jitter(most: number): number {
    return most * this.#random();
  }

  lookForWork(): void {
    this.#rhythm.hint();
  }

  dueIn(milliseconds: number): void {
    this.#rhythm.dueIn(milliseconds);
  }

  giveBack(work: readonly string[], delay: number): void {
    for (const id of work) this.#givingBack.add(id);
    const given = this.#unclaim(work, delay).finally(() => {
      for (const id of work) this.#givingBack.delete(id);
      this.#givenBack.delete(given);
    });
    this.#givenBack.add(given);
  }

  leaveToOthers(work: readonly string[]): void {
    for (const [delay, some] of this.#toOthers.delays(work)) this.giveBack(some, delay);
  }

  /**
   * A give-back that is lost is found again: the work stays held by this host and shows up when it asks what it holds. A
   * host that closes asks no more, and what it held would count as begun once it is gone: it tries until it may not.
   */
  async #unclaim(work: readonly string[], delay: number): Promise<void> {
    for (let pause = 10; ; pause = Math.min(500, pause * 2)) {
      try {
        return await this.store.unclaim(this.lease.holder, work, { delay });
      } catch {
        if (this.#closing === undefined) return this.#patrol.reconcile();
        if (this.stopped) return;
        await sleep(this.clock, pause);
      }
    }
  }

  isLive({ id, stream }: Work): boolean {
    return this.#actors.find(stream)?.isLive(id) ?? false;
  }

  isClaimed(work: Work): boolean {
    return this.#actors.find(work.stream)?.isClaimed(work) ?? false;
  }

  isGivingBack(work: string): boolean {
    return this.#givingBack.has(work);
  }

  #takenIn(run: string, event: DirectEvent): Promise<Appended | undefined> | undefined {
    return this.stopped ? undefined : this.#actors.find(run)?.takeIn(event);
  }

  async #result(id: string, options: ResultOptions = {}): Promise<RunResult> {
    if (this.stopped) throw new SwlError("host.stopped", "The host has stopped.");
    return awaitResult(this.#controlCore, id, options);
  }

  async #close(drain: number): Promise<void> {
    this.dispatcher.stopBeginning();
    this.#wakeUps.stop();
    await this.#within(drain, Promise.all([this.#patrol.stop(), this.#retention?.stop()]));
    await this.dispatcher.drain(drain);
    await this.#within(drain, this.#settled());
    this.stopped = true;
    this.committer.abandon();
    await this.#within(drain, this.lease.close());
    this.#watchers.stop();
  }

  /** Starts under way have their answer, and what came of them and of the last attempts is committed. */
  async #settled(): Promise<void> {
    while (this.#starting.size > 0) await Promise.allSettled(this.#starting.keys());
    for (const actor of this.#actors.all()) await actor.idle();
    await this.committer.idle();
    await Promise.all(this.#givenBack);
  }

  /** A store that does not answer is not waited for beyond the drain time, one second at least. */
  async #within(drain: number, ended: Promise<unknown>): Promise<void> {
    const patience = new AbortController();
    await Promise.race([ended, sleep(this.clock, Math.max(drain, 1_000), patience.signal)]);
    patience.abort();
  }
}
