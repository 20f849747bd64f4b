/**
 * The one place that touches `node:sqlite`: loaded when a store is opened, so that importing the package never fails.
 * Statements are prepared once and kept.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { storeError } from "@swl/store-provider";

export type Value = SQLInputValue;
export type Row = Readonly<Record<string, unknown>>;

/** What the rest of the package needs of a database. */
export interface Database {
  /** Statements without parameters or rows. */
  exec(sql: string): void;
  run(sql: string, ...values: readonly Value[]): { readonly changes: number };
  get(sql: string, ...values: readonly Value[]): Row | undefined;
  all(sql: string, ...values: readonly Value[]): readonly Row[];
  close(): void;
}

export type Driver = (path: string, options: { readonly readOnly: boolean }) => Database;

/** Throws `store.incompatible` on a Node without `node:sqlite`. */
export async function loadDriver(): Promise<Driver> {
  let sqlite: typeof import("node:sqlite");
  try {
    sqlite = await import("node:sqlite");
  } catch (error) {
    throw storeError("incompatible", "The SQLite store needs Node 22.13 or newer (node:sqlite).", error);
  }
  return (path, { readOnly }) => wrap(new sqlite.DatabaseSync(path, { readOnly }));
}

function wrap(database: DatabaseSync): Database {
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = database.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
  return {
    exec: (sql) => void prepare(sql).run(),
    run: (sql, ...values) => ({ changes: Number(prepare(sql).run(...values).changes) }),
    get: (sql, ...values) => prepare(sql).get(...values),
    all: (sql, ...values) => prepare(sql).all(...values),
    close() {
      statements.clear();
      database.close();
    },
  };
}
