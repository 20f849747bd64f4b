import { copyFile, mkdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { openSqliteStore } from "../src/index.js";
import { applicationId, migrations } from "../src/schema.js";
import { openForTest, temporaryFolder } from "./temporary.js";

const item = (stream: string) => ({
  stream,
  commit: "c",
  expect: 0,
  records: [{ kind: "event", document: null }],
  stamp: 0,
});

describe("a file that is open", () => {
  it.each<readonly [string, (file: string) => Promise<unknown>]>([
    ["deleted", (file) => rm(file)],
    ["moved", (file) => rename(file, `${file}.moved`)],
    ["replaced", (file) => rename(`${file}.other`, file)],
  ])("and is %s takes no write that nobody would find [STO-durability]", async (_what, change) => {
    const file = join(await temporaryFolder(), "runs.db");
    await (await openSqliteStore({ file: `${file}.other` })).close();
    const store = await openForTest({ file });
    await store.append([item("a")]);
    await change(file);
    await expect(store.append([item("b")])).rejects.toMatchObject({ code: "store.unavailable" });
    expect(await store.head("b")).toBeUndefined();
  });

  it("through a link that names another one by now takes no write either [STO-durability]", async () => {
    const folder = await temporaryFolder();
    for (const name of ["a.db", "b.db"]) await (await openSqliteStore({ file: join(folder, name) })).close();
    const file = join(folder, "link.db");
    await symlink("a.db", file);
    const store = await openForTest({ file });
    await store.append([item("a")]);
    await symlink("b.db", `${file}.new`);
    await rename(`${file}.new`, file);
    await expect(store.append([item("b")])).rejects.toMatchObject({ code: "store.unavailable" });
  });
});

describe("a link to a file", () => {
  it("does not hide the log that a newer version left beside it [STO-version-gate]", async () => {
    const folder = await temporaryFolder();
    const running = join(folder, "running.db");
    const newer = new DatabaseSync(running);
    newer.exec(`PRAGMA journal_mode = WAL; CREATE TABLE t (a); PRAGMA application_id = ${applicationId}`);
    newer.exec(`PRAGMA user_version = ${migrations.length + 1}`);
    // As it lies when that process has been killed.
    const [file, log] = [join(folder, "killed.db"), join(folder, "killed.db-wal")];
    await copyFile(running, file);
    await copyFile(`${running}-wal`, log);
    newer.close();
    const before = [await readFile(file), await readFile(log)];
    await mkdir(join(folder, "elsewhere"));
    const link = join(folder, "elsewhere", "link.db");
    await symlink(file, link);
    await expect(openSqliteStore({ file: link })).rejects.toThrow(/newer version/);
    expect([await readFile(file), await readFile(log)]).toEqual(before);
  });
});
