/**
 * Connections to the server, and statements. Every statement is a transaction of its own, so that no connection is ever
 * held open in one while the network is waited for; what must be several statements is a function in the server. A
 * write whose answer is lost is told as `unknown-commit`; a connection that failed is never used again.
 */
import { createBackoff, type SwlError, storeError } from "@swl/store-provider";
import pg from "pg";
import { classify, toStoreError } from "./driver-errors.js";
import { settle } from "./settings.js";

export type Row = Readonly<Record<string, unknown>>;
/** `swl.` in the text stands for the schema's own name. */
export type Query = (sql: string, ...values: readonly unknown[]) => Promise<readonly Row[]>;

/** The statements of one call: together they take no longer than its time. */
export interface Statements {
  readonly read: Query;
  readonly write: Query;
}

export interface Database extends Statements {
  /** For a call of several statements; `read` and `write` of the database are calls of one. */
  call(): Statements;
  /** Several statements on one connection, in the time that they take: opening, checking. */
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
  /** True: nothing may rest on the session, each transaction may get another one. */
  readonly pooler: boolean;
}

/** The server breaks a statement off first; after so many milliseconds more it is taken not to answer at all. */
const grace = 1_000;
const noLimit = 2 ** 31 - 1;

const int8 = 20;
/** Every number of ours is a safe integer. */
const types = {
  getTypeParser: ((oid: number, format?: "text") =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

export function connect(options: DatabaseOptions): Database {
  const { name, callTimeout } = options;
  const pool = createPool(options);
  const statement = namer(options.schema, options.pooler);
  const take = taker(pool, options);

  async function once(
    sql: string,
    values: readonly unknown[],
    deadline: number,
    sent: () => void,
  ): Promise<readonly Row[]> {
    const client = await take(deadline);
    try {
      sent();
      const { rows } = await client.query<Row>(
        limited(
          { ...statement(sql), values: [...values] },
          Math.max(Math.ceil(deadline - performance.now()), 1) + grace,
        ),
      );
      client.release();
      return rows;
    } catch (error) {
      client.release(isFatal(error));
      throw error;
    }
  }

  const ask =
    (writes: boolean, deadline: () => number): Query =>
    async (sql, ...values) => {
      const ends = deadline();
      let backoff: ReturnType<typeof createBackoff> | undefined;
      for (;;) {
        let sent = false;
        try {
          return await once(sql, values, ends, () => {
            sent = writes;
          });
        } catch (error) {
          const elapsed = callTimeout - (ends - performance.now());
          backoff ??= createBackoff({ total: callTimeout });
          const delay = classify(error)?.remedy === "again" ? backoff.next(elapsed) : undefined;
          // What the caller of this does about it may be to load again.
          if (classify(error)?.remedy === "reload") throw error;
          if (delay === undefined) throw toStoreError(name, error, sent);
          await new Promise((resolve) => setTimeout(resolve, delay));
        }
      }
    };
  const statements = (deadline: () => number) => ({ read: ask(false, deadline), write: ask(true, deadline) });

  return {
    ...statements(() => performance.now() + callTimeout),
    call() {
      const ends = performance.now() + callTimeout;
      return statements(() => ends);
    },
    async alone(work) {
      let client: pg.PoolClient | undefined;
      try {
        const taken = await take(performance.now() + callTimeout);
        client = taken;
        const answer = await work(async (sql, ...values) => {
          const { text } = statement(sql);
          const all = values.length > 0 ? { values: [...values] } : {};
          return (await taken.query<Row>(limited({ text, ...all }, noLimit))).rows;
        });
        client.release();
        return answer;
      } catch (error) {
        // It may be in the middle of a transaction.
        client?.release(true);
        throw toStoreError(name, error, false);
      }
    },
    close: () => pool.end(),
  };
}

/** Gives a connection whose settings are made, in the time that is left. */
function taker(pool: pg.Pool, options: DatabaseOptions): (deadline: number) => Promise<pg.PoolClient> {
  const { name, callTimeout } = options;
  const settled = new WeakSet<pg.PoolClient>();

  return async (deadline) => {
    // One that is idle comes at once: nothing has to be watched.
    const isIdle = pool.idleCount > 0 && pool.waitingCount === 0;
    const connected = pool.connect();
    const client = isIdle
      ? await connected
      : await inTime(connected, name, deadline, (unwanted) => unwanted.release());
    if (!isIdle && deadline - performance.now() < callTimeout / 20) {
      // What is sent now could not be waited for, and nobody would know what came of it.
      client.release();
      throw tooLate(name);
    }
    if (settled.has(client)) return client;
    try {
      await inTime(settle(client, options), name, deadline);
    } catch (error) {
      client.release(true);
      throw error;
    }
    settled.add(client);
    return client;
  };
}

function createPool({ url, connections, callTimeout }: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: callTimeout + grace,
    query_timeout: callTimeout + grace,
    keepAlive: true,
    fallback_application_name: "swl",
    types,
  });
  // A connection that fails while nobody uses it has been dropped by the pool; one in use fails its statement as well.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** The driver breaks off after so many milliseconds; its types do not know that a single query may say so. */
function limited(query: pg.QueryConfig, milliseconds: number): pg.QueryConfig {
  return Object.assign(query, { query_timeout: milliseconds });
}

function tooLate(name: string): SwlError {
  return storeError("unavailable", `The store ${name} cannot go on: no connection came in time.`);
}

/** Rejects when the time is up; what comes of `work` after that is passed to `late`. */
async function inTime<T>(
  work: Promise<T>,
  name: string,
  deadline: number,
  late: (value: T) => void = () => {},
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => {
        work.then(late).catch(() => {});
        reject(tooLate(name));
      },
      Math.max(deadline - performance.now(), 1),
    );
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}

function isFatal(error: unknown): boolean {
  return classify(error)?.lost !== false;
}

interface Statement {
  readonly name?: string;
  readonly text: string;
}

/** Each text is prepared once a connection, under a name of its own; with a pooler never, as the next one may not know it. */
function namer(schema: string, pooler: boolean): (sql: string) => Statement {
  const known = new Map<string, Statement>();
  return (sql) => {
    let found = known.get(sql);
    if (found === undefined) {
      const text = sql.replaceAll("swl.", `"${schema}".`);
      found = pooler ? { text } : { name: `swl_${known.size}`, text };
      known.set(sql, found);
    }
    return found;
  };
}
