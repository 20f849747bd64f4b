/**
 * A map for entries that come and go all the time, each leading to much: what is under way in a process. A `Map` of the
 * platform that has grown old makes every further table old as well, and a table keeps what it held when it was replaced:
 * everything that the entries lead to is then taken for alive, moved about and freed by a full collection only. This one
 * begins a new `Map` now and then, so that what leaves it is gone.
 */

/** Deletions after which a new `Map` is begun, at least; more where more entries are to be copied. */
const least = 32;

export class TurnoverMap<Key, Value> {
  #entries = new Map<Key, Value>();
  #deleted = 0;

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  set(key: Key, value: Value): void {
    this.#entries.set(key, value);
  }

  /** True: it was there. */
  delete(key: Key): boolean {
    if (!this.#entries.delete(key)) return false;
    if (++this.#deleted >= Math.max(least, this.#entries.size)) {
      this.#entries = new Map(this.#entries);
      this.#deleted = 0;
    }
    return true;
  }

  /** Those that are there now, in the order in which they came. */
  keys(): readonly Key[] {
    return [...this.#entries.keys()];
  }

  /** Those that are there now, in the order in which they came. */
  values(): readonly Value[] {
    return [...this.#entries.values()];
  }
}
