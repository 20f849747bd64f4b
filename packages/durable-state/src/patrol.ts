/**
 * Finds what nobody hinted at: accepted events, streams of dead owners, abandoned work, due deadlines, claimable work.
 * Recovery is nothing else: the same looks after a start as at any other time, and a look that fails is repeated.
 * Spec: DUR-recovery.
 */
import { isSwlError } from "@swl/base";
import type { Work } from "@swl/store-provider";
import { askOf, partsOfQueue } from "./formats.js";
import type { HostCore } from "./host-core.js";
import type { Notice } from "./notices.js";
import type { Rhythm } from "./rhythm.js";
import { Shares } from "./shares.js";
import { dealt } from "./slots.js";

const PAGE = 200;

interface Wanted {
  readonly queue: string;
  readonly limit: number;
}

export class Patrol {
  readonly #core: HostCore;
  readonly #rhythm: Rhythm;
  readonly #stop = new AbortController();
  #claimAnswerLost = false;
  /** Actions of which work waits and none could begin at the last look. */
  readonly #full = new Set<string>();
  readonly #shares: Shares;
  /** Claimed, and on its way to a slot: what is free is not for the next claim. */
  #handed: readonly Work[] = [];
  /** The queue that came first when work was claimed last. */
  #served = "";
  #loop: Promise<void> | undefined;

  /** `patience`: milliseconds for which what a dead host leaves is left to the host that it falls to. */
  constructor(core: HostCore, rhythm: Rhythm, patience: number) {
    this.#core = core;
    this.#rhythm = rhythm;
    const { store, clock, lease } = core;
    this.#shares = new Shares({ store, clock, lease, patience });
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Ask the store at the next look which work it counts as ours. */
  reconcile(): void {
    this.#claimAnswerLost = true;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#rhythm.stop();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const all = [this.#unapplied, this.#orphaned, this.#abandoned, this.#due, this.#claim];
    const rhythm = this.#rhythm;
    while (!this.#stop.signal.aborted) {
      const whole = rhythm.whole;
      rhythm.begin();
      const found = await this.#look(whole ? all : [this.#claim]);
      if (whole) rhythm.looked(found);
      else if (found) rhythm.stir();
      await rhythm.wait();
    }
  }

  /** True when any of them found something; a look that failed is repeated soon. */
  async #look(looks: readonly (() => Promise<boolean>)[]): Promise<boolean> {
    let found = false;
    for (const look of looks) {
      if (this.#stop.signal.aborted) return found;
      try {
        found = (await look.call(this)) || found;
      } catch (error) {
        found = true;
        const code = isSwlError(error) ? error.code : "store.unavailable";
        const message = `A look at the store failed: ${String((error as Error).message)}`;
        this.#core.log({ level: "warn", code, message });
      }
    }
    return found;
  }

  async #unapplied(): Promise<boolean> {
    let found = false;
    for (let after: string | undefined; ; ) {
      const page = await this.#core.store.unapplied(PAGE, after);
      for (const run of page) {
        if (this.#core.isPassedOver(run)) continue;
        this.#core.actor(run).hint();
        found = true;
      }
      if (page.length < PAGE) return found;
      after = page.at(-1);
    }
  }

  async #orphaned(): Promise<boolean> {
    let found = false;
    this.#shares.begin();
    for (let after: string | undefined; ; ) {
      const page = await this.#core.store.orphaned(PAGE, after);
      for (const { stream, owner } of page) {
        const mine = await this.#shares.isMine(stream, owner);
        // What is left to another host is looked at again soon.
        found = !mine || this.#notice(stream, { kind: "orphaned", owner }) || found;
      }
      if (page.length < PAGE) return found;
      after = page.at(-1)?.stream;
    }
  }

  async #abandoned(): Promise<boolean> {
    let found = false;
    for (let after: string | undefined; ; ) {
      const page = await this.#core.store.abandoned(PAGE, after);
      for (const work of page) {
        if (work.holder !== undefined && askOf(work) !== undefined) {
          // A question of a dead host: asking it again does no harm, so nothing needs to be said of it in the log.
          await this.#core.store.unclaim(work.holder, [work.id]);
          found = true;
        } else found = this.#notice(work.stream, { kind: "abandoned", work }) || found;
      }
      if (page.length < PAGE) return found;
      after = page.at(-1)?.id;
    }
  }

  async #due(): Promise<boolean> {
    let found = false;
    for (let passed = 0; ; passed += PAGE) {
      const page = await this.#core.store.due(PAGE, passed);
      for (const { stream, key } of page) {
        if (this.#core.isPassedOver(stream)) continue;
        found = this.#notice(stream, { kind: "due", key }) || found;
      }
      if (page.length < PAGE) return found;
    }
  }

  async #claim(): Promise<boolean> {
    const { store, lease } = this.#core;
    // The lease says when it runs again.
    if (!lease.running()) return false;
    if (this.#claimAnswerLost) {
      const held = await store.held(lease.holder);
      this.#claimAnswerLost = false;
      this.#handOut(held);
    }
    const queues = await this.#wantedQueues();
    if (queues.length === 0) {
      this.#more([], []);
      return false;
    }
    try {
      const claimed = await store.claim(lease.holder, { queues });
      this.#more(queues, claimed);
      this.#observed(claimed);
      this.#handOut(claimed);
      return claimed.length > 0;
    } catch (error) {
      // The store may have given us work whose names we never heard.
      this.#claimAnswerLost = true;
      throw error;
    }
  }

  #observed(claimed: readonly Work[]): void {
    const { observing, storeClock } = this.#core;
    if (observing === undefined) return;
    const now = storeClock.estimate();
    for (const { queue, notBefore } of claimed) {
      const { action, asks } = partsOfQueue(queue);
      if (!asks) observing.tell({ kind: "claim", action, lag: Math.max(0, now - notBefore) });
    }
  }

  /** Of whose queue as much was claimed as was asked for, more may wait. */
  #more(queues: readonly Wanted[], claimed: readonly Work[]): void {
    const { dispatcher } = this.#core;
    const still = new Set(this.#full);
    let again = false;
    // Next time the one after it is first: by what was served, not by how often was looked.
    const served = queues.find(
      ({ queue }) => !partsOfQueue(queue).asks && claimed.some((work) => work.queue === queue),
    );
    this.#served = served?.queue ?? this.#served;
    for (const { queue, limit } of queues) {
      if (claimed.filter((work) => work.queue === queue).length < limit) continue;
      const { action, asks } = partsOfQueue(queue);
      if (asks) dispatcher.inquiries.want();
      else {
        dispatcher.want(action);
        still.add(action);
        again ||= dispatcher.free(action) > limit;
      }
    }
    dispatcher.stillWanted(still);
    if (again) this.#rhythm.hint();
  }

  /** No more in all than could begin now: what is claimed and cannot begin only keeps others from it. */
  async #wantedQueues(): Promise<readonly Wanted[]> {
    const { store, dispatcher } = this.#core;
    const wanted: Wanted[] = [];
    const queues: { readonly queue: string; readonly action: string; readonly most: number }[] = [];
    const handed = this.#onTheWay();
    let leftToAsk = dispatcher.inquiries.free - handed.asks;
    this.#full.clear();
    for (let after: string | undefined; ; ) {
      const page = await store.queues(PAGE, after);
      for (const queue of page) {
        const { action, provider, asks } = partsOfQueue(queue);
        const bound = dispatcher.providerOf(action);
        if (bound?.id !== provider || (bound.remote && !asks)) continue;
        if (asks) {
          const limit = Math.min(leftToAsk, PAGE);
          if (limit > 0) wanted.push({ queue, limit });
          else dispatcher.inquiries.want();
          leftToAsk -= limit;
        } else {
          const free = dispatcher.free(action) - (handed.of.get(action) ?? 0);
          queues.push({ queue, action, most: Math.max(0, Math.min(free, PAGE)) });
        }
      }
      if (page.length < PAGE) break;
      after = page.at(-1);
    }
    return [...wanted, ...this.#shared(queues, Math.max(0, dispatcher.freeInAll - handed.attempts))];
  }

  /** How much of what was claimed has neither begun nor been given back yet. */
  #onTheWay(): {
    readonly asks: number;
    readonly attempts: number;
    readonly of: ReadonlyMap<string, number>;
  } {
    const of = new Map<string, number>();
    let [asks, attempts] = [0, 0];
    this.#handed = this.#handed.filter((work) => this.#core.isClaimed(work));
    for (const { queue } of this.#handed) {
      const parts = partsOfQueue(queue);
      if (parts.asks) asks += 1;
      else {
        attempts += 1;
        of.set(parts.action, (of.get(parts.action) ?? 0) + 1);
      }
    }
    return { asks, attempts, of };
  }

  /** DUR-concurrency: in turn, so that no queue has all the slots while others wait. */
  #shared(
    queues: readonly { readonly queue: string; readonly action: string; readonly most: number }[],
    free: number,
  ): readonly Wanted[] {
    const { dispatcher } = this.#core;
    const taken = new Map<string, number>();
    const after = queues.findIndex(({ queue }) => queue > this.#served);
    return dealt(queues, free, Math.max(0, after)).flatMap(({ of, limit }) => {
      const { queue, action } = of;
      const left = Math.min(limit, of.most - (taken.get(action) ?? 0));
      if (left <= 0) {
        this.#full.add(action);
        dispatcher.want(action);
        return [];
      }
      taken.set(action, (taken.get(action) ?? 0) + left);
      return [{ queue, limit: left }];
    });
  }

  #handOut(claimed: readonly Work[]): void {
    const handed: Work[] = [];
    for (const work of claimed) {
      if (this.#core.isLive(work)) continue;
      if (this.#core.isGivingBack(work.id)) {
        // Perhaps given back and claimed again before the answer of the give-back came: asked about until it is there.
        this.#claimAnswerLost = true;
        continue;
      }
      if (this.#core.isUnserved(work.stream)) this.#core.leaveToOthers([work.id]);
      else {
        this.#core.actor(work.stream).notice({ kind: "claimed", work });
        handed.push(work);
      }
    }
    if (handed.length > 0) this.#handed = this.#handed.concat(handed);
  }

  /** False: it is for others to see to. */
  #notice(run: string, notice: Notice): boolean {
    if (this.#core.isUnserved(run)) return false;
    this.#core.actor(run).notice(notice);
    return true;
  }
}
