/** A PostgreSQL server from npm with fsync on, stores in it, and raw connections to it. */

import { openPostgresStore } from "@swl/store-postgres";
import type { Store } from "@swl/store-provider";
import pg from "pg";
import { startServer } from "../../packages/store-postgres/test/server.ts";
import type { Subject } from "./harness.ts";

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
