/**
 * Transactions. A writer begins with the write lock (`BEGIN IMMEDIATE`), a reader never asks for it. Waiting for a
 * lock blocks this process for the busy timeout only; beyond that the call waits without blocking, with jitter, up to
 * a bounded total. A commit whose answer is uncertain is told as `unknown-commit`. Spec: STO-unknown-commit.
 */
import { createBackoff, storeError } from "@swl/store-provider";
import type { Database } from "./driver.js";
import { classify, toStoreError } from "./driver-errors.js";

export interface Session {
  /** Runs the work with the write lock; all of it is committed, or nothing. May run the work again from the start. */
  write<T>(work: (database: Database) => T): Promise<T>;
  /** Runs the work on one snapshot. */
  read<T>(work: (database: Database) => T): Promise<T>;
}

export interface Patience {
  /** For messages. */
  readonly name: string;
  /** Longest wait for a lock, in milliseconds. */
  readonly lockWait: number;
}

/** @param guard looked at with the write lock, before any work: throws when this process may not write any more */
export function createSession(
  database: Database,
  patience: Patience,
  guard: (database: Database) => void = () => {},
): Session {
  // A reader never waits for whoever has the write lock.
  const [writing, reading] = [createWait(patience), createWait(patience)];
  return {
    write: (work) =>
      writing(() =>
        writeOnce(database, patience.name, (locked) => {
          guard(locked);
          return work(locked);
        }),
      ),
    read: (work) => reading(() => readOnce(database, work)),
  };
}

/** Tries until it succeeds, fails for another reason than a lock, or the time is over (`store.unavailable`). */
export type Wait = <T>(attempt: () => T) => Promise<T>;

/** Of many calls that wait for one lock only one asks for it again: what each of them may block must not add up. */
export function createWait({ name, lockWait }: Patience): Wait {
  let asking: Promise<void> | undefined;
  return async (attempt) => {
    const begun = performance.now();
    while (asking !== undefined) await asking;
    let done = () => {};
    try {
      const backoff = createBackoff({ total: lockWait });
      for (;;) {
        try {
          return attempt();
        } catch (error) {
          if (classify(error)?.busy !== true) throw toStoreError(name, error);
          const delay = backoff.next(performance.now() - begun);
          if (delay === undefined) throw stayedLocked(name, lockWait, error);
          asking ??= new Promise((resolve) => {
            done = () => {
              asking = undefined;
              resolve();
            };
          });
          await new Promise((resolve) => setTimeout(resolve, delay));
        }
      }
    } finally {
      done();
    }
  };
}

function stayedLocked(name: string, lockWait: number, cause: unknown) {
  const says = `The store ${name} stayed locked by another process for ${lockWait} ms.`;
  return storeError("unavailable", says, cause);
}

function writeOnce<T>(database: Database, name: string, work: (database: Database) => T): T {
  database.exec("BEGIN IMMEDIATE");
  let value: T;
  try {
    value = work(database);
  } catch (error) {
    rollBack(database);
    throw error;
  }
  try {
    database.exec("COMMIT");
  } catch (error) {
    rollBack(database);
    throw storeError("unknown-commit", `The store ${name} did not say whether it committed.`, error);
  }
  return value;
}

function readOnce<T>(database: Database, work: (database: Database) => T): T {
  database.exec("BEGIN DEFERRED");
  try {
    return work(database);
  } finally {
    rollBack(database);
  }
}

/** SQLite may have rolled back already; what counts is that no transaction is left open. */
export function rollBack(database: Database): void {
  try {
    database.exec("ROLLBACK");
  } catch (error) {
    if (classify(error) === undefined) throw error;
  }
}
