/**
 * Group commit. What arrives while a batch is in flight is the next one; where the store takes several, it goes beside
 * the other when it is worth a batch, or the other is held up. A lone item is never delayed beyond the current turn of
 * the event loop. Answers come item by item; a batch whose answer was lost is sent again, with the same commit IDs,
 * before anything else touches its streams.
 * Spec: DUR-group-commit, DUR-lost-answer.
 */
import { isSwlError, SwlError, TurnoverMap } from "@swl/base";
import { type Answer, failure, failureKinds, type Item, type Store } from "@swl/store-provider";
import { sleep, turn } from "./clock.js";
import type { HostClock, HostLogEntry } from "./host-types.js";
import type { Observing } from "./observing.js";

/** Items that are worth a batch beside one that is under way: what each costs by itself would else be paid twice. */
const WORTH_A_BATCH = 32;
/** Milliseconds after which a batch under way is held up: something is in its way, and others need not wait for it. */
const HELD_UP = 100;
/** Batches in a row that may go without a turn of the event loop. */
const AT_ONCE = 4;

interface Waiting {
  readonly item: Item;
  readonly delayed: ((error: unknown) => void) | undefined;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

export class Committer {
  readonly #store: Store;
  readonly #clock: HostClock;
  readonly #log: (entry: HostLogEntry) => void;
  readonly #observing: Observing | undefined;
  #waiting: Waiting[] = [];
  /** Those that will still look for what is waiting: fewer than `#lanes` for a moment. */
  #looking = 0;
  /** When the last answer came nobody else was there: hardly anybody comes with whoever had it. */
  #alone = false;
  /** Batches in a row that went without a turn. */
  #atOnce = 0;
  readonly #lanes = new TurnoverMap<Promise<void>, true>();
  /** Batches that wait for their answer. */
  #busy = 0;
  /** Those of them that the store has failed, or that take long: nobody knows how long they will be under way. */
  #heldUp = 0;
  /** By stream. */
  readonly #inFlight = new TurnoverMap<string, Waiting>();
  #abandoned = false;

  constructor(store: Store, clock: HostClock, log: (entry: HostLogEntry) => void, observing?: Observing) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#observing = observing;
  }

  /**
   * Rejects with `host.stopped` only after `abandon`; a failing store is waited for. `delayed`: is told, perhaps more
   * than once, when the store has failed twice in a row.
   */
  submit(item: Item, delayed?: (error: unknown) => void): Promise<Answer> {
    if (this.#abandoned) return Promise.reject(stopped());
    return new Promise<Answer>((resolve, reject) => {
      this.#waiting.push({ item, delayed, resolve, reject });
      this.#look();
    });
  }

  /** Resolves when nothing is in flight or waiting. */
  async idle(): Promise<void> {
    while (this.#lanes.size > 0) await Promise.all(this.#lanes.keys());
  }

  /** Gives up waiting for a failing store: what is not answered yet is rejected. */
  abandon(): void {
    this.#abandoned = true;
    for (const waiting of [...this.#inFlight.values(), ...this.#waiting]) waiting.reject(stopped());
    this.#waiting = [];
  }

  /** What is waiting is looked for: at once where all that is under way is held up, else when there is enough of it. */
  #look(): void {
    if (this.#looking >= this.#most) return;
    const enough = Math.min(WORTH_A_BATCH, this.#store.info.limits.itemsPerBatch);
    if (this.#looking > this.#heldUp && this.#waiting.length < enough) return;
    this.#looking += 1;
    const lane: Promise<void> = this.#run().finally(() => this.#lanes.delete(lane));
    this.#lanes.set(lane, true);
  }

  /** Batches in flight at once. */
  get #most(): number {
    return this.#store.info.appendsAtOnce ?? 1;
  }

  async #run(): Promise<void> {
    for (;;) {
      await this.#gather();
      const batch = this.#take();
      if (batch.length === 0) break;
      for (const waiting of batch) this.#inFlight.set(waiting.item.stream, waiting);
      this.#busy += 1;
      this.#look();
      let heldUp = 0;
      const hold = (): void => {
        this.#heldUp += 1 - heldUp;
        heldUp = 1;
        if (this.#waiting.length > 0) this.#look();
      };
      const cancel = this.#most > 1 ? this.#clock.after(HELD_UP, hold) : undefined;
      await this.#commit(batch, hold);
      cancel?.();
      this.#heldUp -= heldUp;
      this.#busy -= 1;
      for (const { item } of batch) this.#inFlight.delete(item.stream);
      if (this.#waiting.length === 0) break;
    }
    this.#looking -= 1;
  }

  /**
   * One turn: everything that the current turn of the event loop still submits joins the batch. Who comes alone after
   * somebody who was alone goes at once, with those of the same step: a turn is a tenth of what a lone commit takes. But
   * others get their turn, too, where a store answers without one.
   */
  #gather(): Promise<void> | undefined {
    if (this.#alone && this.#atOnce < AT_ONCE) {
      this.#atOnce += 1;
      return undefined;
    }
    this.#atOnce = 0;
    return turn();
  }

  /** At most one item a stream, none of one in flight, and the store's limit; the others stay in order. */
  #take(): Waiting[] {
    const streams = new Set(this.#inFlight.keys());
    const batch: Waiting[] = [];
    const rest: Waiting[] = [];
    // Those who were answered together come back together: in two halves one is worked on while the other is carried.
    const halves = Math.min(this.#looking - this.#busy, Math.floor(this.#waiting.length / WORTH_A_BATCH));
    const share = Math.ceil(this.#waiting.length / Math.max(1, halves));
    const limit = Math.min(this.#store.info.limits.itemsPerBatch, share);
    for (const [index, waiting] of this.#waiting.entries()) {
      if (batch.length === limit) {
        this.#waiting = rest.concat(this.#waiting.slice(index));
        return batch;
      }
      if (!streams.has(waiting.item.stream)) {
        streams.add(waiting.item.stream);
        batch.push(waiting);
      } else {
        // Behind it nothing of the same stream may go first.
        streams.add(waiting.item.stream);
        rest.push(waiting);
      }
    }
    this.#waiting = rest;
    return batch;
  }

  async #commit(batch: readonly Waiting[], failed: () => void): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      if (this.#abandoned) {
        for (const waiting of batch) waiting.reject(stopped());
        return;
      }
      try {
        const began = this.#observing === undefined ? 0 : this.#clock.monotonic();
        const answers = await this.#store.append(batch.map((waiting) => waiting.item));
        if (this.#observing !== undefined) {
          const milliseconds = this.#clock.monotonic() - began;
          this.#observing.tell({ kind: "batch", items: batch.length, milliseconds });
        }
        this.#alone = batch.length === 1 && this.#waiting.length === 0;
        for (const [index, waiting] of batch.entries()) waiting.resolve(answers[index]!);
        return;
      } catch (error) {
        if (retryHelps(error, attempt)) {
          failed();
          if (attempt === 0) this.#warn(error);
          else for (const { delayed } of [...batch, ...this.#waiting]) delayed?.(error);
          await sleep(this.#clock, Math.min(1_000, 10 * 2 ** attempt));
        } else if (batch.length > 1) {
          // One item that the store cannot take never blocks the others.
          for (const waiting of batch) await this.#commit([waiting], failed);
          return;
        } else {
          batch[0]!.resolve({ kind: "refused", failure: asFailure(error) });
          return;
        }
      }
    }
  }

  #warn(error: unknown): void {
    this.#log({
      level: "warn",
      code: "store.unavailable",
      message: `The store did not take a commit; it is sent again: ${error instanceof Error ? error.message : String(error)}`,
    });
  }
}

function stopped(): SwlError {
  return new SwlError(
    "host.stopped",
    "The host stopped before the store answered; the commit may or may not be there.",
  );
}

/** A store that throws what is no SwlError breaks its contract: taken as a lost answer a few times, then as a refusal. */
function retryHelps(error: unknown, attempt: number): boolean {
  return isSwlError(error) ? error.details?.["retry"] === "same" : attempt < 5;
}

function asFailure(error: unknown): ReturnType<typeof failure> {
  const message = error instanceof Error ? error.message : String(error);
  const kind = isSwlError(error)
    ? failureKinds.find((candidate) => error.code === `store.${candidate}`)
    : undefined;
  return failure(kind ?? "incompatible", message);
}
