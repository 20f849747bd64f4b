/** Visits as a host would append them, and loops of them over any store. */
import type { Item, Store } from "@swl/store-provider";
import { median, type Subject } from "./harness.ts";

const text = "x".repeat(180);

/** One record of about 200 bytes, and the slot that it changes. */
export function visit(stream: string, expect: number, more: Partial<Item> = {}): Item {
  return {
    stream,
    commit: `v${expect}`,
    expect,
    records: [{ kind: "event", document: { visit: expect, text } }],
    slots: [{ key: "state", document: { visit: expect, text } }],
    applies: true,
    stamp: 0,
    ...more,
  };
}

export async function append(store: Store, items: readonly Item[]): Promise<void> {
  for (const answer of await store.append(items)) {
    if (answer.kind !== "accepted") throw new Error(`an item was ${JSON.stringify(answer)}`);
  }
}

/** As in a host: DUR-group-commit. */
const worthABatch = 32;

/**
 * So many runs that go on visit by visit, each visit durable before its next one: what waits is one batch, and as many
 * batches are in flight as are worth it, as in a host.
 */
export function visits(name: string, store: Store, runs: number, rounds: number): Subject {
  const lanes = Math.max(1, Math.min(store.info.appendsAtOnce ?? 1, Math.floor(runs / worthABatch)));
  const at = Array.from({ length: runs }, () => 0);
  const lane = async (first: number): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      const batch: Item[] = [];
      for (let run = first; run < runs; run += lanes) batch.push(visit(`${name} ${run}`, at[run]!++));
      await append(store, batch);
    }
  };
  return {
    name,
    unit: "commit",
    async run() {
      await Promise.all(Array.from({ length: lanes }, (_, first) => lane(first)));
      return runs * rounds;
    },
  };
}

/** Milliseconds of each call, kept beside the rate. */
export interface Timed {
  readonly subject: Subject;
  /** Of the rounds that count: the first, which warms up, is left out. */
  p50(): number;
}

/** `once` does what is measured, and whatever that needs before and after it, and says the milliseconds that count. */
export function timed(name: string, unit: string, calls: number, once: () => Promise<number>): Timed {
  const rounds: number[][] = [];
  return {
    subject: {
      name,
      unit,
      async run() {
        const taken: number[] = [];
        for (let index = 0; index < calls; index++) taken.push(await once());
        rounds.push(taken);
        return calls;
      },
      seconds: () => rounds.at(-1)!.reduce((sum, one) => sum + one, 0) / 1_000,
    },
    p50: () => median(rounds.slice(1).flat()),
  };
}

/** What a call answers, and the milliseconds until it does. */
export async function took<T>(
  call: () => Promise<T> | T,
): Promise<{ readonly answer: T; readonly ms: number }> {
  const began = performance.now();
  const answer = await call();
  return { answer, ms: performance.now() - began };
}

/** On a terminal, or where `SWL_BENCH_LONG` asks for what takes long: how far it is. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else if (process.env["SWL_BENCH_LONG"] === "1") process.stderr.write(`${text}\n`);
}
