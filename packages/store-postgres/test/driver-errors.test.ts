import { storeError } from "@swl/store-provider";
import { describe, expect, it } from "vitest";
import { classify, toStoreError } from "../src/driver-errors.js";

const serverError = (code: string) =>
  Object.assign(new Error("text that must not matter"), { code, severity: "FEHLER" });
const systemError = (code: string) => Object.assign(new Error("text that must not matter"), { code });

describe("an error of the server", () => {
  it.each([
    ["unique_violation", "23505", "unavailable", "reload"],
    ["our own word", "SW001", "unavailable", "reload"],
    ["serialization_failure", "40001", "unavailable", "again"],
    ["deadlock_detected", "40P01", "unavailable", "again"],
    ["lock_not_available", "55P03", "unavailable", "again"],
    ["statement_completion_unknown", "40003", "unknown-commit", undefined],
    ["connection_failure", "08006", "unknown-commit", undefined],
    ["admin_shutdown", "57P01", "unknown-commit", undefined],
    ["crash_shutdown", "57P02", "unknown-commit", undefined],
    ["cannot_connect_now", "57P03", "unavailable", undefined],
    ["query_canceled", "57014", "unavailable", undefined],
    ["disk_full", "53100", "unavailable", undefined],
    ["out_of_memory", "53200", "unavailable", undefined],
    ["too_many_connections", "53300", "unavailable", undefined],
    ["program_limit_exceeded", "54000", "quota", undefined],
    ["string_data_right_truncation", "22001", "quota", undefined],
    ["character_not_in_repertoire", "22021", "incompatible", undefined],
    ["untranslatable_character", "22P05", "incompatible", undefined],
    ["invalid_text_representation", "22P02", "incompatible", undefined],
    ["not_null_violation", "23502", "corrupt", undefined],
    ["read_only_sql_transaction", "25006", "unauthorized", undefined],
    ["invalid_password", "28P01", "unauthorized", undefined],
    ["invalid_catalog_name", "3D000", "not-found", undefined],
    ["invalid_schema_name", "3F000", "incompatible", undefined],
    ["insufficient_privilege", "42501", "unauthorized", undefined],
    ["undefined_table", "42P01", "incompatible", undefined],
    ["undefined_function", "42883", "incompatible", undefined],
    ["feature_not_supported", "0A000", "incompatible", undefined],
    ["io_error", "58030", "unavailable", undefined],
    ["data_corrupted", "XX001", "corrupt", undefined],
    ["internal_error", "XX000", "unavailable", undefined],
    ["a code of a later server", "ZZ999", "unavailable", undefined],
  ])("%s (%s) in a write is told as %s [STO-failure-kinds]", (_name, code, kind, remedy) => {
    expect(classify(serverError(code))?.remedy).toBe(remedy);
    expect(toStoreError("s", serverError(code), true).code).toBe(`store.${kind}`);
  });
});

describe("an error of the connection", () => {
  it.each([
    ["reset", systemError("ECONNRESET")],
    ["refused", systemError("ECONNREFUSED")],
    ["a pipe that broke", systemError("EPIPE")],
    ["the driver's own", new Error("Connection terminated unexpectedly")],
  ])("%s is unknown once a write was sent, and unavailable before [STO-unknown-commit]", (_name, error) => {
    expect(toStoreError("s", error, true).code).toBe("store.unknown-commit");
    expect(toStoreError("s", error, false).code).toBe("store.unavailable");
  });
});

describe("any other error", () => {
  it("is passed on when it is coded, and coded when it is not", () => {
    const coded = storeError("quota", "q");
    expect(toStoreError("s", coded, true)).toBe(coded);
    for (const thrown of [new TypeError("t"), null, "text"]) {
      expect(toStoreError("s", thrown, true).code).toBe("store.incompatible");
    }
  });
});
