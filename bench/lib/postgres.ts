/** A PostgreSQL server from npm with fsync on, stores in it, raw connections to it, and a loop of visits over a store. */

import { openPostgresStore } from "@swl/store-postgres";
import type { Item, Store } from "@swl/store-provider";
import pg from "pg";
import { startServer } from "../../packages/store-postgres/test/server.ts";
import type { Subject } from "./harness.ts";
import { median } from "./harness.ts";

export interface Server {
  readonly url: string;
  store(schema: string, connections?: number): Promise<Store>;
  client(): Promise<pg.Client>;
  /** The first number of the first row. */
  number(sql: string): Promise<number>;
  close(): Promise<void>;
}

export async function openServer(): Promise<Server> {
  const server = await startServer();
  const stores: Store[] = [];
  const clients: pg.Client[] = [];
  const client = async () => {
    const opened = new pg.Client({ connectionString: server.url });
    await opened.connect();
    clients.push(opened);
    return opened;
  };
  const asking = await client();
  return {
    url: server.url,
    async store(schema, connections = 4) {
      const store = await openPostgresStore({ url: server.url, schema, connections, listen: false });
      stores.push(store);
      return store;
    },
    client,
    async number(sql) {
      const { rows } = await asking.query<Record<string, unknown>>(sql);
      return Number(Object.values(rows[0] ?? {})[0]);
    },
    async close() {
      for (const store of stores) await store.close();
      for (const opened of clients) await opened.end();
      await server.remove();
    },
  };
}

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

/** So many runs that go on visit by visit, each visit durable before its next one: what waits is one batch. */
export function visits(name: string, store: Store, runs: number, rounds: number): Subject {
  const at = Array.from({ length: runs }, () => 0);
  return {
    name,
    unit: "commit",
    async run() {
      for (let round = 0; round < rounds; round++) {
        await append(
          store,
          at.map((position, run) => visit(`${name} ${run}`, position)),
        );
        for (const run of at.keys()) at[run]! += 1;
      }
      return runs * rounds;
    },
  };
}

/** Clients that insert a row of 200 bytes and commit, each as fast as it can. */
export async function rawInserts(server: Server, clients: number, commits: number): Promise<Subject> {
  const open = await Promise.all(Array.from({ length: clients }, () => server.client()));
  await open[0]!.query(`CREATE TABLE raw_${clients} (id bigserial PRIMARY KEY, body bytea NOT NULL)`);
  const insert = {
    name: "raw",
    text: `INSERT INTO raw_${clients} (body) VALUES ($1)`,
    values: [Buffer.alloc(200, 120)],
  };
  return {
    name: `raw INSERT, a commit each, ${clients} client${clients === 1 ? "" : "s"}`,
    unit: "commit",
    async run() {
      await Promise.all(
        open.map(async (client) => {
          for (let index = 0; index < commits / clients; index++) await client.query(insert);
        }),
      );
      return commits;
    },
  };
}

/** Milliseconds of each call, kept beside the rate. */
export interface Timed {
  readonly subject: Subject;
  p50(): number;
}

export function timed(name: string, unit: string, calls: number, call: () => Promise<unknown>): Timed {
  const taken: number[] = [];
  return {
    subject: {
      name,
      unit,
      async run() {
        for (let index = 0; index < calls; index++) {
          const began = performance.now();
          await call();
          taken.push(performance.now() - began);
        }
        return calls;
      },
    },
    p50: () => median(taken),
  };
}

/** On a terminal, or where `SWL_BENCH_LONG` asks for what takes long: how far it is. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else if (process.env["SWL_BENCH_LONG"] === "1") process.stderr.write(`${text}\n`);
}
