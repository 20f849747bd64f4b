/**
 * Finds what nobody hinted at: accepted events, streams of dead owners, abandoned work, due deadlines, claimable work.
 * Recovery is nothing else: the same looks after a start as at any other time, and a look that fails is repeated.
 * Spec: DUR-recovery.
 */
import { isSwlError } from "@swl/base";
import type { Work } from "@swl/store-provider";
import { partsOfQueue } from "./formats.js";
import type { HostCore } from "./host-core.js";
import type { Notice } from "./notices.js";

const PAGE = 200;

export class Patrol {
  readonly #core: HostCore;
  readonly #poll: number;
  readonly #stop = new AbortController();
  #wake: (() => void) | undefined;
  #hinted = false;
  #claimAnswerLost = false;
  #loop: Promise<void> | undefined;

  constructor(core: HostCore, poll: number) {
    this.#core = core;
    this.#poll = poll;
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Work may be claimable: look for it now instead of at the next interval. */
  hint(): void {
    this.#hinted = true;
    this.#wake?.();
  }

  /** Ask the store at the next look which work it counts as ours. */
  reconcile(): void {
    this.#claimAnswerLost = true;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wake?.();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const all = [this.#unapplied, this.#orphaned, this.#abandoned, this.#due, this.#claim];
    const { clock } = this.#core;
    for (let next = 0; !this.#stop.signal.aborted; ) {
      const whole = clock.monotonic() >= next;
      if (whole) next = clock.monotonic() + this.#poll;
      this.#hinted = false;
      await this.#look(whole ? all : [this.#claim]);
      await this.#pause(next - clock.monotonic());
    }
  }

  #pause(milliseconds: number): Promise<void> {
    if (this.#hinted || this.#stop.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = () => {
        cancel();
        this.#wake = undefined;
        resolve();
      };
      const cancel = this.#core.clock.after(Math.max(0, milliseconds), this.#wake);
    });
  }

  async #look(looks: readonly (() => Promise<void>)[]): Promise<void> {
    for (const look of looks) {
      if (this.#stop.signal.aborted) return;
      try {
        await look.call(this);
      } catch (error) {
        const code = isSwlError(error) ? error.code : "store.unavailable";
        const message = `A look at the store failed: ${String((error as Error).message)}`;
        this.#core.log({ level: "warn", code, message });
      }
    }
  }

  async #unapplied(): Promise<void> {
    for (let after: string | undefined; ; ) {
      const page = await this.#core.store.unapplied(PAGE, after);
      for (const run of page) if (!this.#core.isUnserved(run)) this.#core.actor(run).hint();
      if (page.length < PAGE) return;
      after = page.at(-1);
    }
  }

  async #orphaned(): Promise<void> {
    for (let after: string | undefined; ; ) {
      const page = await this.#core.store.orphaned(PAGE, after);
      for (const { stream, owner } of page) this.#notice(stream, { kind: "orphaned", owner });
      if (page.length < PAGE) return;
      after = page.at(-1)?.stream;
    }
  }

  async #abandoned(): Promise<void> {
    for (let after: string | undefined; ; ) {
      const page = await this.#core.store.abandoned(PAGE, after);
      for (const work of page) this.#notice(work.stream, { kind: "abandoned", work });
      if (page.length < PAGE) return;
      after = page.at(-1)?.id;
    }
  }

  async #due(): Promise<void> {
    for (let passed = 0; ; passed += PAGE) {
      const page = await this.#core.store.due(PAGE, passed);
      for (const { stream, key } of page) this.#notice(stream, { kind: "due", key });
      if (page.length < PAGE) return;
    }
  }

  async #claim(): Promise<void> {
    const { store, dispatcher, lease } = this.#core;
    if (!lease.running()) return;
    if (this.#claimAnswerLost) {
      const held = await store.held(lease.holder);
      this.#claimAnswerLost = false;
      this.#handOut(held);
    }
    const queues = await this.#wantedQueues();
    if (queues.length === 0) return;
    try {
      const claimed = await store.claim(lease.holder, { queues });
      for (const { queue, limit } of queues) {
        const taken = claimed.filter((work) => work.queue === queue).length;
        if (taken === limit) dispatcher.want(partsOfQueue(queue).action);
      }
      this.#handOut(claimed);
    } catch (error) {
      // The store may have given us work whose names we never heard.
      this.#claimAnswerLost = true;
      throw error;
    }
  }

  /** No more in all than could begin now: what is claimed and cannot begin only keeps others from it. */
  async #wantedQueues(): Promise<{ readonly queue: string; readonly limit: number }[]> {
    const { store, dispatcher } = this.#core;
    const wanted = [];
    let left = dispatcher.freeInAll;
    const taken = new Map<string, number>();
    for (let after: string | undefined; ; ) {
      const page = await store.queues(PAGE, after);
      for (const queue of page) {
        const { action, provider } = partsOfQueue(queue);
        const bound = dispatcher.providerOf(action);
        if (bound?.id !== provider || bound.remote) continue;
        const limit = Math.min(dispatcher.free(action) - (taken.get(action) ?? 0), left, PAGE);
        if (limit <= 0) {
          dispatcher.want(action);
          continue;
        }
        wanted.push({ queue, limit });
        taken.set(action, (taken.get(action) ?? 0) + limit);
        left -= limit;
      }
      if (page.length < PAGE) return wanted;
      after = page.at(-1);
    }
  }

  #handOut(claimed: readonly Work[]): void {
    for (const work of claimed) {
      if (this.#core.isLive(work)) continue;
      if (this.#core.isGivingBack(work.id)) {
        // Perhaps given back and claimed again before the answer of the give-back came: asked about until it is there.
        this.#claimAnswerLost = true;
        continue;
      }
      if (this.#core.isUnserved(work.stream)) this.#core.giveBack([work.id], 5_000);
      else this.#core.actor(work.stream).notice({ kind: "claimed", work });
    }
  }

  #notice(run: string, notice: Notice): void {
    if (!this.#core.isUnserved(run)) this.#core.actor(run).notice(notice);
  }
}
