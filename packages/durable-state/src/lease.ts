/**
 * One lease for the whole host, renewed long before it ends. By its own monotonic clock the host counts the lease as
 * ended before the store does, so it never begins anything under a lease that somebody may have taken over. A renewal
 * that is refused makes a new incarnation. Spec: DUR-lease.
 */
import { isSwlError, SwlError } from "@swl/base";
import type { Store } from "@swl/store-provider";
import { type StoreClock, sleep } from "./clock.js";
import type { HostClock, HostLogEntry } from "./host-types.js";

export interface LeaseOptions {
  readonly store: Store;
  readonly clock: HostClock;
  readonly storeClock: StoreClock;
  readonly holder: string;
  readonly lease: number;
  /** Refuse to open while another host's lease runs. */
  readonly exclusive: boolean;
  readonly waitForLease: number;
  /** Aborted: it is not waited for any longer. */
  readonly signal: AbortSignal | undefined;
  readonly log: (entry: HostLogEntry) => void;
  /** The lease runs, after a time in which nothing could begin. */
  readonly regained: () => void;
}

export class Lease {
  readonly #options: LeaseOptions;
  readonly #incarnations: string[];
  readonly #stop = new AbortController();
  #until = 0;
  /** The wall clock when the store was last asked. */
  #asked = 0;
  #held = false;
  #early: (() => void) | undefined;
  #loop: Promise<void> | undefined;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#incarnations = [options.holder];
  }

  get holder(): string {
    return this.#incarnations.at(-1)!;
  }

  /** True for the current and every earlier incarnation of this host. */
  isMine(holder: string | undefined): boolean {
    return holder !== undefined && this.#incarnations.includes(holder);
  }

  /**
   * With a margin of a tenth: by the time an attempt begins the store still counts the lease as running. A machine that
   * slept may have stopped its monotonic clock; a wall clock that went on, or jumped, is reason enough to ask again.
   */
  running(): boolean {
    const { clock, lease } = this.#options;
    const certain = lease - lease / 10;
    if (clock.monotonic() >= this.#until - lease + certain) return false;
    if (clock.now() - this.#asked < certain) return true;
    this.doubt();
    return false;
  }

  /** The store no longer counts it as running: nothing begins until a renewal, which is tried at once. */
  doubt(): void {
    this.#until = 0;
    this.#early?.();
  }

  /** Throws `host.stopped`; exclusive, `store.host-active` while another host's lease runs longer than the host may wait. */
  async open(): Promise<void> {
    const { clock, waitForLease, signal } = this.#options;
    const giveUp = clock.monotonic() + waitForLease;
    for (;;) {
      if (signal?.aborted)
        throw new SwlError("host.stopped", "The host was told to stop before it was open.");
      const active = await this.#acquire();
      if (active === undefined) break;
      const left = active.until - active.now;
      if (clock.monotonic() + left > giveUp) {
        throw new SwlError(
          "store.host-active",
          `Another host holds this store for ${Math.ceil(left)} ms more.`,
          {
            details: { holder: active.holder, until: active.until },
            hint: "Stop the other host, wait for its lease to run out (option waitForLease, `--wait-for-lease MS` of swl), or share the store: leave out exclusive.",
          },
        );
      }
      await sleep(clock, Math.min(left, 50) + 1, signal);
    }
    this.#loop = this.#renew();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#early?.();
    await this.#loop;
    this.#until = 0;
    await this.#options.store.closeHolder(this.holder).catch(() => undefined);
  }

  async #acquire(): Promise<{ holder: string; until: number; now: number } | undefined> {
    const { store, clock, storeClock, lease, exclusive } = this.#options;
    const asked = clock.monotonic();
    const wall = clock.now();
    const answer = await store.openHolder(this.holder, { lease, exclusive });
    storeClock.correct(answer.now);
    if (answer.kind === "active") return answer;
    if (answer.kind === "lease-lost") {
      this.#incarnations.push(this.#nextName());
      return this.#acquire();
    }
    this.#held = true;
    this.#runsUntil(asked + lease, wall);
    return undefined;
  }

  #runsUntil(until: number, asked: number): void {
    const ran = this.running();
    this.#until = until;
    this.#asked = asked;
    if (!ran) this.#options.regained();
  }

  async #renew(): Promise<void> {
    const { store, clock, storeClock, lease, log } = this.#options;
    const stop = this.#stop.signal;
    for (;;) {
      await this.#pause(lease / 4);
      if (stop.aborted) return;
      try {
        if (!this.#held) {
          await this.#acquire();
          continue;
        }
        const asked = clock.monotonic();
        const wall = clock.now();
        const answer = await store.renewHolder(this.holder, lease);
        storeClock.correct(answer.now);
        if (answer.kind === "held") {
          this.#runsUntil(asked + lease, wall);
        } else {
          log({ level: "warn", code: "store.lease-lost", message: `The lease of ${this.holder} ran out.` });
          this.#held = false;
          this.#until = 0;
          this.#incarnations.push(this.#nextName());
          await this.#acquire();
        }
      } catch (error) {
        const code = isSwlError(error) ? error.code : "store.unavailable";
        log({
          level: "warn",
          code,
          message: `The lease could not be renewed: ${String((error as Error).message)}`,
        });
      }
    }
  }

  /** Cut short by `doubt` and `close`. */
  #pause(milliseconds: number): Promise<void> {
    if (this.#stop.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.#early = () => {
        cancel();
        this.#early = undefined;
        resolve();
      };
      const cancel = this.#options.clock.after(milliseconds, this.#early);
    });
  }

  #nextName(): string {
    return `${this.#options.holder}~${this.#incarnations.length + 1}`;
  }
}
