/**
 * Entries kept in the order of a comparison: adding, removing and finding a place are binary searches, and move no more
 * than a part of the entries. What the host's queries read, so that none of them walks over every stream.
 */

/** A part that has more entries is divided. */
const MOST = 512;

interface Place {
  readonly part: number;
  readonly at: number;
}

export class SortedIndex<T> {
  /** In order; none of them empty. */
  readonly #parts: T[][] = [];
  readonly #compare: (a: T, b: T) => number;
  #size = 0;

  /** Two entries that compare as 0 are the same entry. */
  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#size;
  }

  add(entry: T): void {
    const { part, at } = this.#place(entry);
    const there = this.#parts[part]?.[at];
    if (there !== undefined && this.#compare(there, entry) === 0) {
      this.#parts[part]![at] = entry;
      return;
    }
    this.#size += 1;
    // Behind the last entry: into the last part.
    const into = Math.min(part, this.#parts.length - 1);
    const entries = this.#parts[into];
    if (entries === undefined) {
      this.#parts.push([entry]);
      return;
    }
    entries.splice(into === part ? at : entries.length, 0, entry);
    if (entries.length > MOST) this.#parts.splice(into + 1, 0, entries.splice(MOST / 2));
  }

  delete(entry: T): void {
    const { part, at } = this.#place(entry);
    const entries = this.#parts[part];
    const there = entries?.[at];
    if (entries === undefined || there === undefined || this.#compare(there, entry) !== 0) return;
    this.#size -= 1;
    if (entries.length === 1) this.#parts.splice(part, 1);
    else entries.splice(at, 1);
  }

  /** In order, from the first entry for which `past` holds; it must hold for every later one too. */
  *from(past: (entry: T) => boolean = () => true): Generator<T> {
    let { part, at } = this.#search(past);
    for (; part < this.#parts.length; part += 1, at = 0) {
      const entries = this.#parts[part] as T[];
      for (; at < entries.length; at += 1) yield entries[at] as T;
    }
  }

  /** Backwards, from the last entry for which `past` does not hold. */
  *downFrom(past: (entry: T) => boolean = () => false): Generator<T> {
    let { part, at } = this.#search(past);
    for (; part >= 0; part -= 1, at = this.#parts[part]?.length ?? 0) {
      const entries = this.#parts[part] ?? [];
      for (at -= 1; at >= 0; at -= 1) yield entries[at] as T;
    }
  }

  #place(entry: T): Place {
    return this.#search((other) => this.#compare(other, entry) >= 0);
  }

  /** Where the first entry for which `past` holds is; behind the last part when there is none. */
  #search(past: (entry: T) => boolean): Place {
    const part = first(this.#parts, (entries) => past(entries[entries.length - 1] as T));
    const entries = this.#parts[part];
    return { part, at: entries === undefined ? 0 : first(entries, past) };
  }
}

function first<T>(entries: readonly T[], past: (entry: T) => boolean): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (past(entries[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Indexes by name, made when first written. */
export class IndexMap<T> {
  readonly #indexes = new Map<string, SortedIndex<T>>();
  readonly #compare: (a: T, b: T) => number;

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  add(name: string, entry: T): void {
    let index = this.#indexes.get(name);
    if (index === undefined) {
      index = new SortedIndex(this.#compare);
      this.#indexes.set(name, index);
    }
    index.add(entry);
  }

  delete(name: string, entry: T): void {
    const index = this.#indexes.get(name);
    index?.delete(entry);
    if (index?.size === 0) this.#indexes.delete(name);
  }

  get(name: string): SortedIndex<T> | undefined {
    return this.#indexes.get(name);
  }

  names(): IterableIterator<string> {
    return this.#indexes.keys();
  }
}
