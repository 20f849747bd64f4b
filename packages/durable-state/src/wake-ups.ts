/**
 * What the store tells of others' commits, as hints: a run with accepted events, a queue with work. Nothing depends on
 * them; whatever is lost is found by looking. Spec: DUR-wake-ups.
 */
import type { Wake } from "@swl/store-provider";
import { partsOfQueue } from "./formats.js";
import type { HostCore } from "./host-core.js";

export class WakeUps {
  readonly #core: HostCore;
  readonly #knows: (run: string) => boolean;
  /** Milliseconds: a run that this host does not have in memory is looked at after a random part of them. */
  readonly #patience: number;
  readonly #soon = new Map<string, () => void>();
  #unwatch: (() => void) | undefined;

  constructor(core: HostCore, patience: number, knows: (run: string) => boolean) {
    this.#core = core;
    this.#patience = patience;
    this.#knows = knows;
  }

  start(): void {
    this.#unwatch = this.#core.store.watch((wakes) => {
      for (const wake of wakes) this.#heard(wake);
    });
  }

  stop(): void {
    this.#unwatch?.();
    for (const cancel of this.#soon.values()) cancel();
    this.#soon.clear();
  }

  #heard({ kind, name }: Wake): void {
    const core = this.#core;
    if (kind === "work") {
      const { action, provider } = partsOfQueue(name);
      if (core.dispatcher.providerOf(action)?.id === provider) core.lookForWork();
    }
    if (kind !== "records" || core.isPassedOver(name) || this.#soon.has(name)) return;
    if (this.#knows(name)) {
      core.actor(name).hint();
      return;
    }
    // Every host hears it: who is first serves the run, and the others then find nothing to do.
    const look = (): void => {
      this.#soon.delete(name);
      core.actor(name).hint();
    };
    this.#soon.set(name, core.clock.after(core.jitter(this.#patience), look));
  }
}
