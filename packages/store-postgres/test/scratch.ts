/** A schema of its own for every test, and stores opened in it, all gone afterwards. */
import { randomBytes } from "node:crypto";
import type { Store } from "@swl/store-provider";
import pg from "pg";
import { onTestFinished } from "vitest";
import { openPostgresStore, type PostgresStoreOptions } from "../src/index.js";
import { givenUrl } from "./server.js";

/** True where nothing can be tested. */
export const noServer = givenUrl() === undefined;

export const url = () => givenUrl() as string;

/** One statement, on a connection of its own. */
export async function sql(text: string, values: readonly unknown[] = [], address = url()) {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

export function scratchName(): string {
  return `swl_test_${randomBytes(6).toString("hex")}`;
}

export function scratchSchema(): string {
  const schema = scratchName();
  onTestFinished(async () => {
    await sql(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  });
  return schema;
}

export async function openForTest(options: Partial<PostgresStoreOptions> = {}): Promise<Store> {
  const store = await openPostgresStore({ url: url(), connections: 2, ...options });
  onTestFinished(() => store.close());
  return store;
}
