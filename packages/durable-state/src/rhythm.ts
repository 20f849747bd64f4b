/**
 * When to look at the store again: soon while there is something to find, ever more rarely while there is not, at once
 * on a hint, and at the instants that this host's own commits are known to fall due. Spec: DUR-wake-ups.
 */
import type { HostClock } from "./host-types.js";

export interface RhythmOptions {
  readonly clock: HostClock;
  /** Milliseconds: the shortest and the longest pause. */
  readonly poll: number;
  readonly idlePoll: number;
  /** 0..1: hosts of one store do not look in step. */
  readonly random: () => number;
}

/** Instants that are remembered at once: the nearest. */
const MOST = 10_000;

export class Rhythm {
  readonly #options: RhythmOptions;
  readonly #dues = new Map<number, () => void>();
  #pause = 0;
  #next = 0;
  #hinted = false;
  #wake: (() => void) | undefined;
  #stopped = false;

  constructor(options: RhythmOptions) {
    this.#options = options;
  }

  /** True when the time for a whole look has come. */
  get whole(): boolean {
    return this.#options.clock.monotonic() >= this.#next;
  }

  /** A look begins: it answers the hints that have come so far. */
  begin(): void {
    this.#hinted = false;
  }

  /** A whole look is over. */
  looked(found: boolean): void {
    const { clock, poll, idlePoll, random } = this.#options;
    this.#pause = found ? poll : Math.min(idlePoll, Math.max(poll, this.#pause * 2));
    this.#next = clock.monotonic() + this.#pause * (1 - random() / 4);
  }

  /** Something is going on: the next whole look comes soon. */
  stir(): void {
    const { clock, poll } = this.#options;
    this.#pause = poll;
    this.#next = Math.min(this.#next, clock.monotonic() + poll);
  }

  /** Something may be there now. */
  hint(): void {
    this.#hinted = true;
    this.#wake?.();
  }

  /** Something falls due after so many milliseconds: a whole look then, whatever the pause has grown to. */
  dueIn(milliseconds: number): void {
    const { clock, poll } = this.#options;
    const at = Math.ceil((clock.monotonic() + milliseconds + 1) / poll) * poll;
    if (this.#stopped || this.#dues.has(at)) return;
    if (this.#dues.size >= MOST) this.#forgetFarthest();
    const look = (): void => {
      this.#dues.delete(at);
      this.#next = 0;
      this.#pause = 0;
      this.#wake?.();
    };
    this.#dues.set(at, clock.after(at - clock.monotonic(), look));
  }

  /** Half of them, those that come last: a look that comes around finds them, at most `idlePoll` late. */
  #forgetFarthest(): void {
    const farthest = [...this.#dues].sort(([a], [b]) => b - a).slice(0, MOST / 2);
    for (const [at, cancel] of farthest) {
      cancel();
      this.#dues.delete(at);
    }
  }

  /** Until there is reason to look. */
  wait(): Promise<void> {
    if (this.#hinted || this.#stopped) return Promise.resolve();
    const { clock } = this.#options;
    return new Promise((resolve) => {
      this.#wake = () => {
        cancel();
        this.#wake = undefined;
        resolve();
      };
      const cancel = clock.after(Math.max(0, this.#next - clock.monotonic()), this.#wake);
    });
  }

  stop(): void {
    this.#stopped = true;
    for (const cancel of this.#dues.values()) cancel();
    this.#dues.clear();
    this.#wake?.();
  }
}
