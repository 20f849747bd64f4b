import { readFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import type { Item } from "@swl/store-provider";
import { describe, expect, it } from "vitest";
import type { Database } from "../src/driver.js";
import { createSession } from "../src/session.js";
import { openForTest, temporaryFile } from "./temporary.js";

const created: Item = {
  stream: "run",
  commit: "c",
  expect: 0,
  records: [{ kind: "created", document: "a secret text" }],
  slots: [{ key: "s", document: "a secret text" }],
  stamp: 0,
};

/** A database that fails at one statement with a result code. */
function failing(
  statement: string,
  errcode: number,
): { readonly database: Database; readonly log: string[] } {
  const log: string[] = [];
  const run = (sql: string) => {
    log.push(sql);
    if (sql === statement) throw Object.assign(new Error("failed"), { code: "ERR_SQLITE_ERROR", errcode });
    return { changes: 1 };
  };
  return {
    log,
    database: { exec: run, run, get: () => undefined, all: () => [], close: () => {} },
  };
}

const write = (database: Database) =>
  createSession(database, { name: "s", lockWait: 20 })
    .write((inside) => inside.run("INSERT"))
    .then(
      () => "written",
      (error: { readonly code?: unknown }) => error.code,
    );

describe("a write", () => {
  it("is told as unknown when the commit fails [STO-unknown-commit]", async () => {
    const { database, log } = failing("COMMIT", 10);
    expect(await write(database)).toBe("store.unknown-commit");
    expect(log).toEqual(["BEGIN IMMEDIATE", "INSERT", "COMMIT", "ROLLBACK"]);
  });

  it("is told as not written when it fails before the commit [STO-unknown-commit]", async () => {
    const { database, log } = failing("INSERT", 13);
    expect(await write(database)).toBe("store.unavailable");
    expect(log).toEqual(["BEGIN IMMEDIATE", "INSERT", "ROLLBACK"]);
  });

  it("asks for the lock again until its patience ends", async () => {
    const { database, log } = failing("BEGIN IMMEDIATE", 5);
    expect(await write(database)).toBe("store.unavailable");
    expect(log.length).toBeGreaterThan(1);
    expect(new Set(log)).toEqual(new Set(["BEGIN IMMEDIATE"]));
  });

  it("waits for another process's lock without blocking, and goes on when it is free", async () => {
    const file = await temporaryFile();
    const store = await openForTest({ file });
    const other = new DatabaseSync(file);
    other.exec("BEGIN IMMEDIATE");
    const waiting = store.append([created]);
    let ticks = 0;
    for (; ticks < 5; ticks += 1) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await store.head("run")).toBeUndefined();
    other.exec("ROLLBACK");
    other.close();
    expect(await waiting).toMatchObject([{ kind: "accepted" }]);
  });

  it("gives up on a lock after the longest wait, having written nothing", async () => {
    const file = await temporaryFile();
    const store = await openForTest({ file, lockWait: 30 });
    const other = new DatabaseSync(file);
    other.exec("BEGIN IMMEDIATE");
    await expect(store.append([created])).rejects.toMatchObject({ code: "store.unavailable" });
    other.exec("ROLLBACK");
    other.close();
    expect(await store.head("run")).toBeUndefined();
  });
});

describe("a codec", () => {
  it("keeps documents out of the file [STO-documents]", async () => {
    const file = await temporaryFile();
    const flip = (bytes: Uint8Array) => bytes.map((byte) => byte ^ 0x55);
    const store = await openForTest({ file, codec: { name: "flip", encode: flip, decode: flip } });
    await store.append([created]);
    expect((await store.load("run"))?.slots.get("s")).toBe("a secret text");
    await store.close();
    expect((await readFile(file)).includes("secret")).toBe(false);
    const plain = await openForTest({ file });
    await expect(plain.load("run")).rejects.toMatchObject({ code: "store.corrupt" });
  });

  it("that fails leaves nothing written", async () => {
    const encode = () => {
      throw new TypeError("no key");
    };
    const store = await openForTest({
      file: await temporaryFile(),
      codec: { name: "broken", encode, decode: encode },
    });
    await expect(store.append([created])).rejects.toMatchObject({ code: "store.unavailable" });
    expect(await store.head("run")).toBeUndefined();
  });
});
