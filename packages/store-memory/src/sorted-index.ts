/**
 * Entries kept in the order of a comparison: adding, removing and finding a place are binary searches. What the host's
 * queries read, so that none of them walks over every stream.
 */
export class SortedIndex<T> {
  readonly #entries: T[] = [];
  readonly #compare: (a: T, b: T) => number;

  /** Two entries that compare as 0 are the same entry. */
  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#entries.length;
  }

  add(entry: T): void {
    const place = this.#place(entry);
    const there = this.#entries[place];
    if (there !== undefined && this.#compare(there, entry) === 0) this.#entries[place] = entry;
    else this.#entries.splice(place, 0, entry);
  }

  delete(entry: T): void {
    const place = this.#place(entry);
    const there = this.#entries[place];
    if (there !== undefined && this.#compare(there, entry) === 0) this.#entries.splice(place, 1);
  }

  /** In order, from the first entry for which `past` holds; it must hold for every later one too. */
  *from(past: (entry: T) => boolean = () => true): Generator<T> {
    for (let place = this.#search(past); place < this.#entries.length; place += 1) {
      yield this.#entries[place] as T;
    }
  }

  /** Backwards, from the last entry for which `past` does not hold. */
  *downFrom(past: (entry: T) => boolean = () => false): Generator<T> {
    for (let place = this.#search(past) - 1; place >= 0; place -= 1) yield this.#entries[place] as T;
  }

  #place(entry: T): number {
    return this.#search((other) => this.#compare(other, entry) >= 0);
  }

  #search(past: (entry: T) => boolean): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (past(this.#entries[middle] as T)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
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
