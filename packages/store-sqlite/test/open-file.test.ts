import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadDriver } from "../src/driver.js";
import { openSqliteStore } from "../src/index.js";
import { openFile } from "../src/open-file.js";
import { applicationId, migrations } from "../src/schema.js";
import { openForTest, temporaryFile, temporaryFolder } from "./temporary.js";

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "opened",
    (error: { readonly code?: unknown }) => error.code,
  );

describe("opening a file", () => {
  it("makes it when it is missing or empty", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "empty.db"), "");
    for (const name of ["new.db", "empty.db"]) {
      const store = await openForTest({ file: join(folder, name) });
      expect(store.info.name).toBe(`sqlite (${name})`);
      expect(await store.head("run")).toBeUndefined();
    }
  });

  it.each([
    ["text", Buffer.from("swl: 0.1\n".repeat(300))],
    ["one byte", Buffer.from("S")],
    ["a damaged database", Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(4_080, 0xab)])],
  ])("refuses %s as corrupt and leaves it as it is [STO-version-gate]", async (_what, bytes) => {
    const file = await temporaryFile();
    await writeFile(file, bytes);
    expect(await codeOf(openSqliteStore({ file }))).toBe("store.corrupt");
    expect(Buffer.compare(await readFile(file), bytes)).toBe(0);
  });

  it("refuses a file that a newer version wrote and leaves it as it is [STO-version-gate]", async () => {
    const file = await temporaryFile();
    await (await openSqliteStore({ file })).close();
    change(file, `PRAGMA user_version = ${migrations.length + 1}`);
    const before = await readFile(file);
    expect(await codeOf(openSqliteStore({ file }))).toBe("store.incompatible");
    await expect(openSqliteStore({ file })).rejects.toThrow(/newer version/);
    expect(Buffer.compare(await readFile(file), before)).toBe(0);
    expect(await readdir(dirname(file))).toEqual(["runs.db"]);
  });

  it.each([
    ["with its own ID", "PRAGMA application_id = 7"],
    ["with tables and no ID", "CREATE TABLE t (a)"],
    ["in WAL mode", "PRAGMA journal_mode = WAL; CREATE TABLE t (a)"],
  ])(
    "refuses a database of another application, %s, and leaves it as it is [STO-version-gate]",
    async (_what, sql) => {
      const file = await temporaryFile();
      change(file, sql);
      const before = await readFile(file);
      expect(await codeOf(openSqliteStore({ file }))).toBe("store.incompatible");
      expect(Buffer.compare(await readFile(file), before)).toBe(0);
      expect(await readdir(dirname(file))).toEqual(["runs.db"]);
    },
  );

  it("sees what a newer version that is still running has in its log [STO-version-gate]", async () => {
    const file = await temporaryFile();
    const newer = new DatabaseSync(file);
    onTestFinished(() => newer.close());
    newer.exec(`PRAGMA journal_mode = WAL; CREATE TABLE t (a); PRAGMA application_id = ${applicationId}`);
    newer.exec(`PRAGMA user_version = ${migrations.length + 1}`);
    await expect(openSqliteStore({ file })).rejects.toThrow(/newer version/);
  });

  it("refuses folders, missing folders and bad options", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "sub.db"));
    await writeFile(join(folder, "file"), "x");
    expect(await codeOf(openSqliteStore({ file: join(folder, "sub.db") }))).toBe("store.incompatible");
    expect(await codeOf(openSqliteStore({ file: join(folder, "none", "runs.db") }))).toBe("store.not-found");
    expect(await codeOf(openSqliteStore({ file: join(folder, "file", "runs.db") }))).toBe("store.not-found");
    for (const bad of [
      { file: "" },
      { file: ":memory:" },
      { file: join(folder, "x.db"), busyTimeout: -1 },
      { file: join(folder, "x.db"), lockWait: 0.5 },
      { file: join(folder, "x.db"), limits: { documentBytes: 0 } },
    ]) {
      expect(await codeOf(openSqliteStore(bad))).toBe("store.incompatible");
    }
    expect((await readdir(folder)).sort()).toEqual(["file", "sub.db"]);
  });

  it("brings a file of ours without tables forward", async () => {
    const file = await temporaryFile();
    change(file, `PRAGMA application_id = ${applicationId}`);
    const store = await openForTest({ file });
    expect(await store.list()).toEqual({ items: [] });
  });

  it("sets what durability rests on and reads it back [STO-durable-settings]", async () => {
    const { file, driver } = { file: await temporaryFile(), driver: await loadDriver() };
    const database = await openFile({
      driver,
      path: file,
      busyTimeout: 5,
      patience: { name: "s", lockWait: 100 },
    });
    const found = ["journal_mode", "synchronous", "wal_autocheckpoint", "busy_timeout"].map(
      (name) => Object.values(database.get(`PRAGMA ${name}`) ?? {})[0],
    );
    database.close();
    expect(found).toEqual(["wal", 2, 1_000, 5]);
  });

  it.each([
    ["synchronous", 1],
    ["journal_mode", "delete"],
    ["wal_autocheckpoint", 0],
  ])(
    "refuses a database that does not hold the setting %s [STO-durable-settings]",
    async (setting, value) => {
      const file = await temporaryFile();
      const honest = await loadDriver();
      const opening = openFile({
        path: file,
        busyTimeout: 5,
        patience: { name: "s", lockWait: 100 },
        driver(path, options) {
          const database = honest(path, options);
          return {
            ...database,
            get: (sql, ...values) =>
              sql === `PRAGMA ${setting}` ? { [setting]: value } : database.get(sql, ...values),
          };
        },
      });
      expect(await codeOf(opening)).toBe("store.incompatible");
    },
  );
});

function change(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}
