/**
 * A process as far as others can tell: it lives, stands still like a stopped one, or is dead. What comes for it while
 * it stands still waits; what comes for a dead one is lost. Its wall clock may be set, its monotonic one never goes back.
 */
import type { HostClock } from "@swl/durable-state";
import type { World } from "./world.ts";

export class Life {
  readonly name: string;
  readonly clock: HostClock;
  dead = false;
  /** It takes no requests any more. */
  leaving = false;
  /** It hears of no commit until then. */
  deafUntil = 0;
  /** No renewal of its lease reaches the store until then. */
  starvedUntil = 0;
  readonly #world: World;
  #ahead = 0;
  #held: (() => void)[] | undefined;

  constructor(world: World, name: string) {
    this.#world = world;
    this.name = name;
    this.clock = {
      now: () => world.now + this.#ahead,
      monotonic: () => world.elapsed,
      after: (milliseconds, wake) => this.after(milliseconds, wake),
    };
  }

  after(milliseconds: number, run: () => void): () => void {
    let canceled = false;
    const cancel = this.#world.after(milliseconds, () => {
      const happen = (): void => {
        if (!canceled) run();
      };
      if (this.dead) return;
      if (this.#held !== undefined) this.#held.push(happen);
      else happen();
    });
    return () => {
      canceled = true;
      cancel();
    };
  }

  get frozen(): boolean {
    return this.#held !== undefined;
  }

  kill(): void {
    this.dead = true;
    this.#held = undefined;
  }

  freeze(milliseconds: number): void {
    if (this.dead || this.frozen) return;
    this.#held = [];
    this.#world.after(milliseconds, () => this.#thaw());
  }

  setClock(by: number): void {
    this.#ahead += by;
  }

  /** In the order in which it came, as far as chance lets it. */
  #thaw(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#world.tell(`${this.name} goes on`);
    for (const run of held) this.after(0, run);
  }
}
