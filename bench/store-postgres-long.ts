/**
 * The store on PostgreSQL 18 with many runs and over minutes. `SWL_BENCH_LONG=1` asks for a million runs and two minutes
 * (`SWL_BENCH_RUNS=n` for another number); without it a small fraction of both shows the shape.
 */
import type { Bench, Subject } from "./lib/harness.ts";
import { long, runsFor } from "./lib/long.ts";
import { openServer, type Server } from "./lib/postgres.ts";
import { loadClosed, pruneClosed } from "./lib/store-loads.ts";
import { progress, visits } from "./lib/store-visits.ts";
import { besideWaiting, type WaitingPlace } from "./lib/store-waiting.ts";
import { openWatcher, type Watcher } from "./lib/wake-watcher.ts";

const many = (quick: boolean) => runsFor(quick, { quick: 5_000, daily: 20_000 });

let roundSeconds = 0;

export const storePostgresHeld: Bench = {
  name: "store-postgres-held",
  question:
    "visits while another session holds a transaction open, against a server on which none does (asked: 0.8)",
  async open({ quick }) {
    const [held, free] = await Promise.all([openServer(), openServer()]);
    const holder = await held.client();
    await holder.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
    await holder.query("SELECT count(*) FROM pg_class");
    roundSeconds = long ? 15 : quick ? 1 : 2;
    const until = async (name: string, server: Server): Promise<Subject> => {
      const some = visits(name, await server.store("busy"), 50, 1);
      return {
        ...some,
        async run() {
          const ends = performance.now() + roundSeconds * 1_000;
          let done = 0;
          while (performance.now() < ends) done += await some.run();
          return done;
        },
      };
    };
    return [
      { ...(await until("a transaction is open", held)), close: () => held.close() },
      { ...(await until("none is", free)), close: () => free.close() },
    ];
  },
  notes: () => [`each round of each takes ${roundSeconds} seconds, and the transaction is open all the time`],
};

let said: () => readonly string[] = () => [];

export const storePostgresMillion: Bench = {
  name: "store-postgres-million",
  question:
    "appends in a store in which many runs wait, against one with 1,000; claims, looks for dues and wake-ups below",
  async open({ quick }) {
    const server = await openServer();
    const watchers: Watcher[] = [];
    const waiting = async (schema: string): Promise<WaitingPlace> => {
      const store = await server.store(schema);
      const watcher = openWatcher(server.url, schema);
      watchers.push(watcher);
      return { store, wakeUp: watcher.wakeUp };
    };
    const [large, small] = [await waiting("large"), await waiting("small")];
    const { subjects, notes } = await besideWaiting(large, small, {
      many: many(quick),
      calls: quick ? 25 : 200,
      loaded: () => server.number("VACUUM ANALYZE"),
      async close() {
        for (const watcher of watchers) await watcher.close();
        await server.close();
      },
    });
    said = () => [
      ...notes(),
      "a wake-up is from the answer to an append until a store of its own, which listens, tells of it",
    ];
    return subjects;
  },
  notes: () => said(),
};

const sizes: number[] = [];

export const storePostgresReload: Bench = {
  name: "store-postgres-reload",
  question: "runs loaded where as many have been pruned, against runs loaded into an empty store",
  ...(long && { rounds: 1 }),
  async open({ quick }) {
    const server = await openServer();
    const runs = runsFor(quick, { quick: 5_000, daily: 50_000 });
    // Autovacuum looks once a minute, which is a moment beside a million runs: it looks as often beside fewer.
    const pause = Math.max(1, Math.min(60, Math.round((60 * runs) / 1_000_000)));
    await server.number(`ALTER SYSTEM SET autovacuum_naptime = ${pause}`);
    await server.number("SELECT pg_reload_conf()");
    const kept = await server.store("kept");
    await loadClosed(kept, runs);
    sizes.push((await kept.stats()).bytes!);
    let fresh = 0;
    return [
      {
        name: "after pruning",
        unit: "run",
        async run() {
          await pruneClosed(kept);
          await vacuumed(server);
          await loadClosed(kept, runs);
          sizes.push((await kept.stats()).bytes!);
          return runs;
        },
      },
      {
        name: "into an empty store",
        unit: "run",
        async run() {
          const schema = `fresh_${fresh++}`;
          await loadClosed(await server.store(schema, 1), runs);
          await server.number(`DROP SCHEMA ${schema} CASCADE`);
          return runs;
        },
        close: () => server.close(),
      },
    ];
  },
  notes: () => {
    const [first, ...later] = sizes;
    const most = Math.max(...later) / (first ?? 1);
    return [
      `${later.length} times pruned and loaded again: at most ${most.toFixed(2)} times the bytes of the first load (asked: 1.2)`,
      "the ratio of rates includes pruning and waiting for autovacuum",
    ];
  },
};

/** Until the server's own autovacuum has been by. */
async function vacuumed(server: Server): Promise<void> {
  const dead = "SELECT coalesce(sum(n_dead_tup), 0) FROM pg_stat_user_tables WHERE schemaname = 'kept'";
  for (let waited = 0; waited < 600 && (await server.number(dead)) > 2_000; waited++) {
    progress(`waiting for autovacuum: ${waited} s`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}
