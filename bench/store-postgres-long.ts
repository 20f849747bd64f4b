/**
 * The store on PostgreSQL 18 with many runs and over minutes. `SWL_BENCH_LONG=1` asks for a million runs and two minutes
 * (`SWL_BENCH_RUNS=n` for another number); without it a small fraction of both shows the shape.
 */
import type { Store } from "@swl/store-provider";
import type { Bench, Subject } from "./lib/harness.ts";
import { openServer, type Server } from "./lib/postgres.ts";
import { append, progress, type Timed, timed, visit, visits } from "./lib/store-visits.ts";

const long = process.env["SWL_BENCH_LONG"] === "1";
const asked = Number(process.env["SWL_BENCH_RUNS"] ?? 0);
const many = asked > 0 ? asked : long ? 1_000_000 : 20_000;

export const storePostgresHeld: Bench = {
  name: "store-postgres-held",
  question:
    "visits while another session holds a transaction open, against a server on which none does (asked: 0.8)",
  async open() {
    const [held, free] = [await openServer(), await openServer()];
    const holder = await held.client();
    await holder.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
    await holder.query("SELECT count(*) FROM pg_class");
    const seconds = long ? 15 : 2;
    const until = async (name: string, server: Server): Promise<Subject> => {
      const some = visits(name, await server.store("busy"), 50, 1);
      return {
        ...some,
        async run() {
          const ends = performance.now() + seconds * 1_000;
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
  notes: () => [
    `each round of each takes ${long ? 15 : 2} seconds, and the transaction is open all the time`,
  ],
};

/** What the runs said: their documents, and the names that they gave. */
const ownData = `SELECT
  (SELECT sum(octet_length(document) + octet_length(kind) + octet_length(commit_id)) FROM large.log) +
  (SELECT sum(octet_length(newest) + octet_length(key)) FROM large.slots) +
  (SELECT sum(octet_length(stream)) FROM large.streams) + (SELECT sum(octet_length(key)) FROM large.dues) +
  (SELECT sum(octet_length(label) + octet_length(value)) FROM large.facets)`;

/** Runs that wait: a record, a slot, a due entry and two labels. */
async function loadWaiting(store: Store, name: string, runs: number): Promise<void> {
  for (let from = 0; from < runs; from += 250) {
    const batch = Array.from({ length: Math.min(250, runs - from) }, (_, index) => {
      const stream = `${name} ${from + index}`;
      return visit(stream, 0, {
        dues: [{ key: "deadline", at: 4e12 }],
        facets: { status: "waiting", definition: "orders" },
      });
    });
    await append(store, batch);
    if (from % 10_000 === 0) progress(`${name}: ${from} of ${runs} runs`);
  }
}

interface Loaded {
  readonly appends: Timed;
  readonly claims: Timed;
  readonly wakes: Timed;
}

let loaded: { readonly few: Loaded; readonly full: Loaded; readonly bytes: number } | undefined;

function operations(store: Store, name: string, runs: number, calls: number): Loaded {
  const at = new Map<number, number>();
  let seed = 1;
  let works = 0;
  const any = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % runs;
  };
  const go = async (more: Parameters<typeof visit>[2]) => {
    const run = any();
    const position = at.get(run) ?? 1;
    at.set(run, position + 1);
    await append(store, [visit(`${name} ${run}`, position, more)]);
  };
  const work = () => [{ id: `${name} now ${works++}`, queue: "now", delay: 0, document: null }];
  return {
    appends: timed(`visit, ${runs} runs wait`, "visit", calls, () => go({})),
    claims: timed(`claim, ${runs} runs wait`, "claim", calls, async () => {
      await go({ work: work() });
      await store.claim("worker", { queues: [{ queue: "now", limit: 1 }], lease: 60_000 });
    }),
    wakes: timed(`look for what is due, ${runs} runs wait`, "look", calls, async () => {
      await go({ dues: [{ key: "now", at: 1 }] });
      const [due] = await store.due(1);
      if (due === undefined) throw new Error("nothing was due");
      const position = (await store.head(due.stream))!.position;
      const settled = { dues: [{ key: "now", at: null }] };
      await append(store, [visit(due.stream, position, settled)]);
      at.set(Number(due.stream.split(" ").at(-1)), position + 1);
    }),
  };
}

export const storePostgresMillion: Bench = {
  name: "store-postgres-million",
  question: `visits of a store in which ${many} runs wait, against one with 1,000`,
  async open({ quick }) {
    const server = await openServer();
    const [small, large] = [await server.store("small"), await server.store("large")];
    const calls = quick ? 100 : 500;
    await loadWaiting(small, "small", 1_000);
    await loadWaiting(large, "large", many);
    await server.number("VACUUM ANALYZE").catch(() => 0);
    const bytes = ((await large.stats()).bytes! - (await server.number(ownData))) / many;
    const few = operations(small, "small", 1_000, calls);
    const full = operations(large, "large", many, calls);
    loaded = { few, full, bytes };
    return [
      full.appends.subject,
      few.appends.subject,
      full.claims.subject,
      few.claims.subject,
      full.wakes.subject,
      { ...few.wakes.subject, close: () => server.close() },
    ];
  },
  notes: () => {
    if (loaded === undefined) return [];
    const { few, full, bytes } = loaded;
    const times = (kind: keyof Loaded) => (full[kind].p50() / few[kind].p50()).toFixed(2);
    return [
      `p50 against 1,000 runs: append ${times("appends")}, claim ${times("claims")}, wake-up ${times("wakes")} times (asked: 1.3)`,
      `${Math.round(bytes)} bytes of tables and indexes a waiting run beyond its own data (asked: 1,024)`,
    ];
  },
};

const sizes: number[] = [];

export const storePostgresReload: Bench = {
  name: "store-postgres-reload",
  question: "runs loaded where as many have been pruned, against runs loaded into an empty store",
  ...(long && { rounds: 1 }),
  async open({ quick }) {
    const server = await openServer();
    const runs = asked > 0 ? asked : long ? 1_000_000 : quick ? 5_000 : 50_000;
    // Autovacuum looks once a minute, which is a moment beside a million runs: it looks as often beside fewer.
    const pause = Math.max(1, Math.min(60, Math.round((60 * runs) / 1_000_000)));
    await server.number(`ALTER SYSTEM SET autovacuum_naptime = ${pause}`);
    await server.number("SELECT pg_reload_conf()");
    const load = async (store: Store, name: string) => {
      for (let from = 0; from < runs; from += 250) {
        const streams = Array.from({ length: 250 }, (_, index) => `${name} ${from + index}`);
        const facets = { status: "completed" };
        await append(
          store,
          streams.map((stream) => visit(stream, 0, { facets })),
        );
        await append(
          store,
          streams.map((stream) => visit(stream, 1, { close: true })),
        );
        if (from % 10_000 === 0) progress(`${name}: ${from} of ${runs} runs`);
      }
    };
    const kept = await server.store("kept");
    await load(kept, "run");
    sizes.push((await kept.stats()).bytes!);
    let fresh = 0;
    return [
      {
        name: "after pruning",
        unit: "run",
        async run() {
          while ((await kept.prune({ closedBefore: Number.MAX_SAFE_INTEGER, limit: 1_000 })).more) {
            progress("pruning");
          }
          await vacuumed(server);
          await load(kept, "run");
          sizes.push((await kept.stats()).bytes!);
          return runs;
        },
      },
      {
        name: "into an empty store",
        unit: "run",
        async run() {
          const schema = `fresh_${fresh++}`;
          await load(await server.store(schema, 1), "run");
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
