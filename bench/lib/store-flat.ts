/**
 * Visits of a run from visit 10,000 and of one from visit 10, in one store: how long they take and what they write. It
 * is a new run each round, so that it is always the same visits that are measured.
 */
import type { Store } from "@swl/store-provider";
import type { Bench, Subject } from "./harness.ts";
import { append, took, visit } from "./store-visits.ts";

/** Bytes by what they are of. */
export type Written = { readonly [what: string]: number };

export interface FlatOptions {
  readonly store: Store;
  readonly quick: boolean;
  /** Called before and after so many visits: the difference is what they wrote. */
  meter(): Promise<Written> | Written;
  close(): Promise<void>;
}

/** As many as lie between two folds of slots, so that both have one in them, and few enough for SQLite's log. */
const portion = 64;

export async function flatVisits({ store, quick, meter, close }: FlatOptions): Promise<{
  readonly subjects: Awaited<ReturnType<Bench["open"]>>;
  notes(): readonly string[];
}> {
  const rounds = quick ? 4 : 10;
  const portions = quick ? 1 : 4;
  const side = async (behind: number) => {
    const name = `from visit ${behind.toLocaleString("en")}`;
    const ready = Array.from({ length: rounds }, (_, round) => `${name}, round ${round}`);
    for (const stream of ready) await begin(store, stream, behind);
    const written: Written[] = [];
    let taken = 0;
    const subject: Subject = {
      name,
      unit: "visit",
      async run() {
        const stream = ready.pop()!;
        const warm = written.length === 0 && taken === 0;
        taken = 0;
        for (let at = behind; at < behind + portions * portion; at += portion) {
          const before = await meter();
          taken += (await took(() => visitsOf(store, stream, at))).ms;
          const after = await meter();
          if (!warm) written.push(difference(after, before));
        }
        return portions * portion;
      },
      seconds: () => taken / 1_000,
    };
    const perVisit = (what: string) =>
      written.reduce((sum, one) => sum + one[what]!, 0) / (written.length * portion);
    return { name, subject, kinds: () => Object.keys(written[0] ?? {}), perVisit };
  };
  const [long, short] = [await side(10_000), await side(10)];
  return {
    subjects: [long.subject, { ...short.subject, close }],
    notes: () =>
      long.kinds().map((what) => {
        const [late, early] = [long.perVisit(what), short.perVisit(what)];
        const [lateText, earlyText] = [late, early].map((bytes) => Math.round(bytes).toLocaleString("en"));
        const times = (late / early).toFixed(2);
        return `bytes of ${what} a visit: ${lateText} ${long.name}, ${earlyText} ${short.name}: ${times} times (asked: flat, 1.00)`;
      }),
  };
}

/** Quickly there: 200 records in each item. */
async function begin(store: Store, stream: string, visits: number): Promise<void> {
  await append(store, [visit(stream, 0)]);
  for (let at = 1; at < visits; at += 200) {
    const { records } = visit(stream, at);
    const few = Array.from({ length: Math.min(200, visits - at) }, () => records[0]!);
    await append(store, [visit(stream, at, { records: few })]);
  }
}

async function visitsOf(store: Store, stream: string, from: number): Promise<void> {
  for (let at = from; at < from + portion; at++) await append(store, [visit(stream, at)]);
}

function difference(after: Written, before: Written): Written {
  return Object.fromEntries(Object.entries(after).map(([what, bytes]) => [what, bytes - before[what]!]));
}
