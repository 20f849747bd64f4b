/**
 * One process in which hosts, store, providers and senders live, and nothing happens but what the seed says: everything
 * that is to happen is an event with an instant, ties are broken by chance, and time is what the next event says.
 * The same seed gives the same events, which the digest of the trace shows.
 */
import { createHash } from "node:crypto";
import { Random } from "../differential/random.ts";

interface Event {
  readonly at: number;
  /** Of one instant the lowest first; drawn. */
  readonly order: number;
  run: (() => void) | undefined;
}

/** Milliseconds since the epoch. */
const START = Date.UTC(2024, 0, 1);

export class World {
  readonly random: Random;
  /** Kept only when asked for: one line for each thing that happened. */
  readonly lines: string[] | undefined;
  readonly broken: string[] = [];
  now = START;
  /** Store and provider calls so far: what faults are counted by. */
  calls = 0;
  #over = false;
  #touched = 0;
  #names = 0;
  readonly #chance: Random;
  readonly #events: Event[] = [];
  readonly #hash = createHash("sha256");

  constructor(seed: number, told = false) {
    this.random = new Random(seed, 1);
    this.#chance = new Random(seed, 2);
    this.lines = told ? [] : undefined;
  }

  /** Milliseconds since the beginning. */
  get elapsed(): number {
    return this.now - START;
  }

  /** After so many milliseconds. The answer cancels it. */
  after(milliseconds: number, run: () => void): () => void {
    this.#touched += 1;
    const at = this.now + Math.max(0, Math.ceil(milliseconds));
    const event: Event = { at, order: this.random.int(2 ** 30), run };
    push(this.#events, event);
    return () => {
      event.run = undefined;
    };
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.after(milliseconds, resolve));
  }

  /** A name of the seed's: what hosts and runs are called by. */
  newName = (): string => {
    const parts = [0, 0, 0].map(() =>
      this.#chance
        .int(2 ** 32)
        .toString(16)
        .padStart(8, "0"),
    );
    this.#names += 1;
    return `${parts.join("")}${this.#names.toString(16).padStart(8, "0")}`;
  };

  /** 0..1 for hosts. */
  chance = (): number => this.#chance.int(2 ** 30) / 2 ** 30;

  tell(line: string): void {
    const whole = `${this.elapsed} ${line}`;
    this.#hash.update(whole).update("\n");
    this.lines?.push(whole);
  }

  /** Something that must never be. */
  wrong(what: string): void {
    if (!this.broken.includes(what)) this.broken.push(what);
    this.tell(`WRONG ${what}`);
  }

  end(): void {
    this.#over = true;
  }

  /** Until somebody ends it. */
  async run(): Promise<void> {
    await this.#settle();
    for (let event = pop(this.#events); event !== undefined && !this.#over; event = pop(this.#events)) {
      if (event.run === undefined) continue;
      this.now = Math.max(this.now, event.at);
      event.run();
      await this.#settle();
    }
  }

  digest(): string {
    return this.#hash.copy().digest("hex");
  }

  /** Whatever follows at once, follows: a commit is put off by one turn of the event loop, nothing by more. */
  async #settle(): Promise<void> {
    for (let turn = 0, before = -1; turn < 2 || before !== this.#touched; turn++) {
      before = this.#touched;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

const earlier = (a: Event, b: Event): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

function push(heap: Event[], event: Event): void {
  let index = heap.length;
  heap.push(event);
  while (index > 0) {
    const parent = (index - 1) >> 1;
    if (!earlier(event, heap[parent]!)) break;
    heap[index] = heap[parent]!;
    index = parent;
  }
  heap[index] = event;
}

function pop(heap: Event[]): Event | undefined {
  const top = heap[0];
  const last = heap.pop();
  if (heap.length === 0 || last === undefined) return top;
  let index = 0;
  for (;;) {
    let child = 2 * index + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && earlier(heap[child + 1]!, heap[child]!)) child += 1;
    if (!earlier(heap[child]!, last)) break;
    heap[index] = heap[child]!;
    index = child;
  }
  heap[index] = last;
  return top;
}
