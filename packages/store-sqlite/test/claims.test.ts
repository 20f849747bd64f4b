/** What claims.json says of limits is what the store says of itself. */
import { defaultLimits, stampTolerance } from "@swl/store-provider";
import { expect, it } from "vitest";
import claims from "../claims.json" with { type: "json" };
import { openForTest, temporaryFile } from "./temporary.js";

it("the claims are those of the store [CNF-claims]", async () => {
  const store = await openForTest({ file: await temporaryFile() });
  const { timeGranularity: _timeGranularity, ...limits } = store.info.limits;
  expect(claims.limits).toMatchObject({ ...limits, stampToleranceMs: stampTolerance });
  expect(claims.limits.fileFormat).toBe((await store.stats()).format);
  expect(store.info.limits).toEqual(defaultLimits);
});
