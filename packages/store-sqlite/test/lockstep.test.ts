/**
 * The memory store is the model: 2,000 random operations on both stores, with one clock, give the same answers and
 * leave the same state, byte for byte. The operations come from a fixed seed.
 */
import { openMemoryStore } from "@swl/store-memory";
import { canonicalize, type Item, type Json, type Precondition, type Store } from "@swl/store-provider";
import { describe, expect, it } from "vitest";
import { openForTest, temporaryFile } from "./temporary.js";

const seed = 20_261_130;

class Dice {
  #state: number;

  constructor(state: number) {
    this.#state = state;
  }

  /** 0 ≤ n < sides. */
  roll(sides: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.roll(list.length)] as T;
  }

  /** The value once in so many times, else undefined. */
  rarely<T>(sides: number, value: () => T): T | undefined {
    return this.roll(sides) === 0 ? value() : undefined;
  }
}

/** Every 200 operations there are new streams, since sooner or later all of them are closed. */
const streamsAt = (n: number) => bases.map((name) => (n < 200 ? name : `${name}${Math.floor(n / 200)}`));
const bases = ["run", "run-\u{1f600}", "run-\uffee", "a", "b", "c", "__proto__", "d"];
const names = ["h1", "h2", "h3"];
const queues = ["q1", "q2"];
const keys = ["k", "constructor", "\u{1f600}", "z"];

interface Operation {
  readonly name: string;
  run(store: Store): Promise<unknown>;
}

/** Chooses the next operation; the position is known from the memory store, so that most items are accepted. */
async function nextOperation(dice: Dice, model: Store, n: number, now: number): Promise<Operation> {
  const streams = streamsAt(n);
  const stream = dice.pick(streams);
  const holder = dice.pick(names);
  const work = Array.from({ length: 3 }, () => `w${dice.roll(40)}`);
  const lease = 1 + dice.roll(400);
  const exclusive = dice.roll(4) === 0;
  switch (dice.roll(16)) {
    case 0:
      return { name: "open", run: (s) => s.openHolder(holder, { lease, exclusive }) };
    case 1:
      return { name: "renew", run: (s) => s.renewHolder(holder, lease) };
    case 2: {
      const options = {
        queues: queues.map((queue) => ({ queue, limit: 2 })),
        ...(n % 2 === 0 && { lease }),
      };
      return { name: "claim", run: (s) => s.claim(holder, options) };
    }
    case 3: {
      const delay = n % 3 === 0 ? lease : 0;
      return { name: "unclaim", run: (s) => s.unclaim(holder, work, { delay }) };
    }
    case 4:
      return { name: "renewWork", run: (s) => s.renewWork(holder, work, lease) };
    case 5: {
      const event = `e${dice.roll(9)}`;
      return { name: "note", run: (s) => s.note(stream, event, { n }) };
    }
    case 6:
      return n % 40 === 0
        ? { name: "close holder", run: (s) => s.closeHolder(holder) }
        : { name: "look", run: (s) => look(s, streams) };
    case 7: {
      if (n % 3 === 0) return { name: "check", run: (s) => s.check() };
      const options = { closedBefore: now - dice.roll(600), limit: 1 + dice.roll(3) };
      return { name: "prune", run: (s) => s.prune(options) };
    }
    default: {
      const items: Item[] = [];
      for (let count = 1 + dice.roll(3); count > 0; count -= 1) {
        items.push(await randomItem(dice, model, dice.pick(streams), `c${n}-${count}`, now));
      }
      return { name: "append", run: (s) => s.append(items) };
    }
  }
}

async function randomItem(
  dice: Dice,
  model: Store,
  stream: string,
  commit: string,
  now: number,
): Promise<Item> {
  const head = await model.head(stream);
  const position = head?.position ?? 0;
  const base = {
    stream,
    commit: dice.rarely(30, () => "repeated") ?? commit,
    records: Array.from({ length: 1 + dice.roll(2) }, () => ({ kind: "event", document: randomJson(dice) })),
    stamp: now + (dice.rarely(40, () => 9_000) ?? 0),
    ...absentless({
      hold: dice.rarely(25, () => dice.pick(["quarantine", "export"] as const)),
      lift: head?.hold === undefined ? undefined : dice.rarely(3, () => head.hold),
      close: dice.rarely(80, () => true),
    }),
  };
  const request = () => ({
    scope: dice.pick(["start", stream]),
    request: `r${dice.roll(60)}`,
    digest: `d${dice.roll(2)}`,
  });
  if (dice.roll(4) === 0) return { ...base, expect: "next", receipts: [request()] };
  return {
    ...base,
    expect: dice.rarely(12, () => dice.roll(position + 2)) ?? position,
    ...absentless({
      origin: position === 0 ? dice.rarely(3, () => dice.roll(50)) : undefined,
      applies: dice.rarely(2, () => true),
      slots: dice.rarely(2, () => [
        { key: dice.pick(keys), ...(dice.roll(4) > 0 && { document: randomJson(dice) }) },
      ]),
      dues: dice.rarely(3, () => [
        { key: dice.pick(keys), at: dice.rarely(4, () => null) === null ? null : now + dice.roll(300) },
      ]),
      work: dice.rarely(2, () => [
        {
          id: `w${dice.roll(40)}`,
          queue: dice.pick(queues),
          delay: dice.roll(200),
          document: randomJson(dice),
        },
      ]),
      settled: dice.rarely(4, () => [`w${dice.roll(40)}`]),
      withdraw: dice.rarely(8, () => [`w${dice.roll(40)}`]),
      receipts: dice.rarely(6, () => [request()]),
      facets: dice.rarely(3, () => ({ [dice.pick(keys)]: dice.pick(keys), status: dice.pick(keys) })),
      owner: dice.rarely(4, () => dice.pick([...names, null])),
      fence: dice.rarely(6, () => true),
      blobs: dice.rarely(6, () => [{ digest: dice.pick(keys), document: randomJson(dice) }]),
      pins: dice.rarely(6, () => [dice.pick(keys)]),
      require: dice.rarely(6, () => [randomPrecondition(dice)]),
    }),
  };
}

function randomPrecondition(dice: Dice): Precondition {
  const work = `w${dice.roll(40)}`;
  const holder = dice.pick(names);
  return dice.pick<Precondition>([
    { kind: "work-unclaimed", work },
    { kind: "work-held", work, holder },
    { kind: "work-expired", work, holder },
    { kind: "due-present", key: dice.pick(keys) },
    { kind: "owner-expired", owner: holder },
  ]);
}

function randomJson(dice: Dice): Json {
  return dice.pick<Json>([
    null,
    true,
    dice.roll(1_000) / 7,
    "\u0000text\u{1f600}",
    [1, [2]],
    { b: 1, a: { c: [] } },
  ]);
}

/** Only the members that have a value. */
function absentless<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as never;
}

/** Everything that can be read. */
async function look(store: Store, streams: readonly string[]): Promise<unknown> {
  const states = [];
  for (const stream of streams) {
    const state = await store.load(stream);
    states.push({
      state: state && { ...state, slots: sorted(state.slots), dues: sorted(state.dues) },
      part: await store.read(stream, { after: 2, limit: 3 }),
      notes: await store.notes(stream),
    });
  }
  const first = await store.list({ limit: 3 });
  return {
    states,
    first,
    second: first.next === undefined ? null : await store.list({ limit: 3, after: first.next }),
    labelled: await Promise.all(keys.map((status) => store.list({ facets: { status } }))),
    unapplied: [await store.unapplied(3), await store.unapplied(3, "b")],
    orphaned: [await store.orphaned(3), await store.orphaned(3, "b")],
    abandoned: [await store.abandoned(9), await store.abandoned(9, "w20")],
    due: [await store.due(3), await store.due(3, 2)],
    held: await Promise.all(names.map((holder) => store.held(holder))),
    queues: await store.queues(3),
    blobs: await Promise.all(keys.map((digest) => store.blob(digest))),
    stats: { ...(await store.stats()), format: 0, bytes: 0 },
    receipts: await Promise.all(Array.from({ length: 60 }, (_, n) => store.receipt("start", `r${n}`))),
  };
}

function sorted(map: ReadonlyMap<string, unknown>): unknown {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

async function outcome(run: () => Promise<unknown>): Promise<string> {
  try {
    return inBytes(await run());
  } catch (error) {
    return `thrown ${String((error as { readonly code?: unknown }).code)}`;
  }
}

/** Where two texts part, with a little of both; nothing when they are equal. */
function difference(found: string, expected: string): string {
  if (found === expected) return "";
  let at = 0;
  while (found[at] === expected[at]) at += 1;
  const around = (text: string) => text.slice(Math.max(0, at - 80), at + 80);
  return `found …${around(found)}…, expected …${around(expected)}…`;
}

const inBytes = (value: unknown) => canonicalize(JSON.parse(JSON.stringify(value ?? null)) as Json);

describe("2,000 random operations", () => {
  it("have the same answers from the SQLite store as from the memory store [STO-check-order]", async () => {
    const time = { now: 1_700_000_000_000 };
    const clock = () => time.now;
    const memory = openMemoryStore({ clock });
    const sqlite = await openForTest({ file: await temporaryFile(), clock });
    const dice = new Dice(seed);
    const counts = new Map<string, number>();
    let pruned = 0;
    for (let n = 0; n < 2_000; n += 1) {
      time.now += dice.roll(30);
      const operation = await nextOperation(dice, memory, n, time.now);
      const expected = await outcome(() => operation.run(memory));
      const where = `operation ${n}, seed ${seed}: ${operation.name}`;
      expect(difference(await outcome(() => operation.run(sqlite)), expected), where).toBe("");
      pruned += Number(/"streams":(\d+)/.exec(operation.name === "prune" ? expected : "")?.[1] ?? 0);
      for (const [kind] of expected.matchAll(/"kind":"(?!event)[a-z-]+"|thrown [a-z.-]+/g)) {
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
      if (n % 100 === 99) {
        expect(
          difference(inBytes(await look(sqlite, streamsAt(n))), inBytes(await look(memory, streamsAt(n)))),
          where,
        ).toBe("");
      }
    }
    // The seed is worth something only as long as it reaches what can happen.
    for (const kind of [
      "accepted",
      "receipt",
      "refused",
      "stale",
      "closed",
      "held",
      "claimed",
      "lease-lost",
    ]) {
      expect([kind, counts.get(`"kind":"${kind}"`) ?? 0]).not.toEqual([kind, 0]);
    }
    expect(pruned).toBeGreaterThan(4);
    for (const kind of ["conflict", "not-found", "clock-ahead", "incompatible"]) {
      expect([kind, counts.get(`"kind":"${kind}"`) ?? 0]).not.toEqual([kind, 0]);
    }
  });
});
