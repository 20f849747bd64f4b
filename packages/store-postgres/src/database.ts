/**
 * Connections to the server, and statements. Every statement is a transaction of its own, so that no connection is ever
 * held open in one while the network is waited for; what must be several statements is a function in the server. A
 * write whose answer is lost is told as `unknown-commit`; a connection that failed is never used again.
 */
import { createBackoff } from "@swl/store-provider";
import pg from "pg";
import { classify, toStoreError } from "./driver-errors.js";
import { settle } from "./settings.js";

export type Row = Readonly<Record<string, unknown>>;
/** `swl.` in the text stands for the schema's own name. */
export type Query = (sql: string, ...values: readonly unknown[]) => Promise<readonly Row[]>;

export interface Database {
  readonly read: Query;
  readonly write: Query;
  /** Several statements on one connection: opening only. */
  alone<T>(work: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** For messages. */
  readonly name: string;
  readonly url: string;
  readonly schema: string;
  readonly connections: number;
  /** Milliseconds. */
  readonly callTimeout: number;
  readonly durable: boolean;
}

const int8 = 20;
/** Every number of ours is a safe integer. */
const types = {
  getTypeParser: ((oid: number, format?: "text") =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

export function connect(options: DatabaseOptions): Database {
  const { name, callTimeout } = options;
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections,
    connectionTimeoutMillis: callTimeout,
    // The server breaks a statement off first; this is for a server that does not answer at all.
    query_timeout: callTimeout + 1_000,
    keepAlive: true,
    fallback_application_name: "swl",
    types,
  });
  // A connection that fails while nobody uses it has been dropped by the pool; one in use fails its statement as well.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const statement = namer(options.schema);
  const settled = new WeakSet<pg.PoolClient>();

  async function take(): Promise<pg.PoolClient> {
    const client = await pool.connect();
    if (settled.has(client)) return client;
    try {
      await settle(client, options);
    } catch (error) {
      client.release(true);
      throw error;
    }
    settled.add(client);
    return client;
  }

  async function once(sql: string, values: readonly unknown[], sent: () => void): Promise<readonly Row[]> {
    const client = await take();
    try {
      sent();
      const { rows } = await client.query({ ...statement(sql), values: [...values] });
      client.release();
      return rows;
    } catch (error) {
      client.release(isFatal(error));
      throw error;
    }
  }

  const ask =
    (writes: boolean): Query =>
    async (sql, ...values) => {
      const backoff = createBackoff({ total: callTimeout });
      const begun = performance.now();
      for (;;) {
        let sent = false;
        try {
          return await once(sql, values, () => {
            sent = writes;
          });
        } catch (error) {
          const delay =
            classify(error)?.remedy === "again" ? backoff.next(performance.now() - begun) : undefined;
          // What the caller of this does about it may be to load again.
          if (classify(error)?.remedy === "reload") throw error;
          if (delay === undefined) throw toStoreError(name, error, sent);
          await new Promise((resolve) => setTimeout(resolve, delay));
        }
      }
    };

  return {
    read: ask(false),
    write: ask(true),
    async alone(work) {
      let client: pg.PoolClient | undefined;
      try {
        const taken = await take();
        client = taken;
        return await work(async (sql, ...values) => {
          const { text } = statement(sql);
          return (await taken.query<Row>(text, values.length > 0 ? [...values] : undefined)).rows;
        });
      } catch (error) {
        throw toStoreError(name, error, false);
      } finally {
        client?.release(true);
      }
    },
    close: () => pool.end(),
  };
}

function isFatal(error: unknown): boolean {
  return classify(error)?.lost !== false;
}

/** Each text is prepared once a connection, under a name of its own. */
function namer(schema: string): (sql: string) => { readonly name: string; readonly text: string } {
  const known = new Map<string, { readonly name: string; readonly text: string }>();
  return (sql) => {
    let found = known.get(sql);
    if (found === undefined) {
      found = { name: `swl_${known.size}`, text: sql.replaceAll("swl.", `"${schema}".`) };
      known.set(sql, found);
    }
    return found;
  };
}
