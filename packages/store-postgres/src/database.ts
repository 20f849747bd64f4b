/**
 * Statements. Every one is a transaction of its own, so that no connection is ever held open in one while the network
 * is waited for; what must be several statements is a function in the server. A write whose answer is lost is told as `unknown-commit`; a connection that failed is never used again.
 */
import { createBackoff } from "@swl/store-provider";
import type pg from "pg";
import { createConnections, grace } from "./connections.js";
import { classify, toStoreError } from "./driver-errors.js";

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

const noLimit = 2 ** 31 - 1;

export function connect(options: DatabaseOptions): Database {
  const { name, callTimeout } = options;
  const connections = createConnections(options);
  const statement = namer(options.schema, options.pooler);

  async function once(
    sql: string,
    values: readonly unknown[],
    deadline: number,
    sent: () => void,
  ): Promise<readonly Row[]> {
    const client = connections.idle() ?? (await connections.take(deadline));
    try {
      sent();
      const { rows } = await client.query<Row>(
        limited(
          { ...statement(sql), values: [...values] },
          Math.max(Math.ceil(deadline - performance.now()), 1) + grace,
        ),
      );
      connections.release(client);
      return rows;
    } catch (error) {
      connections.release(client, isFatal(error));
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
        const taken = await connections.take(performance.now() + callTimeout);
        client = taken;
        const answer = await work(async (sql, ...values) => {
          const { text } = statement(sql);
          const all = values.length > 0 ? { values: [...values] } : {};
          return (await taken.query<Row>(limited({ text, ...all }, noLimit))).rows;
        });
        connections.release(taken);
        return answer;
      } catch (error) {
        // It may be in the middle of a transaction.
        if (client !== undefined) connections.release(client, true);
        throw toStoreError(name, error, false);
      }
    },
    close: () => connections.close(),
  };
}

/** The driver breaks off after so many milliseconds; its types do not know that a single query may say so. */
function limited(query: pg.QueryConfig, milliseconds: number): pg.QueryConfig {
  return Object.assign(query, { query_timeout: milliseconds });
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
