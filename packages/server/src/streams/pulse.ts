/**
 * When to look again: at a hint, after a pause that grows while nothing happens, or when it is over. Hints only shorten
 * the pause. A pulse is opened before the first look, so that nothing falls between the look and the wait.
 */
import type { Wake } from "@swl/store-provider";

export type Hints = (listener: (wakes: readonly Wake[]) => void) => () => void;

const SHORTEST = 50;

export class Pulse {
  readonly #longest: number;
  readonly #over: readonly AbortSignal[];
  readonly #unwatch: () => void;
  #hinted = false;
  #wake: () => void = () => undefined;
  #pause = SHORTEST;
  readonly #end = (): void => this.#wake();

  /** `longest`: milliseconds of the longest pause. `about`: which hints count. */
  constructor(
    hints: Hints | undefined,
    about: (wake: Wake) => boolean,
    longest: number,
    over: readonly AbortSignal[],
  ) {
    this.#longest = longest;
    // Not one signal made of all: with a listener it would live as long as the longest of them.
    this.#over = over;
    for (const signal of over) signal.addEventListener("abort", this.#end);
    this.#unwatch =
      hints?.((wakes) => {
        if (!wakes.some(about)) return;
        this.#hinted = true;
        this.#wake();
      }) ?? (() => undefined);
  }

  get over(): boolean {
    return this.#over.some((signal) => signal.aborted);
  }

  /** Something happened: look soon again. */
  moved(): void {
    this.#pause = SHORTEST;
  }

  /** Until the next look is due, at most so many milliseconds. */
  async next(most: number): Promise<void> {
    if (!this.#hinted && !this.over) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(this.#pause, most));
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    if (this.#hinted) this.#pause = SHORTEST;
    else this.#pause = Math.min(this.#longest, this.#pause * 2);
    this.#hinted = false;
    this.#wake = () => undefined;
  }

  close(): void {
    this.#unwatch();
    for (const signal of this.#over) signal.removeEventListener("abort", this.#end);
  }
}
