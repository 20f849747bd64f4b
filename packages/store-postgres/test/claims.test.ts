/** What claims.json says of limits is what the store says of itself. */
import { stampTolerance } from "@swl/store-provider";
import { describe, expect, it } from "vitest";
import claims from "../claims.json" with { type: "json" };
import { statementBytes } from "../src/portions.js";
import { format } from "../src/schema.js";
import { noServer, openForTest, scratchSchema } from "./scratch.js";

describe("the claims", () => {
  it("have the schema's format and the bytes of an item [CNF-claims]", () => {
    expect(claims.limits).toMatchObject({ schemaFormat: format, itemBytes: statementBytes });
  });

  it.skipIf(noServer)("are those of the store [CNF-claims]", async () => {
    const store = await openForTest({ schema: scratchSchema() });
    const { timeGranularity: _timeGranularity, ...limits } = store.info.limits;
    expect(claims.limits).toMatchObject({ ...limits, stampToleranceMs: stampTolerance });
    expect(claims.limits.schemaFormat).toBe((await store.stats()).format);
  });
});
