/**
 * Another process has the lock. Nothing here measures time: what is counted is whether this process's own timers go on
 * while calls wait, and how often the lock is asked for between them.
 */
import type { Item, Store } from "@swl/store-provider";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Database, loadDriver } from "../src/driver.js";
import { openSqliteStore } from "../src/index.js";
import { openWith } from "../src/sqlite-store.js";
import { type Ended, runScript } from "./child.js";
import { openForTest, temporaryFile } from "./temporary.js";

const item = (stream: string): Item => ({
  stream,
  commit: "c",
  expect: 0,
  records: [{ kind: "event", document: stream }],
  work: [{ id: `w ${stream}`, queue: "q", delay: 0, document: null }],
  stamp: 0,
});

/** A process that holds the lock until it is told to give it back. */
async function lock(file: string, mode: "write" | "exclusive") {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let ended: Promise<Ended> | undefined;
  await new Promise<void>((resolve) => {
    ended = runScript("locker.mjs", [file, mode], { heard: () => resolve(), release: released });
  });
  onTestFinished(() => release());
  return async () => {
    release();
    expect(await ended).toMatchObject({ code: 0, complained: "" });
  };
}

/** Turns of this process's own event loop. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** A store, and how often it found the lock taken. */
async function openCounted(file: string) {
  const honest = await loadDriver();
  const counts = { busy: 0 };
  const count = <T>(call: () => T): T => {
    try {
      return call();
    } catch (error) {
      if ((error as { readonly errcode?: unknown }).errcode === 5) counts.busy += 1;
      throw error;
    }
  };
  const store = await openWith(
    (path, options) => {
      const database = honest(path, options);
      return {
        ...database,
        exec: (sql) => count(() => database.exec(sql)),
        get: (sql, ...values) => count(() => database.get(sql, ...values)),
      };
    },
    { file },
  );
  onTestFinished(() => store.close());
  return { store, counts };
}

const writing: readonly ((store: Store) => Promise<unknown>)[] = [
  (store) => store.append([item("b")]),
  (store) => store.note("a", "e", null),
  (store) => store.openHolder("h2", { lease: 60_000, exclusive: false }),
  (store) => store.renewHolder("h", 60_000),
  (store) => store.claim("h", { queues: [{ queue: "q", limit: 1 }] }),
  (store) => store.unclaim("h", ["w a"]),
  (store) => store.renewWork("h", ["w a"], 10),
  (store) => store.closeHolder("other"),
];

const reading: readonly ((store: Store) => Promise<unknown>)[] = [
  (store) => store.head("a"),
  (store) => store.load("a"),
  (store) => store.list(),
  (store) => store.due(10),
  (store) => store.stats(),
  (store) => store.check(),
  (store) => store.prune({ closedBefore: 1 }),
];

async function prepared() {
  const file = await temporaryFile();
  const { store, counts } = await openCounted(file);
  await store.append([item("a")]);
  await store.openHolder("h", { lease: 60_000, exclusive: true });
  return { file, store, counts };
}

/** Starts the calls; says how many of them have ended. */
function start(store: Store, calls: readonly ((store: Store) => Promise<unknown>)[]) {
  let ended = 0;
  const all = calls.map((call) =>
    call(store).finally(() => {
      ended += 1;
    }),
  );
  return { ended: () => ended, all: Promise.all(all) };
}

describe("while another process has the write lock", () => {
  it("writing waits, and this process goes on: it reads, opens, closes [STO-peers]", async () => {
    const { file, store } = await prepared();
    const release = await lock(file, "write");
    const waiting = start(store, writing);
    await turns(10);
    expect(waiting.ended()).toBe(0);
    for (const read of reading) await read(store);
    const peer = await openSqliteStore({ file });
    expect((await peer.head("a"))?.position).toBe(1);
    await peer.close();
    await turns(10);
    expect(waiting.ended()).toBe(0);
    await release();
    await waiting.all;
    expect((await store.head("b"))?.position).toBe(1);
  });

  it("one of many calls asks for it again, not all of them [STO-peers]", async () => {
    const { file, store, counts } = await prepared();
    const release = await lock(file, "write");
    counts.busy = 0;
    const streams = Array.from({ length: 40 }, (_, n) => `run ${n}`);
    const waiting = start(
      store,
      streams.map((stream) => (one) => one.append([item(stream)])),
    );
    for (let turn = 1; turn <= 20; turn += 1) {
      await turns(1);
      expect(counts.busy).toBeLessThanOrEqual(turn + 8);
    }
    expect([waiting.ended(), counts.busy > 1]).toEqual([0, true]);
    await release();
    await waiting.all;
    expect((await store.stats()).streams.open).toBe(41);
  });

  it("each call gives up in its own time, having written nothing [STO-failure-kinds]", async () => {
    const file = await temporaryFile();
    const store = await openForTest({ file, lockWait: 40 });
    const release = await lock(file, "write");
    const answers = await Promise.allSettled(["a", "b", "c"].map((stream) => store.append([item(stream)])));
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: "rejected", reason: { code: "store.unavailable" } });
    }
    await release();
    expect((await store.stats()).streams.open).toBe(0);
    expect(await store.append([item("a")])).toMatchObject([{ kind: "accepted" }]);
  });
});

describe("a store that is told nothing of waiting", () => {
  it("blocks for a lock no longer than 5 ms before this process goes on [STO-peers]", async () => {
    const honest = await loadDriver();
    const opened: Database[] = [];
    const store = await openWith(
      (path, options) => {
        const database = honest(path, options);
        opened.push(database);
        return database;
      },
      { file: await temporaryFile() },
    );
    onTestFinished(() => store.close());
    await store.append([item("a")]);
    // Every connection that it has: what reads and what writes.
    const told = opened.map((database) => Object.values(database.get("PRAGMA busy_timeout") ?? {})[0]);
    expect([told.length > 0, [...new Set(told)]]).toEqual([true, [5]]);
  });
});

describe("while another process lets nobody read", () => {
  it("every call waits, opening too, and this process goes on [STO-peers]", async () => {
    const file = await temporaryFile();
    const first = await openSqliteStore({ file });
    await first.append([item("a")]);
    await first.openHolder("h", { lease: 60_000, exclusive: true });
    await first.close();
    const release = await lock(file, "exclusive");
    const opening = openForTest({ file });
    let opened = false;
    void opening.then(() => {
      opened = true;
    });
    await turns(20);
    expect(opened).toBe(false);
    await release();
    const store = await opening;
    expect((await store.head("a"))?.position).toBe(1);
    await start(store, [...reading, ...writing]).all;
  });
});
