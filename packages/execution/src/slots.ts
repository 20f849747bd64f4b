/**
 * Slots in memory: an immutable map from string to JSON whose newest version costs what a plain `Map` costs. Baker's
 * trick: the newest version owns the one `Map`; an older version holds only what differs from its successor, and
 * takes the `Map` over when somebody reads it. So a step forward is O(slots written), whatever the size; reading an
 * old branch costs its distance. Nothing a caller can see ever changes. Spec: EXE-state.
 */
import { type Json, setOwn } from "@swl/base";

/** What to write: `undefined` removes the key. */
export type Writes = ReadonlyMap<string, Json | undefined>;

/** One entry that differs, and the others. */
interface Diff {
  readonly key: string;
  readonly value: Json | undefined;
  readonly others: Diff | undefined;
}

/**
 * Versions in a row that may share a `Map`, at least, and for each slot. An old version that the garbage collector
 * has not reached yet keeps its successors alive; so does a dead one among long-lived objects.
 */
const chained = { least: 64, eachSlot: 4 };

export class Slots {
  /** The shared map, while this version owns it. */
  #map: Map<string, Json> | undefined;
  /** What this version has where `#next` has something else. */
  #diff: Diff | undefined;
  #next: Slots | undefined;
  /** Versions before this one that share its map, or did. */
  readonly #depth: number;

  private constructor(map: Map<string, Json>, depth: number) {
    this.#map = map;
    this.#diff = undefined;
    this.#next = undefined;
    this.#depth = depth;
  }

  static readonly empty: Slots = new Slots(new Map(), 0);

  static of(entries: Iterable<readonly [string, Json]>): Slots {
    return new Slots(new Map(entries), 0);
  }

  get(key: string): Json | undefined {
    return (this.#map ?? this.#reroot()).get(key);
  }

  get size(): number {
    return (this.#map ?? this.#reroot()).size;
  }

  /** In no particular order. A snapshot: later versions do not disturb it. */
  entries(): readonly (readonly [string, Json])[] {
    return [...(this.#map ?? this.#reroot())];
  }

  /** As a plain object, keys in code unit order. */
  toJSON(): { readonly [key: string]: Json } {
    const object: { [key: string]: Json } = {};
    const sorted = [...this.entries()].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    for (const [key, value] of sorted) setOwn(object, key, value);
    return object;
  }

  /** The next version. This one stays readable. */
  with(writes: Writes): Slots {
    if (writes.size === 0) return this;
    const map = this.#map ?? this.#reroot();
    // The empty map is shared by every run: it is copied (for free) rather than handed on.
    if (this === Slots.empty || this.#isLast(map.size)) return Slots.#copied(map, writes);
    const next = new Slots(map, this.#depth + 1);
    let diff: Diff | undefined;
    writes.forEach((value, key) => {
      diff = { key, value: map.get(key), others: diff };
      put(map, key, value);
    });
    this.#map = undefined;
    this.#diff = diff;
    this.#next = next;
    return next;
  }

  #isLast(size: number): boolean {
    return this.#depth >= chained.least && this.#depth >= size * chained.eachSlot;
  }

  static #copied(map: ReadonlyMap<string, Json>, writes: Writes): Slots {
    const copy = new Map(map);
    writes.forEach((value, key) => {
      put(copy, key, value);
    });
    return new Slots(copy, 0);
  }

  /** Takes the map over: walks to the version that owns it and turns every difference on the way round. */
  #reroot(): Map<string, Json> {
    const path: Slots[] = [];
    let owner: Slots = this;
    while (owner.#map === undefined) {
      path.push(owner);
      owner = owner.#next as Slots;
    }
    const map = owner.#map;
    for (let at = path.length - 1; at >= 0; at--) {
      const older = path[at] as Slots;
      let forward: Diff | undefined;
      for (let diff = older.#diff; diff !== undefined; diff = diff.others) {
        forward = { key: diff.key, value: map.get(diff.key), others: forward };
        put(map, diff.key, diff.value);
      }
      owner.#map = undefined;
      owner.#diff = forward;
      owner.#next = older;
      older.#map = map;
      older.#diff = undefined;
      older.#next = undefined;
      owner = older;
    }
    return map;
  }
}

/** The slot of a node's record. */
export function nodeSlot(id: string): string {
  return `node:${id}`;
}

function put(map: Map<string, Json>, key: string, value: Json | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}
