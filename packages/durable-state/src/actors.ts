/**
 * The runs in a host's memory, each with its actor: those of which something is under way, and of the others the ones
 * that were served last, because what comes next for them need not be read then. What rests is a copy of what the store
 * has: it may be dropped at any time. Spec: DUR-accepted-order.
 */
import { TurnoverMap } from "@swl/base";
import type { RunActor } from "./run-actor.js";

/** Open runs remembered while nothing of them is under way; beyond them those served last. */
const MOST = 256;

export class Actors {
  readonly #make: (run: string) => RunActor;
  readonly #actors = new TurnoverMap<string, RunActor>();
  /** In the order in which they came to rest. */
  readonly #resting = new Set<string>();

  constructor(make: (run: string) => RunActor) {
    this.#make = make;
  }

  /** For whoever has something for it to do. */
  wake(run: string): RunActor {
    this.#resting.delete(run);
    const known = this.#actors.get(run);
    if (known !== undefined) return known;
    const made = this.#make(run);
    this.#actors.set(run, made);
    return made;
  }

  /** For whoever only looks. */
  find(run: string): RunActor | undefined {
    return this.#actors.get(run);
  }

  isAwake(run: string): boolean {
    return this.#actors.has(run) && !this.#resting.has(run);
  }

  all(): readonly RunActor[] {
    return this.#actors.values();
  }

  /** Nothing of it is under way any more. */
  rest(actor: RunActor): void {
    if (this.#actors.get(actor.id) !== actor) return;
    if (!actor.mayRest) {
      this.#actors.delete(actor.id);
      return;
    }
    this.#resting.add(actor.id);
    if (this.#resting.size <= MOST) return;
    const oldest = this.#resting.values().next().value as string;
    this.#resting.delete(oldest);
    this.#actors.delete(oldest);
  }
}
