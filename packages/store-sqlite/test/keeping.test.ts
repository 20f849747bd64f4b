import { open, stat } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import type { Item, Store } from "@swl/store-provider";
import { describe, expect, it } from "vitest";
import { openForTest, temporaryFile } from "./temporary.js";

/** A run of four records with all that a run can leave behind. */
function run(name: string): readonly Item[] {
  const item = (commit: string, expect: number, rest: Partial<Item>): Item => ({
    stream: name,
    commit,
    expect,
    records: [{ kind: "event", document: { commit, text: "x".repeat(200) } }],
    applies: true,
    stamp: 0,
    ...rest,
  });
  return [
    item("c1", 0, {
      receipts: [{ scope: "start", request: name, digest: "d" }],
      blobs: [{ digest: `input ${name}`, document: name }],
      facets: { workflow: "orders" },
    }),
    item("c2", 1, { slots: [{ key: "state", document: { step: 2, text: "y".repeat(200) } }] }),
    item("c3", 2, { work: [{ id: `${name} w`, queue: "q", delay: 0, document: null }] }),
    item("c4", 3, { close: true }),
  ];
}

/** Many runs, each of its items in a batch with those of others. */
async function load(store: Store, count: number, portion = 250): Promise<void> {
  for (let from = 0; from < count; from += portion) {
    const runs = Array.from({ length: Math.min(portion, count - from) }, (_, n) => run(`run ${from + n}`));
    for (const step of [0, 1, 2, 3]) {
      const answers = await store.append(runs.flatMap((items) => items[step] ?? []));
      expect(answers.filter(({ kind }) => kind !== "accepted")).toEqual([]);
    }
  }
}

async function pruneAll(store: Store): Promise<number> {
  let streams = 0;
  for (let more = true; more; ) {
    const pruned = await store.prune({ closedBefore: 1_000, limit: 200 });
    streams += pruned.streams;
    more = pruned.more;
  }
  return streams;
}

describe("pruning", () => {
  it("leaves room that the next runs fill [STO-prune]", async () => {
    const file = await temporaryFile();
    const store = await openForTest({ file, clock: () => 100 });
    await load(store, 1_500);
    const full = (await store.stats()).bytes ?? 0;
    expect(await pruneAll(store)).toBe(1_500);
    expect(await store.stats()).toMatchObject({
      streams: { open: 0, held: 0, closed: 0 },
      records: 0,
      slots: 0,
      receipts: 0,
      blobs: 0,
    });
    await load(store, 1_500);
    expect(await store.check()).toEqual([]);
    expect((await store.stats()).bytes).toBeLessThanOrEqual(full * 1.2);
    await store.close();
    expect((await stat(file)).size).toBeLessThanOrEqual(full * 1.2);
  });

  it("ends a portion with the stream that makes it long [STO-prune]", async () => {
    const store = await openForTest({ file: await temporaryFile(), clock: () => 100 });
    const records = Array.from({ length: 256 }, () => ({ kind: "event", document: null }));
    for (const stream of ["a", "b"]) {
      for (let n = 0; n < 40; n += 1) {
        await store.append([
          { stream, commit: `c${n}`, expect: n * 256, records, applies: true, close: n === 39, stamp: 0 },
        ]);
      }
    }
    expect(await store.prune({ closedBefore: 101 })).toEqual({
      streams: 1,
      records: 10_240,
      blobs: 0,
      more: true,
    });
    expect(await store.prune({ closedBefore: 101 })).toMatchObject({ streams: 1, more: false });
  });
});

describe("checking", () => {
  it.each([
    ["a record that is gone", "DELETE FROM log WHERE position = 2", /Position 2 of the log is missing/],
    ["a document that is no JSON", "UPDATE slots SET document = x'7b'", /slot state cannot be read/],
    ["a closed stream with an owner", "UPDATE streams SET owner = 'h'", /closed and has an owner, h/],
    ["a closed stream with a due", "INSERT INTO dues VALUES (1, 'k', 1)", /closed and has 1 dues/],
    ["a receipt of nothing", "UPDATE receipts SET position = 9", /points at position 9/],
    ["a pin without its blob", "DELETE FROM blobs", /pinned blob input a is missing/],
    ["a blob without a pin", "DELETE FROM pins", /No stream pins the blob input a/],
    ["a blob that is no JSON", "UPDATE blobs SET document = x''", /blob input a cannot be read/],
    ["a wrong instant of closing", "UPDATE streams SET closed_at = 1", /instant at which it was closed/],
    ["rows of no stream", "UPDATE slots SET sid = 7", /slots has 1 rows of streams that are not there/],
    ["an applied record too many", "UPDATE streams SET applied = 2", /applied up to 4, not up to 2/],
    ["a fence beyond the end", "UPDATE streams SET fence = 5", /fence is 5/],
    [
      "work of a closed stream",
      "INSERT INTO work VALUES (9,'w',1,'q',0,x'31',NULL,NULL,0)",
      /1 pieces of work/,
    ],
  ])("tells of %s [STO-check]", async (_what, sql, message) => {
    const file = await temporaryFile();
    const store = await openForTest({ file, clock: () => 100 });
    for (const item of run("a")) await store.append([item]);
    expect(await store.check()).toEqual([]);
    const other = new DatabaseSync(file);
    other.exec(sql);
    other.close();
    const faults = await store.check();
    expect(faults.map((fault) => fault.message)).toEqual([expect.stringMatching(message)]);
  });

  it("says at most as much as it is asked for [STO-check]", async () => {
    const file = await temporaryFile();
    const store = await openForTest({ file, clock: () => 100 });
    await load(store, 120);
    const other = new DatabaseSync(file);
    other.exec("UPDATE log SET document = x'7b'");
    other.close();
    expect(await store.check(7)).toHaveLength(7);
    expect(await store.check()).toHaveLength(100);
    expect(await store.check(1_000)).toHaveLength(480);
  });

  it("tells of a file that is damaged [STO-check]", async () => {
    const file = await temporaryFile();
    const store = await openForTest({ file, clock: () => 100 });
    await load(store, 40);
    await store.close();
    const database = await open(file, "r+");
    const page = Buffer.alloc(4_096);
    await database.write(page, 0, page.length, 5 * page.length);
    await database.close();
    const again = await openForTest({ file, clock: () => 100 });
    expect((await again.check()).map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/[Tt]he file is damaged/),
    );
  });
});

describe("wake-ups", () => {
  it("reach every handle of the process on the same file, and no other [STO-wake-ups]", async () => {
    const file = await temporaryFile();
    const [writer, peer] = [await openForTest({ file }), await openForTest({ file: `${file}/../runs.db` })];
    const stranger = await openForTest({ file: await temporaryFile() });
    const told: Record<string, unknown[]> = { writer: [], peer: [], stranger: [] };
    writer.watch((wakes) => told["writer"]?.push(...wakes));
    peer.watch((wakes) => told["peer"]?.push(...wakes));
    stranger.watch((wakes) => told["stranger"]?.push(...wakes));
    const [first] = run("a");
    await writer.append(first === undefined ? [] : [{ ...first, work: [], applies: false }]);
    const records = [{ kind: "records", name: "a" }];
    expect(told).toEqual({ writer: records, peer: records, stranger: [] });
  });
});
