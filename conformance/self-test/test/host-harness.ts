/** The host of this project under the kit's checks, on one of its stores with real time. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "@swl/base";
import type { HostHarness, HostSetting } from "@swl/conformance";
import { createHost, type Host, type HostOptions } from "@swl/durable-state";
import { core } from "@swl/execution";
import type { ControlService } from "@swl/invocation-control";
import { createMemoryBacking, openMemoryStore } from "@swl/store-memory";
import { openPostgresStore } from "@swl/store-postgres";
import type { Store } from "@swl/store-provider";
import { openSqliteStore } from "@swl/store-sqlite";
import { scratchName, sql, url } from "../../../packages/store-postgres/test/scratch.js";

/** What a broken host does to what the real one is given. */
export interface Sabotage {
  readonly store?: (store: Store) => Store;
  readonly options?: (options: HostOptions) => HostOptions;
  readonly control?: (control: ControlService) => ControlService;
  /** How the host is closed that was given so many milliseconds for it. */
  readonly close?: (host: Host, drain: number) => Promise<void>;
}

type Storage = HostHarness["storage"];

const inMemory: Storage = async () => {
  const backing = createMemoryBacking();
  return { handle: async () => openMemoryStore({ backing }), dispose: async () => undefined };
};

/** Milliseconds that a broken host is waited for: what it owes may never come. */
const shortPatience = 5_000;

/** Every handle is a connection of its own, as another process would have. */
export const inFile: Storage = async () => {
  const folder = await mkdtemp(join(tmpdir(), "swl-host-"));
  const handles: Store[] = [];
  return {
    async handle() {
      const store = await openSqliteStore({ file: join(folder, "runs.db") });
      handles.push(store);
      return store;
    },
    async dispose() {
      await Promise.all(handles.map((store) => store.close()));
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** Every handle is a pool of its own. With `free`, a schema is used again by who comes later. */
export function inPostgres(free: string[] = []): Storage {
  return async () => {
    const schema = free.pop() ?? scratchName();
    const handles: Store[] = [];
    return {
      async handle() {
        const store = await openPostgresStore({ url: url(), schema, connections: 2 });
        handles.push(store);
        return store;
      },
      async dispose() {
        await Promise.all(handles.map((store) => store.close()));
        // Whoever was killed is no living host to those that come later.
        await sql(`UPDATE "${schema}".holders SET until = 0`);
        free.push(schema);
      },
    };
  };
}

export async function dropSchemas(names: readonly string[]): Promise<void> {
  for (const name of names) await sql(`DROP SCHEMA IF EXISTS "${name}" CASCADE`);
}

export function hostHarness(name: string, sabotage: Sabotage = {}, storage = inMemory): HostHarness {
  const isBroken = Object.keys(sabotage).length > 0;
  return {
    name,
    storage,
    ...(isBroken && { patience: shortPatience }),
    async open(setting: HostSetting) {
      const options: HostOptions = {
        store: sabotage.store?.(setting.store) ?? setting.store,
        models: [core, ...(setting.models ?? [])],
        ...(setting.clock && { clock: setting.clock, random: () => 0.5 }),
        bindings: setting.provider,
        lease: setting.lease,
        exclusive: setting.exclusive,
        ...(setting.closedRuns !== undefined && { retention: { closedRuns: setting.closedRuns } }),
        ...(setting.concurrency !== undefined && { concurrency: { total: setting.concurrency } }),
        poll: setting.clock ? 50 : 10,
      };
      const host = await createHost(sabotage.options?.(options) ?? options);
      const wait = { wait: isBroken ? shortPatience : 30_000 };
      const control = sabotage.control?.(host.control) ?? host.control;
      return {
        control,
        start: async (definition, given) => (await host.start(clone(definition), given)).id,
        signal: (request) => control.signal(request, wait),
        resolve: (request) => control.resolve(request, wait),
        cancel: (request) => control.cancel(request, wait),
        update: (request) => control.update(request, wait),
        complete: (request) => control.complete(request, wait),
        terminate: (request) => control.terminate(request),
        release: (request) => control.release(request, wait),
        result: (run, timeout) => host.control.result(run, { timeout }),
        why: (run) => host.control.why(run),
        status: (run) => host.control.status(run),
        close: (drain = 50) => sabotage.close?.(host, drain) ?? host.close({ drain }),
      };
    },
  };
}

/** A host freezes what it is given; the kit's definitions are shared by many hosts. */
function clone(definition: Json): Json {
  return structuredClone(definition) as Json;
}
