import { isSwlError, storeError } from "@swl/store-provider";
import { describe, expect, it } from "vitest";
import { classify, toStoreError } from "../src/driver-errors.js";

const sqliteError = (errcode: number) =>
  Object.assign(new Error("text that must not matter"), { code: "ERR_SQLITE_ERROR", errcode });

describe("an error of the driver", () => {
  it.each([
    ["SQLITE_ERROR", 1, "incompatible", false],
    ["SQLITE_PERM", 3, "unauthorized", false],
    ["SQLITE_ABORT_ROLLBACK", 516, "unavailable", false],
    ["SQLITE_BUSY", 5, "unavailable", true],
    ["SQLITE_BUSY_RECOVERY", 261, "unavailable", true],
    ["SQLITE_BUSY_SNAPSHOT", 517, "unavailable", true],
    ["SQLITE_LOCKED", 6, "unavailable", true],
    ["SQLITE_NOMEM", 7, "unavailable", false],
    ["SQLITE_READONLY", 8, "unauthorized", false],
    ["SQLITE_READONLY_RECOVERY", 264, "unavailable", true],
    ["SQLITE_READONLY_DBMOVED", 1032, "unavailable", false],
    ["SQLITE_IOERR", 10, "unavailable", false],
    ["SQLITE_IOERR_FSYNC", 1034, "unavailable", false],
    ["SQLITE_CORRUPT", 11, "corrupt", false],
    ["SQLITE_CORRUPT_INDEX", 779, "corrupt", false],
    ["SQLITE_FULL", 13, "unavailable", false],
    ["SQLITE_CANTOPEN", 14, "unavailable", false],
    ["SQLITE_PROTOCOL", 15, "unavailable", true],
    ["SQLITE_SCHEMA", 17, "incompatible", false],
    ["SQLITE_TOOBIG", 18, "quota", false],
    ["SQLITE_CONSTRAINT_UNIQUE", 2067, "corrupt", false],
    ["SQLITE_MISUSE", 21, "incompatible", false],
    ["SQLITE_AUTH", 23, "unauthorized", false],
    ["SQLITE_NOTADB", 26, "corrupt", false],
    ["a code of a later SQLite", 99, "unavailable", false],
  ])("%s (%i) is told as %s", (_name, errcode, kind, busy) => {
    expect(classify(sqliteError(errcode))).toMatchObject({ kind, busy });
    expect(toStoreError("s", sqliteError(errcode)).code).toBe(`store.${kind}`);
  });

  it("passes coded errors on and codes everything else", () => {
    const coded = storeError("quota", "q");
    expect(toStoreError("s", coded)).toBe(coded);
    for (const thrown of [new TypeError("t"), null, "text"]) {
      const error = toStoreError("s", thrown);
      expect([isSwlError(error), error.code, error.message.includes("t\n")]).toEqual([
        true,
        "store.incompatible",
        false,
      ]);
    }
  });
});
