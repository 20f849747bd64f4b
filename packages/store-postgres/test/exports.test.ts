import { describe, expect, it } from "vitest";
import * as entry from "../src/index.js";
import { noServer, sql } from "./scratch.js";

const why = noServer
  ? " (skipped: npm has no PostgreSQL for this machine, and SWL_TEST_DATABASE_URL is not set)"
  : "";

describe("the package", () => {
  it("exports these names", () => {
    expect(Object.keys(entry).sort()).toEqual(["openPostgresStore"]);
  });

  it.skipIf(noServer)(`is tested on a server that it knows${why}`, async () => {
    const [row] = await sql("SELECT current_setting('server_version_num')::int AS version");
    expect(row?.["version"]).toBeGreaterThanOrEqual(140_000);
  });
});
