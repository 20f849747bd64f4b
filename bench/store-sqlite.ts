/**
 * The store on SQLite against raw commits into a file beside it with the same settings (WAL, synchronous=FULL): batches
 * of 32 visits, a lone append, closed runs pruned and loaded again, and visits beside many runs that wait.
 * `SWL_BENCH_LONG=1` asks for a million of those (`SWL_BENCH_RUNS=n` for another number); without it a small fraction
 * shows the shape.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Store } from "@swl/store-provider";
import { openSqliteStore } from "@swl/store-sqlite";
import type { Bench, Subject } from "./lib/harness.ts";
import { append, progress, type Timed, timed, visit, visits } from "./lib/store-visits.ts";

const long = process.env["SWL_BENCH_LONG"] === "1";
const asked = Number(process.env["SWL_BENCH_RUNS"] ?? 0);

/** A folder that goes when `close` is called, with everything that was opened in it. */
function place() {
  const folder = mkdtempSync(join(tmpdir(), "swl-bench-"));
  const open: { close(): unknown }[] = [];
  return {
    async store(name: string): Promise<Store> {
      const store = await openSqliteStore({ file: join(folder, `${name}.db`) });
      open.push(store);
      return store;
    },
    /** One row of 200 bytes and its commit. */
    raw(): () => void {
      const database = new DatabaseSync(join(folder, "raw.db"));
      open.push(database);
      database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      database.exec("CREATE TABLE row (id INTEGER PRIMARY KEY, body BLOB)");
      const insert = database.prepare("INSERT INTO row (body) VALUES (?)");
      const body = new Uint8Array(200).fill(120);
      return () => void insert.run(body);
    },
    async close(): Promise<void> {
      for (const one of open) await one.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const storeSqliteGroup: Bench = {
  name: "store-sqlite-group",
  question: "visits of 32 runs, a commit for all of them, against raw commits of one row each (asked: 2.5)",
  async open({ quick }) {
    const here = place();
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
    const here = place();
    const store = await here.store("lone");
    const commit = here.raw();
    let at = 0;
    const calls = quick ? 200 : 1_000;
    const ours = timed("one run", "commit", calls, () => append(store, [visit("run", at++)]));
    const raw = timed("raw INSERT", "commit", calls, async () => commit());
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

/** New runs in batches of 200, each of them left as `last` says. */
async function load(store: Store, name: string, runs: number, last: "closed" | "waiting"): Promise<void> {
  for (let from = 0; from < runs; from += 200) {
    const streams = Array.from(
      { length: Math.min(200, runs - from) },
      (_, index) => `${name} ${from + index}`,
    );
    const due = { dues: [{ key: "timer", at: 4_102_444_800_000 }] };
    await append(
      store,
      streams.map((stream) => visit(stream, 0, { facets: { status: last }, ...(last === "waiting" && due) })),
    );
    if (last === "closed") {
      await append(
        store,
        streams.map((stream) => visit(stream, 1, { close: true })),
      );
    }
    if (from % 10_000 === 0) progress(`${name}: ${from} of ${runs} runs`);
  }
}

const sizes: number[] = [];

export const storeSqliteReload: Bench = {
  name: "store-sqlite-reload",
  question: "runs loaded where as many have been pruned, against runs loaded into an empty file",
  ...(long && { rounds: 1 }),
  async open({ quick }) {
    const here = place();
    const runs = asked > 0 ? asked : long ? 1_000_000 : quick ? 1_000 : 10_000;
    const kept = await here.store("kept");
    await load(kept, "run", runs, "closed");
    sizes.length = 0;
    sizes.push((await kept.stats()).bytes ?? 0);
    let fresh = 0;
    return [
      {
        name: "after pruning",
        unit: "run",
        async run() {
          while ((await kept.prune({ closedBefore: Number.MAX_SAFE_INTEGER, limit: 1_000 })).more) {
            progress("pruning");
          }
          await load(kept, "run", runs, "closed");
          sizes.push((await kept.stats()).bytes ?? 0);
          return runs;
        },
      },
      {
        name: "into an empty file",
        unit: "run",
        async run() {
          const store = await here.store(`fresh ${fresh++}`);
          await load(store, "run", runs, "closed");
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

export const storeSqliteMillion: Bench = {
  name: "store-sqlite-million",
  question: "visits of 32 runs in a file in which many others wait, against a file with 1,000 of them",
  async open({ quick }) {
    const here = place();
    const many = asked > 0 ? asked : long ? 1_000_000 : 20_000;
    const [large, small] = [await here.store("large"), await here.store("small")];
    await load(large, "waiting", many, "waiting");
    await load(small, "waiting", 1_000, "waiting");
    const rounds = quick ? 20 : 100;
    return [
      visits(`beside ${many.toLocaleString("en")}`, large, 32, rounds),
      { ...visits("beside 1,000", small, 32, rounds), close: () => here.close() },
    ];
  },
};
