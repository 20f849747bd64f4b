/**
 * A store that takes no writes for a while under a running host, refused by the engines themselves: SQLite's connection is
 * told to be read-only, PostgreSQL gives the host's role read-only transactions and ends its sessions, as after a failover.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isSwlError } from "@swl/base";
import { defineWorkflow } from "@swl/definition";
import { createHost, type HostLogEntry } from "@swl/durable-state";
import { core } from "@swl/execution";
import type { Invocation, Provider, ProviderAnswer } from "@swl/invocation-control";
import { openPostgresStore } from "@swl/store-postgres";
import type { Store } from "@swl/store-provider";
import { openSqliteStore } from "@swl/store-sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { noServer, scratchName, sql, url } from "../../../packages/store-postgres/test/scratch.js";

interface Subject {
  readonly store: Store;
  readOnly(on: boolean): Promise<void>;
}

/** The connections that the store has, seen as it uses them. */
async function onFile(): Promise<Subject> {
  const connections = new Set<DatabaseSync>();
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (text: string) {
    connections.add(this);
    return prepare.call(this, text);
  };
  const folder = await mkdtemp(join(tmpdir(), "swl-read-only-"));
  const store = await openSqliteStore({ file: join(folder, "runs.db") });
  onTestFinished(async () => {
    DatabaseSync.prototype.prepare = prepare;
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    store,
    async readOnly(on) {
      expect(connections.size).toBeGreaterThan(0);
      for (const connection of connections) connection.exec(`PRAGMA query_only = ${on ? "ON" : "OFF"}`);
    },
  };
}

/** A role of its own: nobody else's sessions are touched. */
async function onPostgres(): Promise<Subject> {
  const role = scratchName();
  await sql(`CREATE ROLE ${role} LOGIN`);
  const { database } = (await sql("SELECT current_database() AS database"))[0] as { database: string };
  await sql(`GRANT CREATE ON DATABASE "${database}" TO ${role}`);
  const address = new URL(url());
  address.username = role;
  const store = await openPostgresStore({ url: address.href, schema: role, connections: 2 });
  onTestFinished(async () => {
    await store.close();
    await sql(`DROP OWNED BY ${role} CASCADE`);
    await sql(`DROP ROLE ${role}`);
  });
  return {
    store,
    async readOnly(on) {
      const set = on ? "SET default_transaction_read_only = on" : "RESET default_transaction_read_only";
      await sql(`ALTER ROLE ${role} ${set}`);
      await sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1", [role]);
    },
  };
}

const charge = defineWorkflow({
  id: "charge",
  start: "work",
  actions: { work: { effect: "unsafe", outcomes: { ok: {} } } },
  nodes: {
    work: { kind: "activity", action: "work", routes: { ok: "ask" } },
    ask: { kind: "await-signal", signal: "go", routes: { received: "done" } },
    done: { kind: "complete", output: { $get: ["from", "output"] } },
  },
});

/** Calls that end when they are told to. */
function held() {
  const calls: Invocation[] = [];
  const ends: ((answer: ProviderAnswer) => void)[] = [];
  const provider: Provider = {
    id: "held",
    has: (action) => action === "work",
    invoke: (call) =>
      new Promise((resolve) => {
        calls.push(call);
        ends.push(resolve);
      }),
  };
  return { provider, calls, ends };
}

const codeOf = (error: unknown): string => (isSwlError(error) ? error.code : String(error));
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function until(condition: () => boolean): Promise<void> {
  for (const end = performance.now() + 60_000; !condition(); await pause(10))
    expect(performance.now()).toBeLessThan(end);
}

describe.each([
  ["SQLite", "a while", onFile, false, 60_000],
  ["SQLite", "longer than a lease", onFile, false, 500],
  ["PostgreSQL", "a while", onPostgres, noServer, 60_000],
  ["PostgreSQL", "longer than a lease", onPostgres, noServer, 500],
] as const)("a store on %s that takes no writes for %s", (_engine, _long, open, skipped, lease) => {
  it.skipIf(skipped)(
    "is said so by code, repeats no unsafe action, and is used again when it takes writes [DUR-acknowledged-kept] [DUR-quarantine]",
    async () => {
      const { store, readOnly } = await open();
      const { provider, calls, ends } = held();
      const said: HostLogEntry[] = [];
      const log = (entry: HostLogEntry) => void said.push(entry);
      const options = { store, models: [core], bindings: provider, poll: 20, lease, log };
      const host = await createHost(options);
      onTestFinished(() => host.close({ drain: 0 }));
      const { id } = await host.start(charge);
      await until(() => calls.length === 1);

      await readOnly(true);
      ends[0]?.({ kind: "completed", outcome: "ok", output: "charged" });
      expect(await host.start(charge).then(() => "started", codeOf)).toBe("store.unauthorized");
      const go = { run: id, messageId: "m", name: "go", payload: "yes" };
      expect(await host.control.signal(go, { wait: 0 }).then(({ kind }) => kind, codeOf)).toBe(
        "store.unauthorized",
      );
      await until(() => said.some(({ code }) => code === "store.unauthorized"));
      await pause(lease < 1_000 ? 3 * lease : 200);

      await readOnly(false);
      expect(await host.control.signal(go, { wait: 60_000 }).catch(codeOf)).toMatchObject({
        kind: "applied",
      });
      expect(await host.run(id).result({ timeout: 60_000 })).toEqual({ status: "completed", output: "yes" });
      expect(await host.control.verify(id)).toMatchObject({ differing: [] });
      expect(calls).toHaveLength(1);
      // One that is longer than the pause has not ended, a short one has.
      expect(said.some(({ code }) => code === "store.lease-lost")).toBe(lease < 1_000);
      expect((await store.list()).items.map(({ stream }) => stream)).toEqual([id]);
    },
  );
});
