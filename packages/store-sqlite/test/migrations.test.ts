/** Files that earlier versions wrote: built from the statements of their format, which are pinned. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import type { Item } from "@swl/store-provider";
import { describe, expect, it } from "vitest";
import { openSqliteStore } from "../src/index.js";
import { applicationId, migrations } from "../src/schema.js";
import { openForTest, temporaryFile } from "./temporary.js";

const json = (value: unknown) => `CAST('${JSON.stringify(value)}' AS BLOB)`;

/** A closed run, an open one and a blob, as format 1 kept them. */
async function fileOfFormat1(): Promise<string> {
  const file = await temporaryFile();
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = WAL");
  for (const statement of migrations[0] ?? []) database.exec(statement);
  for (const statement of [
    `PRAGMA application_id = ${applicationId}`,
    "PRAGMA user_version = 1",
    "INSERT INTO streams VALUES (1, 'done', 0, NULL, 0, NULL, NULL, 1, 100), (2, 'open', 0, NULL, 0, NULL, NULL, 0, 150)",
    ...[
      [1, 1, 100],
      [1, 2, 200],
      [2, 1, 150],
    ].map(
      ([sid, position, at]) =>
        `INSERT INTO log (sid, position, kind, commit_id, at, applies, document)
          VALUES (${sid}, ${position}, 'event', 'c${position}', ${at}, 1, ${json({ position })})`,
    ),
    `INSERT INTO slots VALUES (2, 'state', ${json("s")})`,
    "INSERT INTO receipts VALUES ('start', 'key', 'digest', 1, 1, 100)",
    `INSERT INTO blobs VALUES ('definition', ${json({ swl: "0.1" })})`,
  ]) {
    database.exec(statement);
  }
  database.close();
  return file;
}

const openAgain: Item = {
  stream: "open",
  commit: "c2",
  expect: 1,
  records: [{ kind: "event", document: 2 }],
  pins: ["definition"],
  applies: true,
  close: true,
  stamp: 0,
};

describe("the statements of a released format", () => {
  it("never change [STO-version-gate]", () => {
    const digest = createHash("sha256").update(JSON.stringify(migrations[0])).digest("hex");
    expect(digest).toBe("21d420f1a8e05dea6546d412309d59574d93478d9563ba5806ffd2cc51597d2c");
  });
});

describe("a file of format 1", () => {
  it("is brought forward with all that is in it [STO-version-gate]", async () => {
    const store = await openForTest({ file: await fileOfFormat1(), clock: () => 300 });
    expect(await store.check()).toEqual([]);
    expect((await store.load("open"))?.slots.get("state")).toBe("s");
    expect(await store.stats()).toMatchObject({ format: 2, streams: { open: 1, closed: 1 }, blobs: 1 });
    expect(await store.append([openAgain])).toMatchObject([{ kind: "accepted", first: 2 }]);
  });

  it("knows when its runs were closed, and keeps its documents for ever [STO-prune]", async () => {
    const store = await openForTest({ file: await fileOfFormat1(), clock: () => 300 });
    expect(await store.prune({ closedBefore: 200 })).toMatchObject({ streams: 0 });
    expect(await store.prune({ closedBefore: 201 })).toEqual({
      streams: 1,
      records: 2,
      blobs: 0,
      more: false,
    });
    await store.append([openAgain]);
    expect(await store.prune({ closedBefore: 301 })).toMatchObject({ streams: 1, blobs: 0 });
    expect(await store.blob("definition")).toEqual({ swl: "0.1" });
    expect(await store.receipt("start", "key")).toBeUndefined();
    expect(await store.check()).toEqual([]);
  });

  it("is left as it is when it may not be brought forward [STO-version-gate]", async () => {
    const file = await fileOfFormat1();
    const before = await readFile(file);
    await expect(openSqliteStore({ file, migrate: "never" })).rejects.toMatchObject({
      code: "store.incompatible",
      message: expect.stringContaining("swl store migrate"),
    });
    expect(Buffer.compare(await readFile(file), before)).toBe(0);
    await (await openSqliteStore({ file })).close();
    await (await openForTest({ file, migrate: "never" })).check();
  });

  it("is left as it is when the way forward breaks off [STO-version-gate]", async () => {
    const file = await fileOfFormat1();
    const database = new DatabaseSync(file);
    database.exec("CREATE TABLE pins (sid INTEGER)");
    database.close();
    await expect(openSqliteStore({ file })).rejects.toMatchObject({ code: "store.incompatible" });
    const after = new DatabaseSync(file);
    expect(after.prepare("PRAGMA user_version").get()).toEqual({ user_version: 1 });
    expect(after.prepare("PRAGMA table_info(streams)").all()).toHaveLength(9);
    after.close();
  });
});

describe("a file that a newer version brings forward while it is open", () => {
  it("is read on, and not written any more [STO-version-gate]", async () => {
    const file = await temporaryFile();
    const store = await openForTest({ file });
    const created: Item = { ...openAgain, commit: "c1", expect: 0, pins: [], close: false };
    await store.append([created]);
    const newer = new DatabaseSync(file);
    newer.exec(`PRAGMA user_version = ${migrations.length + 1}`);
    newer.close();
    expect((await store.head("open"))?.position).toBe(1);
    await expect(store.append([{ ...created, commit: "c2", expect: 1 }])).rejects.toMatchObject({
      code: "store.incompatible",
      message: expect.stringContaining(`format ${migrations.length + 1}`),
    });
    expect((await store.head("open"))?.position).toBe(1);
  });
});

describe("a new file", () => {
  it("is made whether or not older ones may be brought forward", async () => {
    const store = await openForTest({ file: await temporaryFile(), migrate: "never" });
    expect((await store.stats()).format).toBe(migrations.length);
  });
});
