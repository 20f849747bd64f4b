/**
 * Connections to the server. Whoever takes one gets one whose settings are made. What is given back stays at hand for the
 * next statement, the one used last first, and goes back to the driver's pool, which closes what nobody uses, some
 * seconds later: going through the pool for each statement would cost a short one a tenth of its time.
 */
import { type SwlError, storeError } from "@swl/store-provider";
import pg from "pg";
import type { DatabaseOptions } from "./database.js";
import { settle } from "./settings.js";

/** The server breaks a statement off first; after so many milliseconds more it is taken not to answer at all. */
export const grace = 1_000;

/** Milliseconds for which a connection is at hand, at most. */
const atHand = 5_000;

const int8 = 20;
/** Every number of ours is a safe integer. */
const types = {
  getTypeParser: ((oid: number, format?: "text") =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

export interface Connections {
  /** One that is at hand, else undefined. */
  idle(): pg.PoolClient | undefined;
  /** Rejects when none can be had until the deadline, a reading of `performance.now()`. */
  take(deadline: number): Promise<pg.PoolClient>;
  /** `broken`: nobody uses it again. */
  release(client: pg.PoolClient, broken?: boolean): void;
  /** Resolves when those in use have been given back and all are closed. */
  close(): Promise<void>;
}

export function createConnections(options: DatabaseOptions): Connections {
  const { name, callTimeout } = options;
  const idle: pg.PoolClient[] = [];
  let sweeping: ReturnType<typeof setTimeout> | undefined;
  let ended = false;
  const settled = new WeakSet<pg.PoolClient>();
  const dead = new WeakSet<pg.PoolClient>();
  const pool = createPool(options, (client) => {
    dead.add(client);
    const at = idle.indexOf(client);
    if (at >= 0) idle.splice(at, 1)[0]!.release(true);
  });

  function sweep(): void {
    clearTimeout(sweeping);
    sweeping = undefined;
    for (const client of idle.splice(0)) client.release();
  }

  async function take(deadline: number): Promise<pg.PoolClient> {
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
  }

  return {
    idle: () => idle.pop(),
    take: async (deadline) => idle.pop() ?? take(deadline),
    release(client, broken = false) {
      if (broken || ended || dead.has(client) || pool.waitingCount > 0) {
        client.release(broken || dead.has(client));
        return;
      }
      idle.push(client);
      sweeping ??= setTimeout(sweep, atHand).unref();
    },
    close() {
      ended = true;
      sweep();
      return pool.end();
    },
  };
}

/** `lost` is told of a connection that failed or ended, also while nobody used it. */
function createPool(
  { url, connections, callTimeout }: DatabaseOptions,
  lost: (client: pg.PoolClient) => void,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: callTimeout + grace,
    query_timeout: callTimeout + grace,
    keepAlive: true,
    fallback_application_name: "swl",
    types,
  });
  // A connection that fails while it is in the pool has been dropped by it; one in use fails its statement as well.
  pool.on("error", () => {});
  pool.on("connect", (client) => {
    client.on("error", () => lost(client));
    client.on("end", () => lost(client));
  });
  return pool;
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
