/**
 * The durable host: accept, transition, commit, dispatch, settle, over any execution model, store and provider. It
 * reads no status word of a model, dispatches nothing that a commit has not made durable, and decides nothing from
 * memory that the store could know better. Spec: docs/spec/durable-state.md.
 */
import { SwlError } from "@swl/base";
import type { Disposition } from "@swl/execution/model";
import type { BindingSet } from "@swl/invocation-control";
import { StoreClock, sleep, systemClock } from "./clock.js";
import { Committer } from "./committer.js";
import { StoreControl } from "./control.js";
import { Definitions } from "./definitions.js";
import { Dispatcher } from "./dispatcher.js";
import type { HostCore } from "./host-core.js";
import { checkedOptions } from "./host-options.js";
import type { Control, Host, HostOptions, RunHandle, RunResult, StartOptions } from "./host-types.js";
import { Lease } from "./lease.js";
import type { LoadedRun } from "./loaded-run.js";
import { Patrol } from "./patrol.js";
import { RunActor } from "./run-actor.js";
import { resultOf } from "./run-result.js";
import { startRun } from "./start-run.js";
import { Watchers } from "./watchers.js";

/**
 * Opens a host: takes the lease, then serves until `close`. Throws `host.option-invalid`, `store.host-active` while
 * another host's lease runs, or what the store says.
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
  readonly newId: () => string;
  stopped = false;
  readonly #bindings: readonly BindingSet[];
  readonly #grants: readonly string[];
  readonly #patrol: Patrol;
  readonly #actors = new Map<string, RunActor>();
  readonly #watchers = new Watchers();
  readonly #unserved = new Map<string, number>();
  #closing: Promise<void> | undefined;

  constructor(given: HostOptions) {
    const options = checkedOptions(given);
    const { store } = options;
    this.store = store;
    this.clock = options.clock ?? systemClock;
    this.storeClock = new StoreClock(this.clock);
    this.log = options.log;
    this.adoptEvidence = options.adoptEvidence;
    this.#bindings = options.bindings;
    this.#grants = options.grants;
    const holder = options.holder ?? `host-${globalThis.crypto.randomUUID().slice(0, 13)}`;
    const nonce = globalThis.crypto.randomUUID().slice(0, 8);
    let count = 0;
    this.newId = () => `${nonce}.${++count}`;
    this.definitions = new Definitions(store, options.models);
    this.committer = new Committer(store, this.clock, this.log);
    const { lease, waitForLease, grace } = options;
    this.lease = new Lease({
      store,
      clock: this.clock,
      storeClock: this.storeClock,
      holder,
      lease,
      waitForLease,
      log: this.log,
    });
    this.dispatcher = new Dispatcher({
      bindings: options.bindings,
      clock: this.clock,
      grace,
      total: options.total,
      actions: options.actions,
      leaseRuns: () => this.lease.running(),
      onFree: () => this.lookForWork(),
    });
    this.#patrol = new Patrol(this, options.poll);
    this.control = new StoreControl({
      store,
      definitions: this.definitions,
      clock: this.clock,
      storeClock: this.storeClock,
      poll: options.poll,
      appended: (run) => this.actor(run).hint(),
      watchers: this.#watchers,
    });
  }

  get holder(): string {
    return this.lease.holder;
  }

  async open(): Promise<void> {
    await this.lease.open();
    this.#patrol.start();
  }

  async start(definition: unknown, options: StartOptions = {}): Promise<RunHandle> {
    if (this.stopped || this.#closing !== undefined)
      throw new SwlError("host.stopped", "The host is stopping.");
    const context = { core: this, bindings: this.#bindings, grants: this.#grants };
    return this.run(await startRun(context, definition, options));
  }

  run(id: string): RunHandle {
    return { id, result: (options) => this.#result(id, options) };
  }

  close(options: { readonly drain?: number } = {}): Promise<void> {
    this.#closing ??= this.#close(options.drain ?? 5_000);
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  actor(run: string): RunActor {
    let actor = this.#actors.get(run);
    if (actor === undefined) {
      actor = new RunActor(run, this);
      this.#actors.set(run, actor);
    }
    return actor;
  }

  forget(actor: RunActor): void {
    this.#actors.delete(actor.id);
  }

  committed(run: string, disposition: Disposition): void {
    this.#watchers.changed(run, resultOf(disposition));
  }

  seenClosed(run: LoadedRun): void {
    if (run.state !== undefined) this.committed(run.id, run.served.model.disposition(run.state));
  }

  unserved(run: string, need: SwlError): void {
    const now = this.clock.monotonic();
    const last = this.#unserved.get(run);
    if (last !== undefined && now - last < 60_000) return;
    this.#unserved.set(run, now);
    this.log({ level: "warn", code: need.code, run, message: need.message });
  }

  lookForWork(): void {
    this.#patrol.hint();
  }

  reconcileClaims(): void {
    this.#patrol.reconcile();
  }

  async #result(
    id: string,
    options?: { readonly timeout?: number; readonly signal?: AbortSignal },
  ): Promise<RunResult> {
    if (this.stopped) throw new SwlError("host.stopped", "The host has stopped.");
    return this.control.result(id, options);
  }

  async #close(drain: number): Promise<void> {
    await this.#patrol.stop();
    await this.dispatcher.drain(drain);
    // Settlements that just came in are committed; a store that does not answer is not waited for beyond the drain time.
    const patience = new AbortController();
    const settled = Promise.all([...this.#actors.values()].map((actor) => actor.idle())).then(() =>
      this.committer.idle(),
    );
    await Promise.race([settled, sleep(this.clock, Math.max(drain, 1_000), patience.signal)]);
    patience.abort();
    this.stopped = true;
    this.committer.abandon();
    await this.lease.close();
    this.#watchers.stop();
  }
}
