/**
 * The store on SQLite with many runs: closed ones pruned and loaded again, and what a host asks beside those that wait.
 * `SWL_BENCH_LONG=1` asks for a million of them (`SWL_BENCH_RUNS=n` for another number); without it a small fraction
 * shows the shape.
 */
import type { Bench } from "./lib/harness.ts";
import { long, runsFor } from "./lib/long.ts";
import { openPlace, openWaiting } from "./lib/sqlite.ts";
import { loadClosed, pruneClosed } from "./lib/store-loads.ts";
import { besideWaiting } from "./lib/store-waiting.ts";

const many = (quick: boolean) => runsFor(quick, { quick: 5_000, daily: 20_000 });

const sizes: number[] = [];

export const storeSqliteReload: Bench = {
  name: "store-sqlite-reload",
  question: "runs loaded where as many have been pruned, against runs loaded into an empty file",
  ...(long && { rounds: 1 }),
  async open({ quick }) {
    const here = openPlace();
    const runs = runsFor(quick, { quick: 1_000, daily: 10_000 });
    const kept = await here.store("kept");
    await loadClosed(kept, runs);
    sizes.length = 0;
    sizes.push((await kept.stats()).bytes ?? 0);
    let fresh = 0;
    return [
      {
        name: "after pruning",
        unit: "run",
        async run() {
          await pruneClosed(kept);
          await loadClosed(kept, runs);
          sizes.push((await kept.stats()).bytes ?? 0);
          return runs;
        },
      },
      {
        name: "into an empty file",
        unit: "run",
        async run() {
          await loadClosed(await here.store(`fresh ${fresh++}`), runs);
          return runs;
        },
        close: () => here.close(),
      },
    ];
  },
  notes: () => {
    const [first = 1, ...later] = sizes;
    const most = Math.max(first, ...later);
    return [
      `the file after ${later.length} times pruned and loaded again: ${(most / first).toFixed(2)} times as large (asked: 1.2)`,
      "the rate of pruning is in that of loading again",
    ];
  },
};

let said: () => readonly string[] = () => [];

export const storeSqliteMillion: Bench = {
  name: "store-sqlite-million",
  question:
    "appends in a file in which many runs wait, against one with 1,000; claims, looks for dues and wake-ups below",
  async open({ quick }) {
    const here = openPlace();
    const [large, small] = [await openWaiting(here, "large"), await openWaiting(here, "small")];
    const { subjects, notes } = await besideWaiting(large, small, {
      many: many(quick),
      calls: quick ? 25 : 200,
      close: () => here.close(),
    });
    said = () => [
      ...notes(),
      `a wake-up is the look of another handle; one of the same process had heard of ${large.heard.early} of ${large.heard.of} before their sender had its answer`,
    ];
    return subjects;
  },
  notes: () => said(),
};
