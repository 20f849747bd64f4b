/**
 * The stores that go in lockstep, each empty for every history. PostgreSQL takes part where there is a server: one that
 * npm has for this machine, or the one that SWL_TEST_DATABASE_URL names. One schema serves all histories. Nothing here
 * has to survive anything: files lie in memory where there is such a place, and the server waits for no disk.
 */
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryBacking, openMemoryStore } from "@swl/store-memory";
import { openPostgresStore } from "@swl/store-postgres";
import type { Store } from "@swl/store-provider";
import { openSqliteStore } from "@swl/store-sqlite";
import pg from "pg";

type Clock = () => number;

/** Files in memory, on Linux. */
const memory = "/dev/shm";

export interface Stores {
  /** The memory store first: the model. */
  open(clock: Clock): Promise<readonly Store[]>;
  /** Removes what all of them have left. */
  end(): Promise<void>;
}

export function createStores(url: string | undefined): Stores {
  const folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), "swl-cross-"));
  const postgres = url === undefined ? undefined : createPostgres(url);
  let files = 0;
  return {
    async open(clock) {
      files += 1;
      return [
        openMemoryStore({ clock, backing: createMemoryBacking() }),
        await openSqliteStore({ clock, file: join(folder, `${files}.db`) }),
        ...(postgres === undefined ? [] : [await postgres.empty(clock)]),
      ];
    },
    async end() {
      await postgres?.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function createPostgres(url: string) {
  const schema = `swl_cross_${randomBytes(6).toString("hex")}`;
  const client = new pg.Client({ connectionString: url });
  let connected: Promise<unknown> | undefined;
  let opened: Promise<Store> | undefined;
  let present: Clock = () => 0;

  async function statement(text: string): Promise<readonly Record<string, unknown>[]> {
    connected ??= client.connect();
    await connected;
    return (await client.query<Record<string, unknown>>(text)).rows;
  }

  async function tables(): Promise<string> {
    const rows = await statement(`SELECT tablename FROM pg_tables WHERE schemaname = '${schema}'`);
    const names = rows.map((row) => String(row["tablename"])).filter((name) => name !== "format");
    return names.map((name) => `"${schema}"."${name}"`).join(", ");
  }

  return {
    async empty(clock: Clock): Promise<Store> {
      present = clock;
      opened ??= openPostgresStore({
        ...{ url: hurried(url), schema, connections: 2, durability: "relaxed" },
        clock: () => present(),
      });
      const store = await opened;
      await statement(`TRUNCATE ${await tables()}`);
      // It stays open until the end.
      return { ...store, close: async () => {} };
    },
    async end(): Promise<void> {
      await (await opened)?.close();
      await statement(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
      await client.end();
    },
  };
}

function hurried(url: string): string {
  const address = new URL(url);
  address.searchParams.set("options", "-c synchronous_commit=off");
  return address.href;
}
