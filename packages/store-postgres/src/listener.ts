/**
 * One spare connection that waits for notifications, kept up while somebody listens: when it ends it is made anew,
 * after ever longer pauses, and a quiet one is asked now and then whether it still lives.
 */
import { createBackoff } from "@swl/store-provider";
import pg from "pg";

export interface ListenerOptions {
  readonly url: string;
  readonly channel: string;
  heard(payload: string): void;
  /** The connection listens; `missed`: milliseconds during which none did. */
  ready(missed: number): void;
}

export interface Listener {
  start(): void;
  /** Twice is once. */
  stop(): Promise<void>;
}

/** Milliseconds. */
const firstPause = 100;
const longestPause = 10_000;
const silence = 30_000;
const answerTime = 10_000;

export function createListener(options: ListenerOptions): Listener {
  let stopping: (() => void) | undefined;
  let running: Promise<void> = Promise.resolve();
  return {
    start() {
      if (stopping !== undefined) return;
      const stopped = new Promise<void>((resolve) => {
        stopping = resolve;
      });
      running = running.then(() => listen(options, stopped));
    },
    async stop() {
      stopping?.();
      stopping = undefined;
      await running;
    },
  };
}

/** Until it is stopped; never throws. */
async function listen(options: ListenerOptions, stopped: Promise<void>): Promise<void> {
  let goesOn = true;
  stopped.then(() => {
    goesOn = false;
  });
  const pauses = () =>
    createBackoff({ first: firstPause, longest: longestPause, total: Number.POSITIVE_INFINITY });
  let backoff = pauses();
  let deafSince = performance.now();
  while (goesOn) {
    await connected(options, stopped, () => {
      options.ready(performance.now() - deafSince);
      backoff = pauses();
    });
    deafSince = performance.now();
    if (goesOn) await Promise.race([stopped, pause(backoff.next(0) ?? longestPause)]);
  }
}

/** One connection, to its end or the stop. */
async function connected(
  { url, channel, heard }: ListenerOptions,
  stopped: Promise<void>,
  ready: () => void,
): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: answerTime,
    query_timeout: answerTime,
    keepAlive: true,
    fallback_application_name: "swl wake-ups",
  });
  const ended = new Promise<void>((resolve) => {
    client.on("error", () => resolve());
    client.on("end", () => resolve());
  });
  client.on("notification", ({ payload }) => heard(payload ?? ""));
  const pulse = setInterval(() => {
    client.query("SELECT 1").catch(() => client.end().catch(() => {}));
  }, silence);
  pulse.unref();
  try {
    await client.connect();
    await client.query("SET idle_session_timeout = 0");
    await client.query(`LISTEN "${channel}"`);
    ready();
    await Promise.race([ended, stopped]);
  } catch {
    // The next try, or the polling behind it.
  } finally {
    clearInterval(pulse);
    // A server that is gone does not say goodbye.
    await Promise.race([client.end().catch(() => {}), pause(answerTime)]);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
