/**
 * The store on PostgreSQL 18 with fsync on, against raw commits of the same server: commits shared by 50 runs, a lone
 * append, and a long run against a short one. What takes minutes is in store-postgres-long.ts.
 */
import type { Bench } from "./lib/harness.ts";
import { openServer, rawInserts } from "./lib/postgres.ts";
import { flatVisits } from "./lib/store-flat.ts";
import { append, type Timed, timed, took, visit, visits } from "./lib/store-visits.ts";

export const storePostgresGroup: Bench = {
  name: "store-postgres-group",
  question:
    "visits of 50 runs in flight, a commit for all that wait, against raw commits of 8 clients (asked: 3)",
  async open({ quick }) {
    const server = await openServer();
    const store = await server.store("grouped");
    const subject = visits("50 runs in flight", store, 50, quick ? 20 : 100);
    // Of a process that has been at it for a while: the code of both sides is compiled, the server's plans are made.
    for (let round = 0; round < 6; round++) await subject.run();
    return [subject, { ...(await rawInserts(server, 8, quick ? 800 : 4_000)), close: () => server.close() }];
  },
};

let lone: { readonly ours: Timed; readonly raw: Timed } | undefined;

export const storePostgresLone: Bench = {
  name: "store-postgres-lone",
  question: "lone appends, each answered before the next, against raw commits of one client",
  async open({ quick }) {
    const server = await openServer();
    const store = await server.store("lone");
    const client = await server.client();
    await client.query("CREATE TABLE raw (id bigserial PRIMARY KEY, body bytea NOT NULL)");
    const insert = {
      name: "raw",
      text: "INSERT INTO raw (body) VALUES ($1)",
      values: [Buffer.alloc(200, 120)],
    };
    let at = 0;
    const calls = quick ? 200 : 1_000;
    const ours = timed("one run", "commit", calls, async () => {
      const item = visit("run", at++);
      return (await took(() => append(store, [item]))).ms;
    });
    const raw = timed("raw INSERT", "commit", calls, async () => (await took(() => client.query(insert))).ms);
    lone = { ours, raw };
    return [ours.subject, { ...raw.subject, close: () => server.close() }];
  },
  notes: () => {
    const [ours, raw] = [lone?.ours.p50() ?? 0, lone?.raw.p50() ?? 1];
    return [
      `p50 ${ours.toFixed(3)} ms, raw ${raw.toFixed(3)} ms: ${(ours / raw).toFixed(2)} times (asked: 1.3)`,
    ];
  },
};

let written: () => readonly string[] = () => [];

export const storePostgresFlat: Bench = {
  name: "store-postgres-flat",
  question: "visits of a run that has had 10,000, against visits of one that has had 10",
  async open({ quick }) {
    const server = await openServer();
    // Whole pages go into the log after a checkpoint, and what a vacuum does: they would fall to one side or the other.
    for (const setting of ["checkpoint_timeout = '1d'", "max_wal_size = '64GB'", "autovacuum = off"]) {
      await server.number(`ALTER SYSTEM SET ${setting}`);
    }
    await server.number("SELECT pg_reload_conf()");
    const store = await server.store("flat");
    const log = "SELECT pg_current_wal_insert_lsn() - '0/0'";
    const meter = async () => ({ log: await server.number(log) });
    const { subjects, notes } = await flatVisits({ store, quick, meter, close: () => server.close() });
    written = notes;
    return subjects;
  },
  notes: () => written(),
};
