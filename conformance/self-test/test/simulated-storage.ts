/** Storages that go by a clock which a check moves: what a host does there takes no time and is the same every time. */
import { existsSync, rmSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CheckTime, type HostHarness, through } from "@swl/conformance";
import { createMemoryBacking, openMemoryStore } from "@swl/store-memory";
import type { Store } from "@swl/store-provider";
import { openSqliteStore } from "@swl/store-sqlite";
import { SimulatedClock } from "@swl/testing";

type Storage = HostHarness["storage"];

function simulated(): { readonly time: CheckTime; readonly watched: (store: Store) => Store } {
  const clock = new SimulatedClock();
  const { now, monotonic, after } = clock;
  return {
    time: {
      now,
      monotonic,
      after,
      async pass() {
        await clock.settle();
        await clock.jump(clock.next ?? clock.now() + 1_000);
      },
    },
    watched: (store) =>
      through(store, async (_name, call) => {
        clock.touch();
        try {
          return await call();
        } finally {
          clock.touch();
        }
      }),
  };
}

export const simulatedMemory: Storage = async () => {
  const { time, watched } = simulated();
  const backing = createMemoryBacking();
  return {
    time,
    handle: async () => watched(openMemoryStore({ backing, clock: time.now })),
    dispose: async () => undefined,
  };
};

/** Where files cost little: here hosts die, and no machine. */
const place = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** A file with an empty store in it, copied for each storage. */
let empty: Promise<string> | undefined;

async function emptyFile(): Promise<string> {
  const folder = await mkdtemp(join(place, "swl-crash-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "empty.db");
  await (await openSqliteStore({ file })).close();
  return file;
}

export const simulatedFile: Storage = async () => {
  const { time, watched } = simulated();
  empty ??= emptyFile();
  const folder = await mkdtemp(join(place, "swl-crash-"));
  const file = join(folder, "runs.db");
  await copyFile(await empty, file);
  const handles: Store[] = [];
  return {
    time,
    async handle() {
      const store = await openSqliteStore({ file, clock: time.now });
      handles.push(store);
      return watched(store);
    },
    async dispose() {
      await Promise.all(handles.map((store) => store.close()));
      await rm(folder, { recursive: true, force: true });
    },
  };
};
