/**
 * The store on SQLite against raw commits into a file beside it with the same settings (WAL, synchronous=FULL): batches
 * of 32 visits, a lone append; and a long run against a short one. What takes minutes is in store-sqlite-long.ts.
 */
import type { Bench, Subject } from "./lib/harness.ts";
import { openPlace } from "./lib/sqlite.ts";
import { flatVisits } from "./lib/store-flat.ts";
import { append, type Timed, timed, took, visit, visits } from "./lib/store-visits.ts";

export const storeSqliteGroup: Bench = {
  name: "store-sqlite-group",
  question: "visits of 32 runs, a commit for all of them, against raw commits of one row each (asked: 2.5)",
  async open({ quick }) {
    const here = openPlace();
    const store = await here.store("grouped");
    const commit = here.raw();
    const commits = quick ? 500 : 3_000;
    const raw: Subject = {
      name: "raw INSERT, a commit each",
      unit: "commit",
      run() {
        for (let index = 0; index < commits; index++) commit();
        return commits;
      },
      close: () => here.close(),
    };
    return [visits("32 runs a commit", store, 32, quick ? 20 : 100), raw];
  },
};

let lone: { readonly ours: Timed; readonly raw: Timed } | undefined;

export const storeSqliteLone: Bench = {
  name: "store-sqlite-lone",
  question: "lone appends, each answered before the next, against raw commits",
  async open({ quick }) {
    const here = openPlace();
    const store = await here.store("lone");
    const commit = here.raw();
    let at = 0;
    const calls = quick ? 200 : 1_000;
    const ours = timed("one run", "commit", calls, async () => {
      const item = visit("run", at++);
      return (await took(() => append(store, [item]))).ms;
    });
    const raw = timed("raw INSERT", "commit", calls, async () => (await took(commit)).ms);
    lone = { ours, raw };
    return [ours.subject, { ...raw.subject, close: () => here.close() }];
  },
  notes: () => {
    const [ours, raw] = [lone?.ours.p50() ?? 0, lone?.raw.p50() ?? 1];
    return [
      `p50 ${ours.toFixed(3)} ms, raw ${raw.toFixed(3)} ms: ${(ours / raw).toFixed(2)} times (asked: 1.3)`,
    ];
  },
};

let written: () => readonly string[] = () => [];

export const storeSqliteFlat: Bench = {
  name: "store-sqlite-flat",
  question: "visits of a run that has had 10,000, against visits of one that has had 10",
  async open({ quick }) {
    const here = openPlace();
    const store = await here.store("flat");
    const meter = here.meter("flat");
    const { subjects, notes } = await flatVisits({ store, quick, meter, close: () => here.close() });
    written = notes;
    return subjects;
  },
  notes: () => written(),
};
