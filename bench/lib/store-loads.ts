/** Many runs put into a store, 250 an append: such as wait, and such as are over. */
import type { Item, Store } from "@swl/store-provider";
import { append, progress, visit } from "./store-visits.ts";

/** Of the waiting runs: `run 0` and on. */
export const waitingRun = (index: number): string => `run ${index}`;

/**
 * Runs that wait: a record, a slot, a deadline and two labels each. The answer is what they said themselves, in bytes:
 * their documents and the names that they gave.
 */
export async function loadWaiting(store: Store, runs: number): Promise<number> {
  let bytes = 0;
  await inBatches(runs, "waiting", async (indexes) => {
    const items = indexes.map((index) =>
      visit(waitingRun(index), 0, {
        dues: [{ key: "deadline", at: 4e12 }],
        facets: { status: "waiting", definition: "orders" },
      }),
    );
    for (const item of items) bytes += bytesOf(item);
    await append(store, items);
  });
  return bytes;
}

/** Runs that are over: two visits each. */
export async function loadClosed(store: Store, runs: number): Promise<void> {
  await inBatches(runs, "closed", async (indexes) => {
    const streams = indexes.map((index) => `run ${index}`);
    await append(
      store,
      streams.map((stream) => visit(stream, 0, { facets: { status: "completed" } })),
    );
    await append(
      store,
      streams.map((stream) => visit(stream, 1, { close: true })),
    );
  });
}

/** Prunes all that is closed. */
export async function pruneClosed(store: Store): Promise<void> {
  while ((await store.prune({ closedBefore: Number.MAX_SAFE_INTEGER, limit: 1_000 })).more) {
    progress("pruning");
  }
}

async function inBatches(
  runs: number,
  what: string,
  load: (indexes: readonly number[]) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < runs; from += 250) {
    await load(Array.from({ length: Math.min(250, runs - from) }, (_, index) => from + index));
    if (from % 10_000 === 0) progress(`${what}: ${from} of ${runs} runs`);
  }
}

function bytesOf({ stream, commit, records, slots, dues, facets }: Item): number {
  const documents = [...records, ...(slots ?? [])].map(({ document }) => JSON.stringify(document));
  const names = [
    stream,
    ...records.flatMap(({ kind }) => [kind, commit]),
    ...[...(slots ?? []), ...(dues ?? [])].map(({ key }) => key),
    ...Object.entries(facets ?? {}).flat(),
  ];
  return [...documents, ...names].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
